"""What a configuration sheet holds: plain values, messages and steps, so that it can be stored as it was issued and read in any language."""

from dataclasses import dataclass
from typing import Any

from app.domain.errors import Message
from app.domain.estimate import Derivation, Estimate, Step
from app.domain.money import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number with its range. `unit` is a suffix of the base units (`bytes`, `s`, `w` …) or a unit to print."""

    estimate: Estimate
    unit: str


Value = Quantity | Money | Message | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A labelled value. `step` is the step that made it; `source` says where a fact comes from."""

    label: Message
    value: Value
    note: Message | None = None
    source: str = ""
    step: Step | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BillLine:
    """Something to buy. Without a price: nobody quoted one, so a quote is wanted."""

    item: Message
    description: Message | str
    quantity: float
    unit_price: Money | None
    total: Money | None
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """What the delivered machines must show: the expected value, the limit, how to measure it, and the command that does."""

    name: Message
    expected: Quantity | None
    limit: Quantity
    is_upper: bool
    how: Message
    command: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HostingRow:
    """A question to the room that the machines will stand in, and the paper that answers it."""

    topic: Message
    asked: Message
    evidence: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxFigures:
    """Taxes on top of an option's total, and what of them stays with the buyer."""

    duty: Money
    on_goods: Money
    on_services: Money
    total: Money
    kept: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class BookFigures:
    """What the books write off of each line of purchases, and the interest on what they hold. No part of a total."""

    lines: tuple[tuple[Message, Money], ...]
    depreciation: Money
    interest: Money
    by_year: tuple[tuple[Money, Money, Money], ...]  # depreciation, interest, value when the year ends


@dataclass(frozen=True, slots=True, kw_only=True)
class CostColumn:
    """The sums of one option."""

    name: str
    kind: str
    gpu_count: int
    total: Money
    low: Money
    high: Money
    npv: Money
    capex: Money
    opex: Money
    per_gpu_hour: Money | None
    per_effective_gpu_hour: Money | None
    energy_kwh: float
    steps: Derivation = ()
    total_elsewhere: Money | None = None  # in the other currency at the sheet's rate; sheets issued before it was shown have none
    tax: TaxFigures | None = None
    books: BookFigures | None = None

    def step(self, key: str) -> Step | None:
        """How one of the sums was reached ("total", "npv" …)."""
        return next((step for step in self.steps if step.key == f"cost.{key}"), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CostCell:
    """One line of one option, how it was reached, and how it falls on the years."""

    amount: Money
    by_year: tuple[Money, ...]
    derivation: Derivation
    elsewhere: Money | None = None  # in the other currency; the lines of an option add up to its `total_elsewhere`


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRow:
    """One line of all options; None where an option has no such cost."""

    line: Message
    kind: str
    cells: tuple[CostCell | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CostFigures:
    """The basis in figures, for a workbook that calculates; exact decimals as text."""

    month_count: int
    discount_ratio: str
    discount_source: str
    fx_pair: str
    fx_rate: str
    fx_on: str
    fx_source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CostSection:
    """Options side by side, on one basis."""

    columns: tuple[CostColumn, ...]
    rows: tuple[CostRow, ...]
    verdicts: tuple[Message, ...]
    basis: tuple[Message, ...]
    overrides: tuple[str, ...]
    figures: CostFigures | None = None  # sheets issued before workbooks calculated have none


@dataclass(frozen=True, slots=True, kw_only=True)
class EliminatedRow:
    """Alternatives removed for one reason."""

    rule: str
    reason: Message
    count: int
    example: str
    short_by: Message | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumptionRow:
    """What was assumed, why, and who must confirm it."""

    field: str
    value: str | int | float | bool | None
    why: Message
    owner: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskRow:
    """A finding, a compromise or a doubt that goes along with the decision."""

    rule: str
    severity: str  # blocker | warning | note
    text: Message
    evidence: Message | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRow:
    """A citation that the sheet rests on."""

    title: str
    url: str | None
    on: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Revisions:
    """Which facts, which policy and which method made the sheet: equal ones make it again."""

    catalogue: str
    policy: str
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigurationSheet:
    """The decision, all that it rests on, and who has to sign it. Never changed once issued: a change is a new number."""

    project: str
    number: int
    issued_at: str  # ISO 8601, UTC
    issued_by: str
    revisions: Revisions
    decision: Message
    need: tuple[Row, ...]
    configuration: tuple[Row, ...]
    bill: tuple[BillLine, ...]
    bill_total: Money | None
    estimate: tuple[Row, ...]
    acceptance: tuple[Criterion, ...]
    cost: CostSection
    searched_count: int
    eliminated: tuple[EliminatedRow, ...]
    assumptions: tuple[AssumptionRow, ...]
    risks: tuple[RiskRow, ...]
    sources: tuple[SourceRow, ...]
    derivation: Derivation
    sign_off: tuple[Message, ...]
    inputs: dict[str, Any]
    hosting: tuple[HostingRow, ...] = ()  # sheets issued before the checklist stood on them have none
