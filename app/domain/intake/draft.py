"""The five question pages: which fields each shows, and what people typed there turned into answers, every mistake kept beside its field."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from app.domain.errors import InvalidInput, Message
from app.domain.intake.fields import BY_PATH, Answer, Answers
from app.domain.intake.reading import read_typed
from app.domain.money import Currency

TASKS = "tasks"  # training, inference or both, from question 3
MODEL_NAME, MODEL_PARAMETERS, MODEL_CONFIG = "model.name", "model.params_b", "model.hf_config"
MODEL_FIELDS = (MODEL_NAME, MODEL_PARAMETERS, MODEL_CONFIG)
TASK_CHOICES = ("training", "inference")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One page: the fields everybody sees, and those behind “more”."""

    key: str
    fields: tuple[str, ...]
    more: tuple[str, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """All fields in reading order."""
        return self.fields + self.more


QUESTIONS = (
    Question(key="data", fields=("data.total_tb", "data.sample_mb", "data.storage_gbps", "data.stall"), more=("data.workers_tried",)),
    Question(key="model", fields=(MODEL_NAME, MODEL_PARAMETERS), more=(MODEL_CONFIG,)),
    Question(
        key="training",
        fields=(TASKS, "training.kind", "training.method", "training.samples", "training.deadline_days", "inference.qps"),
        more=(
            "training.seq_len",
            "training.precision",
            "training.epochs",
            "training.runs_per_year",
            "inference.in_len",
            "inference.out_len",
            "inference.ttft_ms",
            "inference.tpot_ms",
            "inference.concurrency",
            "inference.weight_precision",
        ),
    ),
    Question(
        key="software",
        fields=("software.framework", "software.framework_version", "software.cuda", "software.libraries"),
        more=("software.fips_140", "software.hypervisor"),
    ),
    Question(
        key="operations",
        fields=("operations.servers", "operations.environment", "operations.rack_kw", "operations.budget"),
        more=(
            "years",
            "operations.growth_ratio_6m",
            "operations.always_on",
            "operations.allow_desktop",
            "operations.cooling",
            "operations.rack_amps",
            "operations.rack_volts",
        ),
    ),
)
BY_KEY: Mapping[str, Question] = MappingProxyType({question.key: question for question in QUESTIONS})
KEYS = tuple(BY_KEY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What stands in the fields of some questions, as typed, and which were answered with “don't know”."""

    texts: Mapping[str, str] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()

    def text(self, path: str) -> str:
        """The text that counts: nothing where “don't know” is ticked."""
        return "" if path in self.unknown else self.texts.get(path, "").strip()

    def merged(self, other: "Typed") -> "Typed":
        """These fields with those of another page added."""
        return Typed(texts={**self.texts, **other.texts}, unknown=self.unknown | other.unknown)

    def without(self, paths: tuple[str, ...]) -> "Typed":
        """The same with some fields never answered."""
        gone = set(paths)
        return Typed(texts={path: text for path, text in self.texts.items() if path not in gone}, unknown=self.unknown - gone)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """Typed text made into answers; `errors` says, by field, what could not be read."""

    answers: Answers
    tasks: tuple[str, ...]
    errors: Mapping[str, Message]


def read(typed: Typed, currency: Currency) -> Read:
    """All fields but the model's. Answers about training or serving count only where that is asked for."""
    answers: dict[str, Answer] = {"currency": currency.value}
    errors: dict[str, Message] = {}
    for path in BY_PATH.keys() & {path for path in typed.texts if typed.text(path)}:
        try:
            answers[path] = read_typed(BY_PATH[path], typed.text(path), currency)
        except InvalidInput as error:
            errors[path] = error.message
    tasks = tuple(task for task in TASK_CHOICES if task in typed.text(TASKS).split(","))
    unwanted = set(TASK_CHOICES) - set(tasks) if tasks else set()
    kept = {path: value for path, value in answers.items() if path.partition(".")[0] not in unwanted}
    return Read(answers=kept, tasks=tasks, errors={path: said for path, said in errors.items() if path.partition(".")[0] not in unwanted})
