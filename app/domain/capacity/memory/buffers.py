"""What lives beside states and activations: logits and loss, communication buckets and gather windows, temporaries."""

from app.domain.capacity.layout import Layout
from app.domain.capacity.memory.activations import element_bytes, is_fused
from app.domain.capacity.memory.states import HALF, SINGLE, StageParameters, bytes_per_parameter, is_deepspeed, is_mixed, is_model_parallel
from app.domain.catalogue.models import LanguageModel
from app.domain.units import billions
from app.domain.workload.parameters import parameters
from app.domain.workload.settings import Knob, Method, Offload, Optimizer, Sharding, TrainPrecision, TrainSettings

LOSS_CHUNK_COUNT = 8  # pieces of a chunked cross entropy (torchtune CEWithChunkedOutputLoss, 2024)
DEEPSPEED_SUBGROUP_COUNT = billions(1)  # parameters stepped together (sub_group_size, same docs)
DEEPSPEED_BUCKET_COUNT = 5e8  # elements of reduce_bucket_size and allgather_bucket_size (DeepSpeed config docs, 2024)


def logits_bytes(model: LanguageModel, train: TrainSettings, layout: Layout) -> float:
    """Logits in 16 bit, fp32 log-softmax, its fp32 gradient and that in 16 bit: 2 + 4 + 4 + 2 bytes; compiled losses save a copy.

    A chunked loss is handed all logits in 16 bit and widens a chunk at a time; its log-softmax waits for the backward pass unless
    compilation fuses it away (torchtune CEWithChunkedOutputLoss, 2024). Losses that take in the projection too keep less: ranges reach down.
    Source: torch.nn.functional.cross_entropy saves its log-softmax; Megatron's vocabulary-parallel loss works in place."""
    per_element = 8.0 if is_model_parallel(train) else 10.0 if is_fused(train) else 12.0
    if train.precision is TrainPrecision.FP32:
        per_element = 16.0
    elif Knob.CHUNKED_LOSS in train.knobs:
        saved = 0.0 if Knob.COMPILE in train.knobs else SINGLE
        per_element = HALF + saved + (HALF if Knob.COMPILE in train.knobs else SINGLE + HALF) / LOSS_CHUNK_COUNT
    return per_element * model.vocab / layout.tp * layout.micro_tokens


def bucket_bytes(model: LanguageModel, train: TrainSettings, layout: Layout, stage: StageParameters, gradients_bytes: float) -> float:
    """Buffers of the data-parallel engine: DDP buckets, DeepSpeed's contiguous buckets, or the gathered layers of ZeRO-3 and FSDP."""
    per = bytes_per_parameter(train, model)
    wide = element_bytes(train)
    is_full = not train.has_adapters
    if train.sharding in (Sharding.FSDP, Sharding.ZERO3):
        packed = _packed_ratio(train)
        window = 2 * stage.layer * wide * packed + stage.embedding * wide
        reduced = (stage.layer + stage.embedding / 2) * per.gradient if is_full else 0.0
        return window + reduced
    if layout.dp == 1:
        return 0.0
    if not is_full:
        return gradients_bytes
    if is_deepspeed(train):
        return 2 * min(DEEPSPEED_BUCKET_COUNT, stage.total) * wide
    return 0.0 if is_model_parallel(train) else gradients_bytes  # DDP keeps gradients and buckets apart unless told otherwise


def _packed_ratio(train: TrainSettings) -> float:
    """Quantised bases are gathered in their packed form."""
    return {Method.QLORA4: 0.26, Method.QLORA8: 0.5}.get(train.method, 1.0)


def temporary_bytes(model: LanguageModel, train: TrainSettings, layout: Layout, stage: StageParameters) -> float:
    """Gradients of one layer's activations while it is worked on, of unfused scores before and after the softmax, and the widened copy of
    a quantised matrix."""
    e = element_bytes(train)
    width = max(model.ffn_hidden * (2 if model.is_gated_mlp else 1), model.hidden * 3)
    scores = 0.0 if train.flash_attn else 2.0 * model.head_count * layout.seq_len / layout.tp
    flowing = e * layout.micro_tokens * (model.hidden + width / layout.tp + scores)
    dequantised = 0.0
    if train.method in (Method.QLORA4, Method.QLORA8):
        dequantised = 2 * e * max(model.ffn_hidden * model.hidden, parameters(model).attention / 2) / layout.tp
    ring = 0.0
    if layout.cp > 1:  # the neighbour's keys and values, received while one's own are used, and their gradients
        ring = 4 * e * 2 * model.kv_head_count * model.head_dim * layout.micro_tokens / layout.tp
    offloaded = 2 * stage.layer * e if train.offload is Offload.ALL else 0.0
    return flowing + dequantised + ring + offloaded


def step_temporary_bytes(model: LanguageModel, train: TrainSettings, trained: float, layout: Layout) -> float:
    """What the optimizer allocates during the step: one array as large as a state where it works on lists of tensors (PyTorch's
    "foreach"; torchtune, torchtitan, LitGPT and transformers from 4.57 ask for fused kernels instead, so ranges reach up to it), or the fp32 gradients of the partition (DeepSpeed, up to its sub-group of a billion)."""
    shards = layout.shards if train.sharding is not Sharding.NONE else 1
    if train.optimizer is Optimizer.MUON and train.offload is Offload.NONE:
        return muon_workspace_bytes(model)
    if Knob.OPTIMIZER_IN_BACKWARD in train.knobs or train.offload is not Offload.NONE:  # an offloaded step runs on the host
        return 0.0
    if is_deepspeed(train):
        return SINGLE * min(trained / shards, DEEPSPEED_SUBGROUP_COUNT) if is_mixed(train.precision) else 0.0
    is_foreach = Knob.FOREACH_OPTIMIZER in train.knobs
    if not is_foreach or train.optimizer not in (Optimizer.ADAMW, Optimizer.LION):
        return 0.0
    return trained / shards * (HALF if train.precision is TrainPrecision.PURE_BF16 else SINGLE)


def muon_workspace_bytes(model: LanguageModel) -> float:
    """Newton–Schulz on the largest matrix, in bf16: the matrix, its product and two squares of the short side, 2·(2·m·n + 2·m²).

    Source: Keller Jordan, Muon: an optimizer for hidden layers, 2024; the reference implementation."""
    width = model.moe_expert_ffn or model.ffn_hidden
    short, wide = sorted((float(model.hidden), float(max(width, model.head_count * model.head_dim))))
    return HALF * (2 * short * wide + 2 * short * short)
