"""The methodology, read from the code that computes: every formula as its derivation writes it, what docstrings say about it, every constant with
its source, the rules of diagnosis with their thresholds, and what is refused. Nothing here is written a second time; page and document show it."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from re import findall

from app.domain.cost.line import LineKind
from app.domain.cost.lines import LINES
from app.domain.diagnosis.policy import POLICY
from app.domain.diagnosis.registry import NOT_YET, RULES
from app.seeds import load_catalogue
from app.services.methodology.formulas import Formula, capacity_formulas, cost_formulas
from app.services.methodology.limits import Refusal, refusals
from app.services.methodology.sources import Constant, Explained, Module, constants, explanations, module_text, texts

METHOD = tuple(
    f"app.domain.{name}"
    for name in (
        "capacity",
        "workload.defaults",
        "intake.defaults",
        "intake.workloads",
        "selection",
        "cost",
        "catalogue",
        "sheet.acceptance",
    )
)
RULE = r"R-[DMTS]\d+"


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """One limit of a diagnosis rule."""

    name: str
    value: float
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosisRule:
    """A rule that reads telemetry: what it looks for, and its limits."""

    id: str
    text: str
    thresholds: tuple[Threshold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the cost table with the formulas of its derivation."""

    key: str
    kind: LineKind
    text: Explained | None
    formulas: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A rule of the handbook and the places that carry it out."""

    rule: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Methodology:
    """All of it, in reading order."""

    formulas: tuple[Formula, ...]
    explained: tuple[Module, ...]
    selection: tuple[Module, ...]
    lines: tuple[Line, ...]
    cost: tuple[Module, ...]
    diagnosis: tuple[DiagnosisRule, ...]
    thresholds: tuple[Threshold, ...]  # of no single rule: confidence, idle, healthy
    unread_rules: tuple[tuple[str, str], ...]
    constants: tuple[Constant, ...]
    refusals: tuple[Refusal, ...]
    rules: tuple[Named, ...]


@cache
def methodology() -> Methodology:
    """Read once a process: the code does not change under it."""
    catalogue = load_catalogue()
    formulas, of_lines = capacity_formulas(catalogue), cost_formulas(catalogue)
    own = {rule.id: _rule(rule.id, module_text(rule.judge.__module__)) for rule in RULES}
    made = Methodology(
        formulas=formulas,
        explained=explanations("app.domain.capacity", "app.domain.workload", "app.domain.estimate"),
        selection=explanations("app.domain.intake", "app.domain.selection"),
        lines=tuple(
            Line(key=line.key, kind=line.kind, text=Explained.of(line.compute), formulas=of_lines.get(line.key, ())) for line in LINES
        ),
        cost=explanations("app.domain.cost", "app.domain.catalogue"),
        diagnosis=tuple(own[rule] for rule in sorted(own)),
        thresholds=_thresholds(lambda rules: not any(rule in own for rule in rules)),
        unread_rules=tuple(NOT_YET.items()),
        constants=constants(*METHOD),
        refusals=refusals(catalogue),
        rules=(),
    )
    return Methodology(**{name: getattr(made, name) for name in Methodology.__dataclass_fields__ if name != "rules"}, rules=_index(made))


def _rule(rule: str, text: str) -> DiagnosisRule:
    return DiagnosisRule(id=rule, text=text.removeprefix(f"{rule}: "), thresholds=_thresholds(lambda rules: rule in rules))


def _thresholds(wanted: Callable[[tuple[str, ...]], bool]) -> tuple[Threshold, ...]:
    return tuple(Threshold(name=name, value=limit.value, source=limit.source) for name, limit in POLICY.items() if wanted(limit.rules))


def _index(made: Methodology) -> tuple[Named, ...]:
    places: dict[str, dict[str, None]] = defaultdict(dict)

    def note(texts: Iterable[str | None], place: str) -> None:
        for rule in findall(RULE, " ".join(text or "" for text in texts)):
            places[rule][place] = None

    for formula in made.formulas:
        note([formula.rule], formula.key)
    for module in (*made.explained, *made.selection, *made.cost):
        note([module.text], module.name)
        for entry in module.entries:
            note([entry.text, entry.source, entry.valid], f"{module.name}.{entry.name}")
    for line in made.lines:
        note([line.text.text if line.text else None], f"cost.{line.key}")
    for diagnosis in made.diagnosis:
        note([diagnosis.id], diagnosis.id)
    for constant in made.constants:
        note([constant.comment], f"{constant.module}.{constant.name}")
    for rule, why in made.unread_rules:
        note([rule], why)
    for name, source in texts("app.domain"):
        for rule in findall(RULE, source):
            if not any(place == rule or place.startswith(name) for place in places[rule]):
                places[rule][name] = None
    order = sorted(places, key=lambda rule: ("DMTS".index(rule[2]), int(rule[3:])))
    return tuple(Named(rule=rule, places=tuple(places[rule])) for rule in order)
