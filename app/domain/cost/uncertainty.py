"""How sure the totals are: every driver is drawn between its low and high, the same draw for all options, and the totals are read off.

Stated: a driver's low and high are read as its 10th and 90th percentile (in the sources they are ranges seen, not percentiles); draws are
log-normal on either side of the typical value; drivers are independent but for purchase and rental prices, which move together at 0.5; the
seed is fixed, so equal scenarios give equal answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from app.domain.cost.finance import monthly_rate, present_value
from app.domain.cost.line import LineCost
from app.domain.cost.scenario import Driver, Option, Scenario

SEED = 20261130
DRAW_COUNT = 10_000
Z90 = 1.2815515655446004  # standard normal quantile of 0.9
PRICE_CORRELATION = 0.5  # purchase and rental prices; judgement, tco formula set §9 gives the sign only

Draws = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Range:
    """10th, 50th and 90th percentile of an amount in the scenario's currency."""

    p10: float
    p50: float
    p90: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncertainty:
    """Ranges of every option's total; for the first two options the range of what the first saves, and how often it is the cheaper."""

    options: tuple[Range, ...]
    saving: Range | None
    probability_first_cheaper: float | None
    draw_count: int
    seed: int


def uncertainty(scenario: Scenario, costs: tuple[tuple[tuple[Option, LineCost], ...], ...]) -> Uncertainty:
    """Totals are undiscounted, the comparison is in present values."""
    rate = monthly_rate(scenario.discount_ratio)
    months = scenario.month_count
    totals, values = [], []
    for lines in costs:
        weights = [_weights(option, line) for option, line in lines]
        totals.append(_sum([float(line.total(months)) for _, line in lines], weights))
        values.append(_sum([float(present_value(line, rate, months)) for _, line in lines], weights))
    saving = values[1] - values[0] if len(values) > 1 else None
    return Uncertainty(
        options=tuple(_range(total) for total in totals),
        saving=None if saving is None else _range(saving),
        probability_first_cheaper=None if saving is None else float(np.mean(saving > 0) + np.mean(saving == 0) / 2),
        draw_count=DRAW_COUNT,
        seed=SEED,
    )


def totals(costs: tuple[tuple[Option, LineCost], ...], month_count: int) -> Draws:
    """The drawn totals of one option's lines, the same draws as behind its range."""
    return _sum([float(line.total(month_count)) for _, line in costs], [_weights(option, line) for option, line in costs])


@cache
def _normals() -> Mapping[Driver, Draws]:
    generator = np.random.Generator(np.random.PCG64(SEED))
    normals = {driver: generator.standard_normal(DRAW_COUNT) for driver in Driver}
    shared = PRICE_CORRELATION
    normals[Driver.RENT] = shared * normals[Driver.PURCHASE] + np.sqrt(1 - shared**2) * normals[Driver.RENT]
    return normals


def _weights(option: Option, line: LineCost) -> Draws:
    weights = np.ones(DRAW_COUNT)
    for driver in line.drivers:
        if spread := option.spreads.get(driver):
            weights = weights * _factors(driver, spread.low_ratio, spread.high_ratio)
    return weights


@lru_cache(maxsize=128)
def _factors(driver: Driver, low_ratio: float, high_ratio: float) -> Draws:
    """What a driver's draws multiply an amount by. Options of one comparison share most spreads."""
    normal = _normals()[driver]
    slope = np.where(normal < 0, -np.log(low_ratio), np.log(high_ratio)) / Z90
    return np.asarray(np.exp(normal * slope))


def _sum(amounts: list[float], weights: list[Draws]) -> Draws:
    total = np.zeros(DRAW_COUNT)
    for amount, weight in zip(amounts, weights, strict=True):
        total = total + amount * weight
    return total


def _range(draws: Draws) -> Range:
    low, middle, high = (float(value) for value in np.percentile(draws, (10, 50, 90)))
    return Range(low, middle, high)
