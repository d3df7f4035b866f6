"""What must hold between published facts, whatever they are. Each invariant yields the rows that break it; none changes anything.

identity   unique keys, references that resolve, fields that exist
numbers    positive, ordered, plausible, sums and quotients that agree
sources    dated, sourced, known words
"""

from app.domain.catalogue.invariants.fault import Fault
from app.domain.catalogue.invariants.identity import natural_key
from app.domain.catalogue.invariants.run import faults

__all__ = ["Fault", "faults", "natural_key"]
