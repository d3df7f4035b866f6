"""Every question once: its path in the contract, the unit it is written in there, and the values it may take.

The JSON reader, the question pages and “check your answers” all walk this table. Limits are sanity limits (nobody asks for more), in base units.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType

from app.domain.intake import numbers
from app.domain.intake.numbers import Units
from app.domain.money import Currency, Money
from app.domain.units import GIGA, KILO, TERA, as_ms, days, gb_per_s, hours, kw, mb, ms, tb

Answer = str | int | float | bool | tuple[str, ...] | Money
Answers = Mapping[str, Answer]  # by contract path, in base units; a missing path is "don't know"


class Kind(StrEnum):
    """What sort of answer a field takes."""

    NUMBER = "number"
    WHOLE = "whole"
    CHOICE = "choice"
    FLAG = "flag"
    TEXT = "text"
    LIST = "list"
    MONEY = "money"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One answer. `one` is what a bare 1 in the contract is in base units; `unit` is the same for what people type; limits are inclusive."""

    path: str
    kind: Kind
    one: float = 1
    unit: str = ""
    units: Units = dataclass_field(default_factory=lambda: numbers.COUNT)
    low: float = 0
    high: float = float("inf")
    choices: tuple[str, ...] = ()
    max_length: int = 80

    @property
    def section(self) -> str:
        """The contract's object that holds the field; empty at the top."""
        return self.path.rpartition(".")[0]

    @property
    def key(self) -> str:
        """The field's name inside its section."""
        return self.path.rpartition(".")[2]

    def written(self, value: float) -> float | int:
        """A value in base units as the contract writes it: in the field's unit."""
        number = float(Decimal(repr(value)) / Decimal(repr(self.one)))
        return int(number) if number.is_integer() and abs(number) < TERA * KILO else number


_ANY = 1e-9  # more than nothing
STALLS = ("disk", "decode", "cpu", "none")
KINDS = ("pretrain", "finetune")
METHODS = ("full", "lora", "qlora4", "qlora8", "freeze")
TRAINING_PRECISIONS = ("fp32", "fp16-mixed", "bf16-mixed", "pure-bf16", "fp8-mixed", "mxfp8-mixed", "nvfp4-mixed")
WEIGHT_PRECISIONS = ("fp32", "fp16", "bf16", "fp8", "int8", "fp4", "int4")
ENVIRONMENTS = ("development", "production")
COOLINGS = ("air", "liquid")
FRAMEWORKS = ("pytorch", "tensorflow", "jax", "paddlepaddle", "mindspore")
CURRENCIES = tuple(currency.value for currency in Currency)


def _number(path: str, high: float, *, low: float = _ANY, one: float = 1, unit: str = "", units: Units = numbers.COUNT) -> Field:
    return Field(path=path, kind=Kind.NUMBER, low=low * one, high=high * one, one=one, unit=unit, units=units)


def _whole(path: str, high: float, *, low: float = 1, units: Units = numbers.COUNT) -> Field:
    return Field(path=path, kind=Kind.WHOLE, low=low, high=high, units=units)


def _choice(path: str, choices: tuple[str, ...]) -> Field:
    return Field(path=path, kind=Kind.CHOICE, choices=choices)


def _duration(path: str, high: float, *, one: float, unit: str) -> Field:
    return _number(path, high, one=one, unit=unit, units=numbers.SECONDS)


FIELDS = (
    Field(path="name", kind=Kind.TEXT, max_length=120),
    _choice("currency", CURRENCIES),
    _whole("years", 15),
    _number("data.total_tb", 1e6, one=tb(1), unit="tb", units=numbers.BYTES),
    _number("data.sample_mb", 1e8, one=mb(1), unit="mb", units=numbers.BYTES),
    _number("data.storage_gbps", 1e5, one=gb_per_s(1), unit="gb/s", units=numbers.BYTES_PER_S),
    _choice("data.stall", STALLS),
    _whole("data.workers_tried", 4096, low=0),
    _choice("training.kind", KINDS),
    _choice("training.method", METHODS),
    _choice("training.precision", TRAINING_PRECISIONS),
    _whole("training.seq_len", 1e7, units=numbers.TOKENS),
    _number("training.samples", TERA * KILO, low=1),
    _number("training.epochs", 1e4),
    _duration("training.deadline_days", 3650, one=days(1), unit="d"),
    _number("training.runs_per_year", 1e6),
    _number("inference.qps", 1e8),
    _whole("inference.in_len", 1e7, units=numbers.TOKENS),
    _whole("inference.out_len", 1e7, units=numbers.TOKENS),
    _duration("inference.ttft_ms", as_ms(hours(1)), one=ms(1), unit="ms"),
    _duration("inference.tpot_ms", 1e5, one=ms(1), unit="ms"),
    _choice("inference.weight_precision", WEIGHT_PRECISIONS),
    _number("inference.concurrency", GIGA, low=1),
    Field(path="software.framework", kind=Kind.TEXT),
    Field(path="software.framework_version", kind=Kind.TEXT, max_length=40),
    Field(path="software.cuda", kind=Kind.TEXT, max_length=40),
    Field(path="software.libraries", kind=Kind.LIST),
    Field(path="software.fips_140", kind=Kind.FLAG),
    Field(path="software.hypervisor", kind=Kind.TEXT),
    Field(path="operations.servers", kind=Kind.LIST),
    _choice("operations.environment", ENVIRONMENTS),
    Field(path="operations.allow_desktop", kind=Kind.FLAG),
    _number("operations.rack_kw", 2000, one=kw(1), unit="kw", units=numbers.WATTS),
    _number("operations.rack_amps", 5000, unit="a", units=numbers.AMPERES),
    _number("operations.rack_volts", 1000, low=12, unit="v", units=numbers.VOLTS),
    _choice("operations.cooling", COOLINGS),
    Field(path="operations.always_on", kind=Kind.FLAG),
    _number("operations.growth_ratio_6m", 100, low=0.01, units=numbers.RATIO),
    Field(path="operations.budget", kind=Kind.MONEY, low=0.01, high=1e13),
)
BY_PATH: Mapping[str, Field] = MappingProxyType({field.path: field for field in FIELDS})
SECTIONS = ("data", "training", "inference", "software", "operations")
MODEL = "model"  # the one answer that is not a value: a language model, another model, or a parameter count
MAX_LIST = 50
