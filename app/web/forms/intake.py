"""The question pages' fields: what a form sent, and what each field shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from starlette.datastructures import FormData, QueryParams, UploadFile

from app.domain.catalogue.catalogue import Catalogue
from app.domain.errors import Message, message
from app.domain.estimate import Assumption
from app.domain.intake.draft import BY_KEY, MODEL_CONFIG, MODEL_NAME, MODEL_PARAMETERS, TASK_CHOICES, TASKS, Typed
from app.domain.intake.fields import BY_PATH, FRAMEWORKS, Kind
from app.domain.intake.reading import REPLACED
from app.domain.money import Currency
from app.services.intake import CONFIG_FILE
from app.text.formats import significant
from app.text.render import render
from app.text.words import words
from app.web.locale import current_locale

UNKNOWN, VERSION, SEEN, CONFIG_KEPT = "unknown", "row_version", "seen", "config_kept"
SERVERS = "operations.servers"
LARGEST_FILE_BYTES = 200_000
MANY = (TASKS, SERVERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumptionView:
    """What stands in for an answer: the value as it would be written (none: nothing binds), and why."""

    value: str
    why: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """One field of a page. `theirs` is what somebody else saved meanwhile; `is_taken` where the reader had not touched it, so that it stands there."""

    path: str
    control: str  # text | choice | many | list | area
    label: Message
    hint: Message
    unit: str
    is_number: bool
    text: str
    options: tuple[tuple[str, str], ...] = ()
    suggestions: tuple[str, ...] = ()
    is_unknown: bool = False
    shows_assumption: bool = False
    error: str = ""
    assumption: AssumptionView | None = None
    theirs: str | None = None
    is_taken: bool = False

    @property
    def chosen(self) -> tuple[str, ...]:
        """The ticked values of a field that takes many."""
        return tuple(self.text.split(","))


def read_form(question: str, form: FormData | QueryParams) -> Typed:
    """What was typed into the fields of one question. A chosen config.json replaces pasted text."""
    texts: dict[str, str] = {}
    for path in BY_KEY[question].paths:
        sent = [value for value in form.getlist(path) if isinstance(value, str)]
        texts[path] = _clean(",".join(sent) if path in MANY else sent[-1] if sent else "")
    if question == "model" and (config := read_config(form)):
        texts[MODEL_CONFIG] = config
    unknown = frozenset(str(path) for path in form.getlist(UNKNOWN)) & frozenset(BY_KEY[question].paths)
    return Typed(texts={path: text for path, text in texts.items() if text}, unknown=unknown)


def read_config(form: FormData | QueryParams) -> str:
    """The text of the config.json that came with a form, or that came with it before and is sent along."""
    file = form.get(CONFIG_FILE)
    if isinstance(file, UploadFile) and file.filename:
        return _clean(file.file.read(LARGEST_FILE_BYTES + 1).decode("utf-8", errors="replace"))
    kept = form.get(CONFIG_KEPT)
    return _clean(kept) if isinstance(kept, str) else ""


def read_query(question: str, query: QueryParams, saved: Typed) -> Typed:
    """The fields of one question as an address carries them while somebody types. A pasted config.json is too long for one: it stays as saved."""
    if not query.keys() & {*BY_KEY[question].paths, UNKNOWN}:
        return saved
    return Typed(texts={path: text for path, text in saved.texts.items() if path == MODEL_CONFIG}).merged(read_form(question, query))


def seen(question: str, typed: Typed) -> str:
    """A short mark of what each field showed when the page was made, to tell later which ones somebody touched."""
    return " ".join(_mark(path, typed) for path in BY_KEY[question].paths)


def taken_over(question: str, form: FormData, typed: Typed, theirs: Typed) -> tuple[Typed, frozenset[str]]:
    """What was typed, except that fields which nobody touched since the page was made stand as somebody else saved them; and which those are."""
    sent = form.get(SEEN)
    marks = sent.split(" ") if isinstance(sent, str) else []
    taken = frozenset(
        path
        for path, mark in zip(BY_KEY[question].paths, marks, strict=False)
        if mark == _mark(path, typed) and mark != _mark(path, theirs)
    )
    texts = {path: theirs.texts[path] for path in taken if path in theirs.texts}
    return typed.without(tuple(taken)).merged(Typed(texts=texts, unknown=theirs.unknown & taken)), taken


def _mark(path: str, typed: Typed) -> str:
    return sha256(f"{path in typed.unknown} {typed.texts.get(path, '')}".encode()).hexdigest()[:8]


def version(form: FormData) -> int:
    """The row version that the page was made from; what is not a number counts as never saved."""
    sent = form.get(VERSION)
    return int(sent) if isinstance(sent, str) and sent.isdecimal() and len(sent) < 10 else 0


def field_views(
    question: str,
    typed: Typed,
    catalogue: Catalogue,
    assumptions: Mapping[str, Assumption],
    *,
    currency: Currency,
    is_saved: bool = False,
    errors: Mapping[str, Message] | None = None,
    theirs: Typed | None = None,
    taken: frozenset[str] = frozenset(),
) -> tuple[FieldView, ...]:
    """The fields of a page in reading order."""
    made = []
    for path in BY_KEY[question].paths:
        text = typed.texts.get(path, "")
        is_unknown = path in typed.unknown
        said = (errors or {}).get(path)
        assumed = assumptions.get("training" if path == TASKS else "model" if path == MODEL_NAME else path)
        made.append(
            FieldView(
                path=path,
                control=_control(path),
                label=message(f"intake.label.{path}"),
                hint=message(f"intake.hint.{path}"),
                unit=unit_of(path) or (currency.value if path == "operations.budget" else ""),
                is_number=path == MODEL_PARAMETERS or (path in BY_PATH and BY_PATH[path].kind in (Kind.NUMBER, Kind.WHOLE, Kind.MONEY)),
                text=text,
                options=_options(path, catalogue),
                suggestions=_suggestions(path, catalogue),
                is_unknown=is_unknown,
                shows_assumption=is_unknown or (is_saved and not text),
                error=render(said, current_locale()) if said else "",
                assumption=assumption_view(assumed) if assumed else None,
                theirs=_theirs(path, theirs, catalogue)
                if theirs and (path in taken or _mark(path, theirs) != _mark(path, typed))
                else None,
                is_taken=path in taken,
            )
        )
    return tuple(made)


def assumption_view(assumption: Assumption) -> AssumptionView:
    """An assumption for people."""
    value = assumption.value
    return AssumptionView(value="" if value is None else shown(assumption.field, value), why=assumption.why)


def label_of(path: str) -> str:
    """A field's label in the reader's language; the contract's name where the pages do not ask for it."""
    path = {"training": TASKS, "model": MODEL_NAME}.get(path, path)
    code = f"intake.label.{path}"
    return render(message(code), current_locale()) if code in words() else path


