"""“Check your answers”: every field with its answer or what is assumed for it, doubts, and how much each assumption matters."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.models import LanguageModel
from app.domain.errors import InvalidInput, Message, message
from app.domain.estimate import Assumption
from app.domain.intake import Requirements
from app.domain.intake.draft import BY_KEY, KEYS, MODEL_CONFIG, MODEL_FIELDS, MODEL_NAME, TASKS, Typed, read
from app.domain.intake.fields import BY_PATH, Answer
from app.domain.intake.summary import assumed_count, summary
from app.domain.money import Money
from app.services.effects import Effect, effects
from app.services.intake import Draft, needs
from app.text.formats import money
from app.text.render import render
from app.web.forms.intake import AssumptionView, assumption_view, label_of, shown, shown_text
from app.web.forms.intake_steps import QuestionStep, question_steps
from app.web.locale import current_locale


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """One field: the answer as understood, or what is assumed; `typed` where it was written another way."""

    path: str
    label: str
    value: str = ""
    typed: str = ""
    assumption: AssumptionView | None = None
    effect: Effect | None = None
    other: str = ""  # the value whose effect is shown
    doubt: Message | None = None
    error: Message | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One question's answers."""

    key: str
    name: Message
    is_saved: bool
    rows: tuple[AnswerRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckView:
    """The whole draft. `said` is the need in one line; without it an answer must be corrected first."""

    steps: tuple[QuestionStep, ...]
    sections: tuple[Section, ...]
    said: Message | None
    assumed_count: int
    open_keys: tuple[str, ...]
    problem: Message | None = None
    problem_field: str = ""


def check_view(draft: Draft, catalogue: Catalogue) -> CheckView:
    """The draft for reading."""
    made: Requirements | None = None
    problem: InvalidInput | None = None
    try:
        made = needs(draft.typed, draft.project, catalogue)
    except InvalidInput as error:
        problem = error
    weights = effects(made, catalogue) if made else {}
    return CheckView(
        steps=question_steps(draft.answered),
        sections=tuple(_section(key, draft, catalogue, made, problem, weights) for key in KEYS),
        said=summary(made) if made else None,
        assumed_count=assumed_count(made) if made else 0,
        open_keys=tuple(key for key in KEYS if key not in draft.questions),
        problem=problem.message if problem else None,
        problem_field=label_of(problem.field) if problem else "",
    )


def _section(
    key: str,
    draft: Draft,
    catalogue: Catalogue,
    made: Requirements | None,
    problem: InvalidInput | None,
    weights: Mapping[str, Effect],
) -> Section:
    typed = draft.typed
    answers = read(typed, draft.project.currency).answers
    assumed = {assumption.field: assumption for assumption in made.assumptions} if made else {}
    doubts = {doubt.field: doubt.text for doubt in made.contradictions} if made else {}
    rows = []
    for path in BY_KEY[key].paths:
        row = _row(path, typed, answers, assumed, weights, catalogue)
        if row is not None and path == MODEL_CONFIG and made is not None and isinstance(made.model, LanguageModel) and not row.assumption:
            row = replace(row, value=_read_from_config(made.model))
        if row is not None:
            error = problem.message if problem is not None and problem.field == path else None
            rows.append(row if not (path in doubts or error) else _marked(row, doubts.get(path), error))
    return Section(key=key, name=message(f"intake.question.{key}"), is_saved=key in draft.questions, rows=tuple(rows))


def _row(
    path: str,
    typed: Typed,
    answers: Mapping[str, Answer],
    assumed: Mapping[str, Assumption],
    weights: Mapping[str, Effect],
    catalogue: Catalogue,
) -> AnswerRow | None:
    """None: nothing was said and nothing had to be assumed, so there is nothing to read."""
    text = typed.text(path)
    if text and (path in answers or path in (*MODEL_FIELDS, TASKS)):
        value = _understood(path, text, answers, catalogue)
        return AnswerRow(
            path=path, label=label_of(path), value=value, typed=text if path in BY_PATH and _says_more(path, text, value) else ""
        )
    assumption = assumed.get({TASKS: "training", MODEL_NAME: "model"}.get(path, path))
    if assumption is None:
        return None
    effect = weights.get(assumption.field)
    other = shown(path, effect.other) if effect else ""
    return AnswerRow(path=path, label=label_of(path), assumption=assumption_view(assumption), effect=effect, other=other)


def _read_from_config(model: LanguageModel) -> str:
    """What the file said, so that nobody needs to open it."""
    said = message(
        "intake.read_from_config",
        parameters_many=model.parameter_count,
        layers=model.layer_count,
        hidden=model.hidden,
        heads=model.head_count,
        vocabulary=model.vocab,
    )
    return render(said, current_locale())


def _understood(path: str, text: str, answers: Mapping[str, Answer], catalogue: Catalogue) -> str:
    value = answers.get(path)
    if isinstance(value, Money):
        return money(value, current_locale(), cents=False)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return shown(path, BY_PATH[path].written(float(value)))
    return shown_text(path, text, catalogue)


def _says_more(path: str, text: str, value: str) -> bool:
    """Whether a number was written otherwise than it is shown: then both are, so that a misreading is seen."""
    digits = "".join(character for character in value if character.isdigit())
    return BY_PATH[path].kind in ("number", "whole", "money") and "".join(character for character in text if character.isdigit()) != digits


def _marked(row: AnswerRow, doubt: Message | None, error: Message | None) -> AnswerRow:
    return replace(row, doubt=doubt, error=error)
