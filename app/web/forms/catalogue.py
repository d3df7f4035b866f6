"""What the lists of the catalogue and of the prices are filtered by."""

from typing import Annotated

from pydantic import BaseModel, Field

from app.domain.catalogue.quotes import PricesWanted
from app.domain.catalogue.search import GpuWanted, ServerWanted, Wanted
from app.domain.units import Watts, gb_per_s, gib, kw

Words = Annotated[str, Field(max_length=100)]
Choice = Annotated[str, Field(max_length=60)]


Number = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
Sort = Annotated[str, Field(max_length=60)]


class ListFilter(BaseModel):
    """What every list takes: words, and the column to sort by (`-` in front: downwards)."""

    q: Words = ""
    sort: Sort = ""


class GpuFilter(ListFilter):
    """Which GPUs."""

    vendor: Choice = ""
    market_class: Choice = ""
    form_factor: Choice = ""
    precision: Choice = ""
    architecture: Choice = ""
    link: Choice = ""
    memory: Number | None = None
    bandwidth: Number | None = None
    tdp: Number | None = None
    since: Annotated[int, Field(ge=1990, le=2100)] | None = None
    evidence: Choice = ""
    priced: bool = False

    def wanted(self) -> GpuWanted:
        """For the search."""
        return GpuWanted(
            words=self.q,
            vendor=self.vendor,
            market_class=self.market_class,
            form_factor=self.form_factor,
            precision=self.precision,
            architecture=self.architecture,
            link_kind=self.link,
            memory_least_bytes=None if self.memory is None else gib(self.memory),
            bandwidth_least_bytes_per_s=None if self.bandwidth is None else gb_per_s(self.bandwidth),
            tdp_most_w=None if self.tdp is None else Watts(self.tdp),
            launched_since_year=self.since,
            evidence=self.evidence,
            is_priced_only=self.priced,
        )


class ServerFilter(ListFilter):
    """Which servers."""

    vendor: Choice = ""
    form_factor: Choice = ""
    cooling: Choice = ""
    gpu: Choice = ""
    count: Annotated[int, Field(ge=0, le=10_000)] | None = None
    link: Choice = ""
    power: Number | None = None
    evidence: Choice = ""

    def wanted(self) -> ServerWanted:
        """For the search."""
        return ServerWanted(
            words=self.q,
            vendor=self.vendor,
            form_factor=self.form_factor,
            cooling=self.cooling,
            gpu_slug=self.gpu,
            gpu_least_count=self.count,
            gpu_interconnect=self.link,
            power_most_w=None if self.power is None else kw(self.power),
            evidence=self.evidence,
        )


class GroupFilter(ListFilter):
    """Which rows of a list with one group."""

    group: Choice = ""

    def wanted(self) -> Wanted:
        """For the search."""
        return Wanted(words=self.q, group=self.group)


class PriceFilter(ListFilter):
    """Which prices."""

    gpu: Choice = ""
    currency: Choice = ""
    region: Choice = ""
    kind: Choice = ""
    confidence: Choice = ""
    fresh: bool = False

    def wanted(self) -> PricesWanted:
        """For the search."""
        return PricesWanted(
            words=self.q,
            gpu_slug=self.gpu,
            currency=self.currency,
            region=self.region,
            kind=self.kind,
            confidence=self.confidence,
            is_fresh_only=self.fresh,
        )