def unit_of(path: str) -> str:
    """The unit that stands inside a field."""
    code = f"intake.unit.{path}"
    return render(message(code), current_locale()) if code in words() else ""


def shown(path: str, value: str | int | float | bool) -> str:
    """A value in the contract's unit as people read it."""
    locale = current_locale()
    if isinstance(value, bool):
        return render(message("intake.yes" if value else "intake.no"), locale)
    if isinstance(value, int | float):
        return f"{significant(float(value), locale)} {unit_of(path)}".strip()
    code = f"intake.choice.{TASKS if path == 'training' else path}.{'training' if path == 'training' else value}"
    return render(message(code), locale) if code in words() else value


def shown_text(path: str, text: str, catalogue: Catalogue) -> str:
    """Typed text for reading back: labels instead of keys."""
    if path == SERVERS:
        names = {server.slug: server.name for server in catalogue.servers}
        return ", ".join(names.get(slug, slug) for slug in text.split(",") if slug)
    if path == TASKS:
        return ", ".join(label for value, label in _options(TASKS, catalogue) if value in text.split(","))
    if path == MODEL_CONFIG and text:
        return "config.json"
    return dict(_options(path, catalogue)).get(text, text)


def _theirs(path: str, theirs: Typed, catalogue: Catalogue) -> str:
    if path in theirs.unknown:
        return render(message("intake.dont_know"), current_locale())
    return shown_text(path, theirs.texts.get(path, ""), catalogue)


def _control(path: str) -> str:
    if path == MODEL_CONFIG:
        return "area"
    if path == SERVERS:
        return "list"
    if path == TASKS:
        return "many"
    kind = BY_PATH[path].kind if path in BY_PATH else Kind.TEXT
    return "choice" if kind in (Kind.CHOICE, Kind.FLAG) else "text"


def _options(path: str, catalogue: Catalogue) -> tuple[tuple[str, str], ...]:
    if path == SERVERS:
        return tuple((server.slug, server.name) for server in sorted(catalogue.servers, key=lambda server: server.name.casefold()))
    field = BY_PATH.get(path)
    if field is not None and field.kind is Kind.FLAG:
        return tuple((value, render(message(f"intake.{key}"), current_locale())) for value, key in (("true", "yes"), ("false", "no")))
    choices = TASK_CHOICES if path == TASKS else field.choices if field is not None else ()
    return tuple((choice, render(message(f"intake.choice.{path}.{choice}"), current_locale())) for choice in choices)


def _suggestions(path: str, catalogue: Catalogue) -> tuple[str, ...]:
    if path == MODEL_NAME:
        return tuple(sorted({*(model.name for model in catalogue.language_models), *(model.name for model in catalogue.other_models)}))
    return FRAMEWORKS if path == "software.framework" else ()


def _clean(text: str) -> str:
    """Without the characters that no database text holds."""
    return text.replace("\x00", REPLACED).strip()
