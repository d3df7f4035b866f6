"""The intake of a project: save one question, load the draft, make requirements of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from app.db import intake, projects
from app.db.engine import Session
from app.db.intake import SavedQuestion
from app.db.projects import ProjectRow
from app.domain.catalogue.catalogue import Catalogue
from app.domain.errors import DomainError, InvalidInput, Message, message
from app.domain.estimate import Assumption
from app.domain.intake import Requirements
from app.domain.intake.draft import BY_KEY, KEYS, MODEL_CONFIG, MODEL_FIELDS, Typed, read
from app.domain.intake.requirements import requirements
from app.domain.intake.summary import assumed_count, summary
from app.services import catalogue as catalogues
from app.services import projects as project_service
from app.services.models import TypedModel, read_model
from app.services.projects import SaveProject
from app.wire.intake import intake_json, parse_intake
from app.wire.intake_pages import typed_document

__all__ = ["SavedQuestion"]


MODEL_QUESTION = "model"
CONFIG_FILE = "model.hf_config_file"  # the field of a form that a config.json comes in


class AnswersRejected(InvalidInput):
    """Some fields of a question cannot stand; `errors` says which and why. Nothing was stored."""

    def __init__(self, errors: Mapping[str, Message]) -> None:
        first = next(iter(errors))
        super().__init__(first, errors[first].code, **errors[first].params)
        self.errors = errors


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveQuestion:
    """One question's page as a person sent it. `row_version` is what the page was made from, 0 when it was never saved.

    `config` is the text of a config.json that came with it: it answers the question about the model."""

    project_id: UUID
    question: str
    typed: Typed
    row_version: int
    config: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the intake is: open, started, done, or broken where an answer that was fine is so no longer."""

    state: str
    said: Message | None = None
    remark: Message | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usable:
    """What could be made of answers that may be half typed, and why each field in `unusable` could not be used as it stands."""

    needs: Requirements
    unusable: Mapping[str, Message]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """All questions of a project as last saved."""

    project: ProjectRow
    questions: Mapping[str, SavedQuestion] = field(default_factory=dict)

    def question(self, key: str) -> SavedQuestion:
        """A question as saved, or as never touched."""
        return self.questions.get(key) or SavedQuestion(question=key)

    @property
    def typed(self) -> Typed:
        """Everything typed on all pages."""
        typed = Typed()
        for saved in self.questions.values():
            typed = typed.merged(saved.typed)
        return typed

    def retyped(self, question: str, typed: Typed) -> Typed:
        """Everything typed on all pages, one of them as it stands in a form that was not saved yet."""
        others = {key: saved for key, saved in self.questions.items() if key != question}
        return Draft(project=self.project, questions=others).typed.merged(typed)

    @property
    def answered(self) -> tuple[str, ...]:
        """The questions that were saved at least once, in order."""
        return tuple(key for key in KEYS if key in self.questions)

    @property
    def next_open(self) -> str | None:
        """The first question nobody saved yet."""
        return next((key for key in KEYS if key not in self.questions), None)


def load(session: Session, project_id: UUID) -> Draft:
    """The draft of a project. NotFound: there is no such project."""
    return Draft(project=projects.get(session, project_id), questions=intake.of_project(session, project_id))


def start_project(session: Session, command: SaveProject, owner_id: UUID, config: str) -> UUID:
    """A new project, its model described where a config.json came with the form. Conflict: the name is taken; InvalidInput: the file cannot be used."""
    with session.begin_nested():
        project_id = project_service.start_project(session, command, owner_id)
        if config:
            model = SaveQuestion(project_id=project_id, question=MODEL_QUESTION, typed=Typed(texts={MODEL_CONFIG: config}), row_version=0)
            try:
                save_question(session, model, catalogues.current(session))
            except AnswersRejected as error:
                said = error.errors[MODEL_CONFIG]
                raise InvalidInput(CONFIG_FILE, said.code, **said.params) from None
    return project_id


def save_question(session: Session, command: SaveQuestion, catalogue: Catalogue) -> None:
    """Stores one question. AnswersRejected: fields that cannot be read or contradict each other; Conflict: somebody saved it meanwhile."""
    draft = load(session, command.project_id)
    paths, typed = BY_KEY[command.question].paths, draft.retyped(command.question, command.typed)
    model = draft.question(MODEL_QUESTION)
    described = model.typed.without((MODEL_CONFIG,)).merged(Typed(texts={MODEL_CONFIG: command.config}))
    if command.config:
        paths, typed = (*paths, MODEL_CONFIG), typed.without((MODEL_CONFIG,)).merged(Typed(texts={MODEL_CONFIG: command.config}))
    unusable = usable(typed, draft.project, catalogue).unusable
    errors = {path: unusable[path] for path in paths if path in unusable}
    if errors:
        raise AnswersRejected(errors)
    with session.begin_nested():
        intake.save(session, command.project_id, command.question, command.typed, command.row_version)
        if command.config:
            intake.save(session, command.project_id, MODEL_QUESTION, described, model.row_version)


