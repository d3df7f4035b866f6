"""Where a fact comes from and how far to trust it."""

from dataclasses import dataclass
from enum import StrEnum

from app.domain.estimate import Basis


class Evidence(StrEnum):
    """How well a row is supported, as collected."""

    VENDOR = "vendor"  # the vendor's text was read
    CONFIRMED = "confirmed"  # recomputed, or a second source agrees
    PRESS = "press"  # press or community only: shown as unconfirmed
    TEMPLATE = "template"  # a generic machine, not a product
    MODELLED = "modelled"  # computed from other facts by a stated formula

    @property
    def is_unconfirmed(self) -> bool:
        """Whether a figure that rests on it must look unconfirmed."""
        return self in (Evidence.PRESS, Evidence.TEMPLATE)

    @property
    def basis(self) -> Basis:
        """The basis of a figure that rests on this evidence."""
        return {Evidence.VENDOR: Basis.VENDOR, Evidence.CONFIRMED: Basis.PUBLISHED, Evidence.MODELLED: Basis.MODELLED}.get(
            self, Basis.ASSUMED
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A citation: title, address when there is one, the date it speaks for ("2024", "2024-05", "2024-05-31"), and the evidence level."""

    title: str
    url: str | None
    on: str
    evidence: Evidence
