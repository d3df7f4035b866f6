"""All invariants over one catalogue."""

from collections.abc import Iterator
from datetime import date

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.invariants.bounds import BOUNDS
from app.domain.catalogue.invariants.fault import Fault
from app.domain.catalogue.invariants.identity import IDENTITY
from app.domain.catalogue.invariants.numbers import NUMBERS
from app.domain.catalogue.invariants.policy import POLICY
from app.domain.catalogue.invariants.sources import dated, known_words, sourced


def faults(catalogue: Catalogue, today: date) -> Iterator[Fault]:
    """Everything that does not hold; nothing when all is well."""
    for invariant in (*IDENTITY, *NUMBERS, *BOUNDS, *POLICY, sourced, known_words):
        yield from invariant(catalogue)
    yield from dated(catalogue, today)
