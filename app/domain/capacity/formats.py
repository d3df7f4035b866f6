"""Formats of stored weights and cached keys: bytes per number with their scales, and what the products run in."""

from dataclasses import dataclass

from app.domain.capacity.memory.states import NF4_BYTES
from app.domain.errors import InvalidInput


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightFormat:
    """`matrix_bytes` per parameter of the layers, `edge_bytes` of embedding and head; `compute` is the format the products run in."""

    matrix_bytes: float
    edge_bytes: float
    compute: str
    attention_bytes: float | None = None  # per parameter of the attention matrices, where they keep another format than the rest
    widen_ratio: float = 1.0  # bandwidth that reading and widening the weights reaches, over a plain read


GROUP_128_BYTES = (4 + (16 + 4) / 128) / 8  # 4 bits, half-precision scale and 4-bit zero per group of 128 (GPTQ, AWQ checkpoints)
NF4_PLAIN_BYTES = (4 + 32 / 64) / 8  # 4 bits, fp32 scale per 64 (bitsandbytes without double quantisation)
FORMATS = {
    "fp32": WeightFormat(matrix_bytes=4.0, edge_bytes=4.0, compute="fp32"),
    "fp16": WeightFormat(matrix_bytes=2.0, edge_bytes=2.0, compute="fp16"),
    "bf16": WeightFormat(matrix_bytes=2.0, edge_bytes=2.0, compute="bf16"),
    "fp8": WeightFormat(matrix_bytes=1.0, edge_bytes=2.0, compute="fp8"),
    "fbgemm-fp8": WeightFormat(
        matrix_bytes=1.0, edge_bytes=2.0, attention_bytes=2.0, compute="fp8"
    ),  # Llama 3 paper (arXiv:2407.21783 §6.2, 2024)
    "int8": WeightFormat(matrix_bytes=1.0 + 2 / 128, edge_bytes=2.0, compute="fp16", widen_ratio=0.7),
    "fp4": WeightFormat(matrix_bytes=(4 + 8 / 16) / 8, edge_bytes=2.0, compute="fp4"),
    "int4": WeightFormat(matrix_bytes=GROUP_128_BYTES, edge_bytes=2.0, compute="fp16", widen_ratio=0.7),
    "int6": WeightFormat(matrix_bytes=(6 + 20 / 128) / 8, edge_bytes=2.0, compute="fp16", widen_ratio=0.7),
    "bnb.nf4": WeightFormat(matrix_bytes=NF4_PLAIN_BYTES, edge_bytes=2.0, compute="fp16", widen_ratio=0.3),
    "bnb.nf4-dq": WeightFormat(matrix_bytes=NF4_BYTES, edge_bytes=2.0, compute="fp16", widen_ratio=0.25),
    "q4_k_m": WeightFormat(matrix_bytes=4.85 / 8, edge_bytes=4.85 / 8, compute="fp16", widen_ratio=0.95),  # llama.cpp quantize table, 2024
}
ALIASES = {
    "gptq": "int4",
    "awq": "int4",
    "gptq-int4": "int4",
    "int4-gptq": "int4",
    "int4 awq": "int4",
    "int8-gptq": "int8",
    "gptq-int8": "int8",
    "fp16 amp": "fp16",
}
CACHE_BYTES = {"fp32": 4.0, "fp16": 2.0, "bf16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 0.5, "fp4": 0.5}


def weight_format(precision: str, name: str | None) -> WeightFormat:
    """The format by its own name or by the precision. InvalidInput: a name that nobody described here."""
    if name:
        found = FORMATS.get(ALIASES.get(name.lower(), name.lower()))
        if found is None:
            raise InvalidInput("infer.weight_format", "estimate.not_modelled", knob=name)
        return found
    found = FORMATS.get(precision)
    if found is None:
        raise InvalidInput("infer.weight_precision", "estimate.not_modelled", knob=precision)
    return found
