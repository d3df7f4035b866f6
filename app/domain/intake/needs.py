"""What a project needs, complete: every gap filled by a stated assumption, or left `None` where nothing sensible can be assumed."""

from dataclasses import dataclass

from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.errors import Message
from app.domain.estimate import Assumption
from app.domain.money import Currency, Money
from app.domain.units import Bytes, BytesPerSecond, Seconds, Watts


@dataclass(frozen=True, slots=True, kw_only=True)
class DataNeeds:
    """Question 1. `None`: nobody said and nothing follows from the other answers."""

    total_bytes: Bytes | None
    sample_bytes: Bytes | None
    storage_bytes_per_s: BytesPerSecond | None
    stall: str | None  # disk | decode | cpu | none
    workers_tried_count: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingNeeds:
    """Question 3, training. Always complete: what nobody said is assumed. One run reads `sample_count` samples `epochs` times."""

    kind: str  # pretrain | finetune
    method: str  # full | lora | qlora4 | qlora8 | freeze
    precision: str  # fp32 | fp16-mixed | bf16-mixed | pure-bf16 | fp8-mixed | mxfp8-mixed | nvfp4-mixed
    seq_len: int
    sample_count: float
    epochs: float
    deadline_s: Seconds
    runs_per_year: float


@dataclass(frozen=True, slots=True, kw_only=True)
class InferenceNeeds:
    """Question 3, serving. Always complete: concurrency and rate follow from each other (Little's law) where only one is known."""

    qps: float
    in_len: int
    out_len: int
    ttft_s: Seconds
    tpot_s: Seconds
    weight_precision: str  # fp32 | fp16 | bf16 | fp8 | int8 | fp4 | int4
    concurrency: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftwareNeeds:
    """Question 4. A version that is `None` binds nothing."""

    framework: str
    framework_version: str | None
    cuda: str | None
    libraries: tuple[str, ...]
    fips_140: bool
    hypervisor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationsNeeds:
    """Question 5. `servers` are catalogue slugs of machines on the floor; none: machines are bought. Rack limits that are `None` bind nothing."""

    servers: tuple[str, ...]
    environment: str  # development | production
    allows_desktop: bool  # towers, workstations and consumer cards, too
    rack_w: Watts | None
    rack_amps: float | None
    rack_volts: float | None
    cooling: str  # air | liquid
    always_on: bool
    growth_ratio_6m: float
    budget: Money | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two answers that do not fit together but can both stand: shown beside the field, decided by people."""

    field: str
    text: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirements:
    """The five answers. At least one of `training` and `inference` is there; `model` is `None` only where the catalogue has none to assume."""

    name: str
    currency: Currency
    years: int
    data: DataNeeds
    model: LanguageModel | OtherModel | None
    training: TrainingNeeds | None
    inference: InferenceNeeds | None
    software: SoftwareNeeds
    operations: OperationsNeeds
    assumptions: tuple[Assumption, ...]
    contradictions: tuple[Contradiction, ...] = ()
