"""The live panel beside the questions: what the answers amount to, and what the last of them changed. While somebody types, the answers on the page
stand beside those that are saved."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.cost.quotes import ReferencePrice, reference_price
from app.domain.errors import DataMissing, DomainError, InvalidInput, Message, message
from app.domain.intake import Requirements
from app.domain.intake.draft import BY_KEY, Typed
from app.domain.money import Currency, FxRate, Money
from app.domain.workload.settings import Task
from app.seeds import default_fx
from app.services.estimates import Sizing, default_gpu, first_gpu, smallest
from app.services.intake import Draft, Usable, needs, usable
from app.services.least import least

MONEY_DIGITS = 2
NOTICEABLE_RATIO = 0.005  # a smaller change would be printed as the same number


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """What GPUs cost to buy with their share of servers, to two digits: a band, not an offer."""

    low: Money
    high: Money
    low_elsewhere: Money  # in the other currency, at the latest known rate
    high_elsewhere: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """The kind that does it for the least money, of `kind_count` that somebody quotes and some server may take; it may be the default kind."""

    gpu_name: str
    sizing: Sizing
    band: Band
    kind_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What answers did to a need: `before` is the need without them, deltas are None where nothing noticeable changed or nothing compares."""

    before: Sizing
    before_gpu_name: str | None  # where another kind is the default now: then counts and memory do not compare
    count: int | None = None
    memory_bytes: float | None = None
    duration_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """The fewest GPUs of the default kind for one task. `sizing` None: the method cannot size this model for the task."""

    task: Task
    gpu_name: str
    sizing: Sizing | None
    deadline_s: float | None = None
    band: Band | None = None  # None: nobody quoted a price
    least: Alternative | None = None
    change: Change | None = None
    is_new: bool = False  # nothing to compare with: the task was not asked for before
    safe_ratio: float = 1.0  # where the safe line stands on the card


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """The answers so far in numbers. `since` names the question whose answers made the changes; None: the page as it is being typed.

    `unusable` says, by field, which answers cannot be used as they stand: they count as saved, or as not given. No `needs`: no answer of any kind."""

    model: LanguageModel | OtherModel | None = None
    is_model_assumed: bool = False
    because: Message | None = None  # why it is sized on this kind of GPU
    needs: tuple[Need, ...] = ()
    since: Message | None = None
    unusable: Mapping[str, Message] = field(default_factory=dict)

    @property
    def changes(self) -> bool:
        """Whether there is a change to tell."""
        return any(need.change for need in self.needs)


def panel(draft: Draft, catalogue: Catalogue, today: date) -> Panel:
    """What is saved, and what the question saved last changed."""
    saved = sorted(draft.questions.values(), key=lambda question: (question.updated_at is not None, question.updated_at))
    try:
        now = usable(draft.typed, draft.project, catalogue)
    except InvalidInput:
        return Panel()
    if not saved:
        return _panel(now, None, None, draft.project.currency, catalogue, today)
    last = saved[-1].question
    try:
        before = needs(draft.typed.without(BY_KEY[last].paths), draft.project, catalogue)
    except DomainError:
        before = None
    return _panel(now, before, message(f"intake.question.{last}"), draft.project.currency, catalogue, today)


def typed_panel(draft: Draft, question: str, typed: Typed, catalogue: Catalogue, today: date) -> Panel:
    """What one page would amount to as it is typed, and what that changes to what is saved."""
    saved = draft.typed
    wanted = draft.retyped(question, typed)
    if all(wanted.text(path) == saved.text(path) for path in BY_KEY[question].paths):
        return panel(draft, catalogue, today)
    try:
        before = usable(saved, draft.project, catalogue).needs
        now = usable(wanted, draft.project, catalogue, otherwise=saved)
    except InvalidInput:
        return Panel()
    return _panel(now, before, None, draft.project.currency, catalogue, today)


def _panel(now: Usable, before: Requirements | None, since: Message | None, currency: Currency, catalogue: Catalogue, today: date) -> Panel:
    made = now.needs
    _, because = first_gpu(made, catalogue)
    return Panel(
        model=made.model,
        is_model_assumed=any(assumption.field == "model" for assumption in made.assumptions),
        because=because,
        needs=tuple(_need(made, before, task, catalogue, currency, today) for task in _tasks(made)),
        since=since,
        unusable=now.unusable,
    )


