"""What an option really costs, and when owning beats renting.

A `Scenario` holds options on one basis (currency, horizon, discount rate, dated exchange rate). Each line of `lines/` turns an option into cash
at the start, per year and on single dates; `evaluate` sums, discounts, compares and says how sure it is. `offers` builds options from the
catalogue's dated prices and sourced factors. Sums are exact decimals, rounded once; draws run on floats.
"""

from app.domain.cost.breakeven import Comparison
from app.domain.cost.scenario import (
    CapexItem,
    Colocation,
    Commitment,
    Depreciation,
    Driver,
    Kind,
    Lease,
    OneOff,
    OpexItem,
    Option,
    Power,
    Scenario,
    Spread,
)
from app.domain.cost.tco import LineResult, OptionResult, TcoResult, YearCost, evaluate
from app.domain.cost.uncertainty import Range, Uncertainty

__all__ = [
    "CapexItem",
    "Colocation",
    "Commitment",
    "Comparison",
    "Depreciation",
    "Driver",
    "Kind",
    "Lease",
    "LineResult",
    "OneOff",
    "OpexItem",
    "Option",
    "OptionResult",
    "Power",
    "Range",
    "Scenario",
    "Spread",
    "TcoResult",
    "Uncertainty",
    "YearCost",
    "evaluate",
]
