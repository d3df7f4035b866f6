"""What is to be run, as the contract's Workload says it: field names are the contract's, values are in base units."""

from dataclasses import dataclass
from enum import StrEnum

from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.units import GIB


class Task(StrEnum):
    """What the GPUs are asked to do."""

    TRAIN = "train"
    INFER = "infer"
    COLLECTIVE = "collective"


class Method(StrEnum):
    """Which parameters are trained, and how the frozen ones are stored."""

    FULL = "full"
    LORA = "lora"
    QLORA4 = "qlora4"
    QLORA8 = "qlora8"
    FREEZE = "freeze"


class TrainPrecision(StrEnum):
    """In what the matrix products run and what is kept beside them."""

    FP32 = "fp32"
    FP16_MIXED = "fp16-mixed"
    BF16_MIXED = "bf16-mixed"
    PURE_BF16 = "pure-bf16"
    FP8_MIXED = "fp8-mixed"
    MXFP8_MIXED = "mxfp8-mixed"
    NVFP4_MIXED = "nvfp4-mixed"


class Optimizer(StrEnum):
    """The rule that turns gradients into steps; it decides the states kept per trained parameter."""

    ADAMW = "adamw"
    ADAMW8BIT = "adamw8bit"
    PAGED_ADAMW8BIT = "paged_adamw8bit"
    ADAFACTOR = "adafactor"
    SGD = "sgd"
    LION = "lion"
    MUON = "muon"


class Sharding(StrEnum):
    """What the data-parallel ranks split between them instead of each holding all of it."""

    NONE = "none"
    ZERO1 = "zero1"
    ZERO2 = "zero2"
    ZERO3 = "zero3"
    FSDP = "fsdp"


class Offload(StrEnum):
    """What lives in host memory."""

    NONE = "none"
    OPTIMIZER = "optimizer"
    ALL = "all"


class Recomputation(StrEnum):
    """Which activations are dropped and computed again in the backward pass."""

    NONE = "none"
    SELECTIVE = "selective"
    FULL = "full"


class Knob(StrEnum):
    """Settings of a framework that change memory or time and that nothing else in the workload tells."""

    COMPILE = "compile"
    CHUNKED_LOSS = "chunked-loss"
    OPTIMIZER_IN_BACKWARD = "optimizer-in-backward"
    FOREACH_OPTIMIZER = "foreach-optimizer"
    PACKED = "packed"
    CPU_OFFLOAD_ACTIVATIONS = "cpu-offload-activations"
    ASYNC_TP = "async-tp"
    FLOAT8_ALLGATHER = "float8-allgather"
    FP32_GRADIENTS = "fp32-gradients"


class LinkKind(StrEnum):
    """How GPUs of one machine reach each other."""

    NVLINK = "nvlink"
    PCIE = "pcie"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSettings:
    """How a model is trained. `dp` and `global_batch` follow from the rest when nobody says (see `Layout`)."""

    method: Method = Method.FULL
    precision: TrainPrecision = TrainPrecision.BF16_MIXED
    optimizer: Optimizer = Optimizer.ADAMW
    sharding: Sharding = Sharding.NONE
    offload: Offload = Offload.NONE
    tp: int = 1
    pp: int = 1
    cp: int = 1
    ep: int = 1
    dp: int | None = None
    interleave: int = 1  # groups of layers that each pipeline stage takes in turns
    sequence_parallel: bool = False
    seq_len: int = 2048
    micro_batch: int = 1
    global_batch: int | None = None
    act_ckpt: Recomputation = Recomputation.FULL
    flash_attn: bool = True
    lora_rank: int = 16
    trainable_layers: int = 2  # the last ones, that freezing leaves trainable
    train_tokens: float | None = None  # how many tokens the whole run sees; None: no duration
    train_samples: float | None = None  # how many samples it sees, where tokens are not the unit
    image_size: int | None = None
    knobs: tuple[Knob, ...] = ()

    @property
    def has_adapters(self) -> bool:
        """Low-rank adapters are trained beside a frozen base."""
        return self.method in (Method.LORA, Method.QLORA4, Method.QLORA8)


@dataclass(frozen=True, slots=True, kw_only=True)
class InferSettings:
    """How a model is served."""

    weight_precision: str = "bf16"  # fp32 | fp16 | bf16 | fp8 | int8 | fp4 | int4
    weight_format: str | None = None  # gptq | awq | bnb.nf4 | q4_k_m | …: says more than the precision
    memory_fraction_ratio: float = 0.9
    kv_precision: str = "bf16"
    engine: str = "vllm"
    tp: int = 1
    pp: int = 1
    in_len: int = 2**10
    out_len: int = 256
    concurrency: int | None = None  # None: as many sequences as the engine takes together
    is_burst: bool = False  # whether all of them arrive at once, as benchmarks send them, or spread
    image_size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveSettings:
    """One collective operation, as nccl-tests measures it."""

    op: str = "allreduce"
    message_bytes: float = float(GIB)


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """A model, a task with its settings, and the GPUs it is put on. Without `gpu` only memory is answered."""

    model: LanguageModel | OtherModel | None = None
    task: Task = Task.TRAIN
    train: TrainSettings | None = None
    infer: InferSettings | None = None
    collective: CollectiveSettings | None = None
    gpu: str | None = None
    gpu_memory_bytes: float | None = None
    gpu_count: int = 1
    node_count: int = 1
    link: LinkKind | None = None
    has_peer_access: bool = False  # cards that usually may not read each other across PCIe do: a patched driver
    has_plain_ring: bool = False  # the switch does not add up
    network_bytes_per_s: float | None = None  # per node, one direction