def requirements_of(session: Session, project_id: UUID, catalogue: Catalogue) -> Requirements:
    """What the project needs, gaps filled by assumptions. InvalidInput: an answer that was fine is so no longer (a server left the catalogue)."""
    draft = load(session, project_id)
    return needs(draft.typed, draft.project, catalogue)


def needs(typed: Typed, project: ProjectRow, catalogue: Catalogue) -> Requirements:
    """The requirements that typed answers of a project amount to. InvalidInput: some cannot be read."""
    found = read(typed, project.currency)
    model = read_model(typed, catalogue)
    for path, said in {**found.errors, **model.errors}.items():
        raise InvalidInput(path, said.code, **said.params)
    answers = {**found.answers, "name": project.name}
    return requirements(answers, catalogue, model=model.model, tasks=found.tasks, assumptions=model.assumptions)


def usable(typed: Typed, project: ProjectRow, catalogue: Catalogue, otherwise: Typed | None = None) -> Usable:
    """The requirements of whatever can be used. A field that cannot counts as in `otherwise` (what is saved, say), then as unanswered.

    InvalidInput: what is wrong is not in a field of the pages."""
    unusable: dict[str, Message] = {}
    while True:
        errors: dict[str, Message] = {**read(typed, project.currency).errors, **read_model(typed, catalogue).errors}
        try:
            if not errors:
                return Usable(needs=needs(typed, project, catalogue), unusable=unusable)
        except InvalidInput as error:
            if not typed.text(error.field):
                raise
            errors = {error.field: error.message}
        for path, said in errors.items():
            gone = MODEL_FIELDS if path in MODEL_FIELDS and not typed.text(path) else (path,)  # a size may have been typed as the name
            before = {each: otherwise.texts.get(each, "") if otherwise and path not in unusable else "" for each in gone}
            typed = typed.without(gone).merged(Typed(texts=before))
            unusable.setdefault(path, said)


def save_document(session: Session, project_id: UUID, document: Any, catalogue: Catalogue) -> None:
    """Replaces all five questions by the contract's intake document; name and currency stay the project's. InvalidInput: names the field."""
    parse_intake(document, catalogue)
    draft = load(session, project_id)
    with session.begin_nested():
        for key, typed in typed_document(document).items():
            version = draft.question(key).row_version
            save_question(session, SaveQuestion(project_id=project_id, question=key, typed=typed, row_version=version), catalogue)


def progress(session: Session, project_id: UUID) -> Progress:
    """For the rail: the need in one line once the model or the task is known."""
    draft = load(session, project_id)
    if not draft.answered:
        return Progress("open")
    counted = message("intake.rail.started", answered=len(draft.answered), asked=len(KEYS))
    try:
        made = needs(draft.typed, draft.project, catalogues.current(session))
    except DomainError:
        return Progress("broken", remark=message("intake.rail.broken"))
    said = summary(made) if {"model", "training"} & draft.questions.keys() else None
    if draft.next_open:
        return Progress("started", said, counted)
    assumed = assumed_count(made)
    return Progress("done", said, message("intake.rail.complete_assumed", assumed=assumed) if assumed else message("intake.rail.complete"))


def document(draft: Draft, catalogue: Catalogue) -> dict[str, Any]:
    """The draft as the contract's intake document."""
    found = read(draft.typed, draft.project.currency)
    answers = {**found.answers, "name": draft.project.name}
    return intake_json(answers, read_model(draft.typed, catalogue).document, found.tasks)


def assumed_if_unknown(draft: Draft, question: str, catalogue: Catalogue) -> Mapping[str, Assumption]:
    """What would be assumed for each field of a question if nobody knew it, everything else as saved."""
    try:
        made = needs(draft.typed.without(_own_fields(question)), draft.project, catalogue)
    except InvalidInput:
        return {}
    return {assumption.field: assumption for assumption in made.assumptions}


def typed_model(draft: Draft, catalogue: Catalogue) -> TypedModel:
    """The model that the draft names, as far as it can be read."""
    return read_model(draft.typed, catalogue)


def _own_fields(question: str) -> tuple[str, ...]:
    """The fields of a question, the choice between training and serving left out: it decides what there is to assume."""
    return tuple(path for path in BY_KEY[question].paths if path != "tasks")
