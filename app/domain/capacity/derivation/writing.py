"""Short hands for steps and inputs."""

from app.domain.estimate import Basis, Input, Step
from app.domain.units import as_gib


def gibibytes(symbol: str, value_bytes: float, step: str | None = None, source: str = "") -> Input:
    """An amount of memory."""
    return Input(symbol=symbol, value=as_gib(value_bytes), unit="GiB", step=step, source=source)


def number(symbol: str, value: float, source: str = "", unit: str = "1", step: str | None = None) -> Input:
    """A plain number, or one in the unit given."""
    return Input(symbol=symbol, value=value, unit=unit, source=source, step=step)


def size_step(key: str, formula: str, inputs: tuple[Input, ...], result_bytes: float, source: str, rule: str | None) -> Step:
    """A step whose result is an amount of memory."""
    return Step(key=key, formula=formula, inputs=inputs, result=as_gib(result_bytes), unit="GiB", source=source, rule=rule)


def step(key: str, formula: str, inputs: tuple[Input, ...], result: float, unit: str, source: str, rule: str | None = None) -> Step:
    """Any other step."""
    return Step(key=key, formula=formula, inputs=inputs, result=result, unit=unit, source=source, rule=rule, basis=Basis.MODELLED)
