"""What moves the result: each uncertain input alone at its low and its high, and how often each amount is drawn."""

from dataclasses import dataclass

import numpy as np

from app.domain.cost.finance import monthly_rate, present_value
from app.domain.cost.line import LineCost
from app.domain.cost.lines import LINES
from app.domain.cost.scenario import Driver, Option, Scenario
from app.domain.cost.uncertainty import totals

SHOWN = 10
BIN_COUNT = 40
SHOWN_PERCENTILES = (5, 95)


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """Present value of what the first option saves against the second with one input at its low or high, the rest typical."""

    driver: Driver
    at_low: float
    at_high: float
    flips: bool  # the other option is the cheaper one at one end


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """How many draws of an option's total fall between two amounts."""

    option: str
    low: float
    high: float
    count: int


def tornado(scenario: Scenario) -> tuple[Swing, ...]:
    """The inputs by how far they move the saving, the strongest first. An input moves every line that follows it, as the draws do."""
    if len(scenario.options) < 2:
        return ()
    rate, months = monthly_rate(scenario.discount_ratio), scenario.month_count
    typical, low, high = 0.0, dict.fromkeys(Driver, 0.0), dict.fromkeys(Driver, 0.0)
    for option, sign in zip(scenario.options[:2], (-1, 1), strict=True):
        for leaf, cost in _costs(option, scenario):
            value = sign * float(present_value(cost, rate, months))
            typical += value
            for driver in cost.drivers:
                if spread := leaf.spreads.get(driver):
                    low[driver] += value * (spread.low_ratio - 1)
                    high[driver] += value * (spread.high_ratio - 1)
    swings = [
        Swing(
            driver=driver,
            at_low=typical + low[driver],
            at_high=typical + high[driver],
            flips=(typical + low[driver] < 0) is not (typical + high[driver] < 0),
        )
        for driver in Driver
        if low[driver] or high[driver]
    ]
    return tuple(sorted(swings, key=lambda swing: -abs(swing.at_high - swing.at_low))[:SHOWN])


def histogram(scenario: Scenario) -> tuple[Bin, ...]:
    """The drawn totals of every option in equal bins; the rarest twentieth at either end of each is left out, or a few would fill the picture."""
    draws = {option.name: totals(_costs(option, scenario), scenario.month_count) for option in scenario.options}
    ends = [np.percentile(values, SHOWN_PERCENTILES) for values in draws.values()]
    edges = np.linspace(min(low for low, _ in ends), max(high for _, high in ends), BIN_COUNT + 1)
    found = []
    for option, values in draws.items():
        counts, _ = np.histogram(values, edges)
        found += [
            Bin(option=option, low=float(edges[place]), high=float(edges[place + 1]), count=int(count))
            for place, count in enumerate(counts)
        ]
    return tuple(found)


def _costs(option: Option, scenario: Scenario) -> tuple[tuple[Option, LineCost], ...]:
    found = ((leaf, line.compute(leaf, scenario)) for leaf in option.leaves for line in LINES)
    return tuple((leaf, cost) for leaf, cost in found if cost is not None)