def _tasks(made: Requirements) -> tuple[Task, ...]:
    return tuple(task for task, asked in ((Task.TRAIN, made.training), (Task.INFER, made.inference)) if asked)


def _need(made: Requirements, before: Requirements | None, task: Task, catalogue: Catalogue, currency: Currency, today: date) -> Need:
    gpu = catalogue.gpu(default_gpu(made, catalogue))
    sizing = _smallest(made, task, catalogue)
    if sizing is None:
        return Need(task=task, gpu_name=gpu.name, sizing=None)
    band = None
    with suppress(DataMissing):
        fx = default_fx(today)
        band = _band(reference_price(gpu, catalogue, currency, fx), sizing.choice.gpu_count, fx)
    return Need(
        task=task,
        gpu_name=gpu.name,
        sizing=sizing,
        deadline_s=made.training.deadline_s if made.training and task is Task.TRAIN else None,
        band=band,
        least=_alternative(made, sizing, catalogue, currency, today),
        change=_change(sizing, before, task, catalogue) if before is not None else None,
        is_new=before is not None and task not in _tasks(before),
        safe_ratio=catalogue.policy("room.training" if task is Task.TRAIN else "room.serving"),
    )


def _alternative(made: Requirements, sizing: Sizing, catalogue: Catalogue, currency: Currency, today: date) -> Alternative | None:
    fx = default_fx(today)
    found = least(made, sizing, catalogue, currency, fx)
    if found is None:
        return None
    band = _band(found.price, found.sizing.choice.gpu_count, fx)
    return Alternative(gpu_name=found.gpu.name, sizing=found.sizing, band=band, kind_count=found.kind_count)


def _change(now: Sizing, before: Requirements, task: Task, catalogue: Catalogue) -> Change | None:
    """What became of the need. None: nothing noticeable, or the task is new."""
    was = _smallest(before, task, catalogue) if task in _tasks(before) else None
    if was is None:
        return None
    if was.choice.gpu != now.choice.gpu:
        return Change(before=was, before_gpu_name=catalogue.gpu(was.choice.gpu).name)
    count = now.choice.gpu_count - was.choice.gpu_count
    change = Change(
        before=was,
        before_gpu_name=None,
        count=count or None,
        memory_bytes=_difference(now.device_bytes, was.device_bytes),
        duration_s=_difference(now.duration_s, was.duration_s) if now.fits and was.fits else None,
    )
    nothing = change.count is None and change.memory_bytes is None and change.duration_s is None
    return None if nothing and was.meets == now.meets else change


def _difference(now: float | None, was: float | None) -> float | None:
    if not now or not was or abs(now / was - 1) < NOTICEABLE_RATIO:
        return None
    return now - was


@dataclass(frozen=True, slots=True, kw_only=True)
class _Key:
    needs: Requirements
    task: Task
    revision: str
    catalogue: Catalogue = field(compare=False)


def _smallest(made: Requirements, task: Task, catalogue: Catalogue) -> Sizing | None:
    """The fewest of the default kind; kept, because what is saved is compared with at every keystroke."""
    return _sized(_Key(needs=made, task=task, revision=catalogue.revision, catalogue=catalogue))


@lru_cache(maxsize=128)
def _sized(key: _Key) -> Sizing | None:
    return smallest(key.needs, key.task, default_gpu(key.needs, key.catalogue), key.catalogue)


def _band(price: ReferencePrice, gpu_count: int, fx: FxRate) -> Band:
    low, high = (Money(each, price.currency).times(gpu_count) for each in (price.low, price.high))
    return Band(
        low=_rounded(low), high=_rounded(high), low_elsewhere=_rounded(fx.elsewhere(low)), high_elsewhere=_rounded(fx.elsewhere(high))
    )


def _rounded(money: Money) -> Money:
    digits = money.amount.adjusted() - MONEY_DIGITS + 1
    return Money(money.amount.quantize(Decimal(1).scaleb(max(digits, 0)), ROUND_HALF_UP), money.currency)
