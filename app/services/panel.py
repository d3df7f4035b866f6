"""The live panel beside the questions: what the answers so far amount to, and what the last one changed."""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.cost.quotes import reference_price
from app.domain.errors import DataMissing, DomainError, InvalidInput, Message, message
from app.domain.intake import Requirements
from app.domain.intake.draft import BY_KEY
from app.domain.money import Currency, Money
from app.domain.selection.layouts import ROOMY_RATIO, SERVING_ROOM_RATIO
from app.domain.workload.settings import Task
from app.seeds import default_fx
from app.services.estimates import Sizing, default_gpu, smallest
from app.services.intake import Draft, needs

MONEY_DIGITS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """The fewest GPUs of the default kind for one task, and what they cost to buy with their share of servers (None: nobody quoted a price)."""

    task: Task
    gpu_name: str
    sizing: Sizing
    deadline_s: float | None
    price_low: Money | None
    price_high: Money | None

    @property
    def safe_ratio(self) -> float:
        """Where the safe line stands on the card."""
        return ROOMY_RATIO if self.task is Task.TRAIN else SERVING_ROOM_RATIO


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What the question saved last did to the number of GPUs."""

    question: Message
    before_count: int
    after_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """The answers so far in numbers. No `needs`: the method does not know this kind of model yet, or an answer cannot stand."""

    model: LanguageModel | OtherModel | None
    is_model_assumed: bool
    needs: tuple[Need, ...]
    change: Change | None


def panel(draft: Draft, catalogue: Catalogue, today: date) -> Panel:
    """What is known so far, gaps filled by assumptions."""
    try:
        made = needs(draft.typed, draft.project, catalogue)
    except InvalidInput:
        return Panel(model=None, is_model_assumed=False, needs=(), change=None)
    found = tuple(need for task in _tasks(made) if (need := _need(made, task, catalogue, draft.project.currency, today)) is not None)
    return Panel(
        model=made.model,
        is_model_assumed=any(assumption.field == "model" for assumption in made.assumptions),
        needs=found,
        change=_change(draft, catalogue, found[0]) if found else None,
    )


def _tasks(made: Requirements) -> tuple[Task, ...]:
    return tuple(task for task, asked in ((Task.TRAIN, made.training), (Task.INFER, made.inference)) if asked)


def _need(made: Requirements, task: Task, catalogue: Catalogue, currency: Currency, today: date) -> Need | None:
    slug = default_gpu(made, catalogue)
    sizing = smallest(made, task, slug, catalogue)
    if sizing is None:
        return None
    gpu = catalogue.gpu(slug)
    low = high = None
    try:
        price = reference_price(gpu, catalogue, currency, default_fx(today))
        low, high = (_rounded(Money(each, currency).times(sizing.choice.gpu_count)) for each in (price.low, price.high))
    except DataMissing:
        pass
    deadline_s = made.training.deadline_s if made.training and task is Task.TRAIN else None
    return Need(task=task, gpu_name=gpu.name, sizing=sizing, deadline_s=deadline_s, price_low=low, price_high=high)


def _change(draft: Draft, catalogue: Catalogue, now: Need) -> Change | None:
    """The same without the question saved last. None: it was the first, or it changed nothing."""
    saved = sorted(draft.questions.values(), key=lambda question: (question.updated_at is not None, question.updated_at))
    if not saved:
        return None
    last = saved[-1].question
    try:
        made = needs(draft.typed.without(BY_KEY[last].paths), draft.project, catalogue)
    except DomainError:
        return None
    tasks = _tasks(made)
    before = smallest(made, now.task, default_gpu(made, catalogue), catalogue) if now.task in tasks else None
    if before is None or not (before.meets and now.sizing.meets) or before.choice.gpu_count == now.sizing.choice.gpu_count:
        return None
    return Change(
        question=message(f"intake.question.{last}"), before_count=before.choice.gpu_count, after_count=now.sizing.choice.gpu_count
    )


def _rounded(money: Money) -> Money:
    """To two digits: a band, not an offer."""
    digits = money.amount.adjusted() - MONEY_DIGITS + 1
    return Money(money.amount.quantize(Decimal(1).scaleb(max(digits, 0)), ROUND_HALF_UP), money.currency)
