"""The nouns of the catalogue: what each list shows, how it is filtered, and how a detail page is divided."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.search import (
    find_factors,
    find_gpus,
    find_language_models,
    find_links,
    find_other_models,
    find_precision,
    find_servers,
)
from app.web.forms.catalogue import GpuFilter, GroupFilter, ServerFilter


@dataclass(frozen=True, slots=True)
class FilterField:
    """A control above the list. `field` names the column whose values it offers; none: free text, a number or a tick."""

    name: str
    kind: str  # words | choice | number | tick
    field: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun:
    """One list of the catalogue."""

    key: str
    rows: Callable[[Catalogue], Sequence[Any]]
    find: Callable[[Catalogue, Any], Sequence[Any]]
    form: type[BaseModel]
    filters: tuple[FilterField, ...]
    title: Callable[[Any], str]
    identify: Callable[[Any], str]
    columns: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]]


def slugged(*parts: str) -> str:
    """Parts as one segment of an address."""
    return re.sub(r"[^a-z0-9.]+", "-", "-".join(parts).lower()).strip("-")


def choices(rows: Iterable[Any], field: str) -> tuple[str, ...]:
    """The values of a column, each once, in order."""
    found: set[str] = set()
    for row in rows:
        value = getattr(row, field)
        found |= set(value) if isinstance(value, tuple) else {value}
    return tuple(sorted(value for value in found if value))


WORDS = FilterField("q", "words")

GPUS = Noun(
    key="gpus",
    rows=lambda catalogue: catalogue.gpus,
    find=find_gpus,
    form=GpuFilter,
    filters=(
        WORDS,
        FilterField("vendor", "choice", "vendor"),
        FilterField("market_class", "choice", "market_class"),
        FilterField("form_factor", "choice", "form_factor"),
        FilterField("precision", "choice", "precision"),
        FilterField("memory", "number", unit="GiB"),
        FilterField("confirmed", "tick"),
    ),
    title=lambda gpu: str(gpu.name),
    identify=lambda gpu: str(gpu.slug),
    columns=(
        *("architecture", "form_factor", "memory_usable_bytes", "memory_type", "memory_bandwidth_bytes_per_s"),
        *("peak_bf16_dense_flops", "peak_fp16_dense_flops", "peak_fp8_dense_flops", "tdp_w", "nvlink_bidirectional_bytes_per_s"),
        *("mig_max_count", "launched_on"),
    ),
    groups={
        "memory": (
            "memory_usable_bytes",
            "memory_marketed_gb",
            "memory_type",
            "memory_bandwidth_bytes_per_s",
            "l2_bytes",
            "has_ecc",
            "is_ecc_optional",
        ),
        "compute": (
            *("peak_fp64_dense_flops", "peak_fp64_tensor_dense_flops", "peak_fp32_dense_flops", "peak_tf32_dense_flops"),
            *("peak_bf16_dense_flops", "peak_fp16_dense_flops", "peak_fp16_fp16acc_dense_flops", "peak_fp8_dense_flops"),
            *("peak_int8_dense_flops", "peak_fp4_dense_flops", "peak_int4_dense_flops", "peak_fp16_sparse_flops", "has_sparsity"),
        ),
        "links": ("nvlink_generation", "nvlink_bidirectional_bytes_per_s", "has_nvswitch", "pcie_generation", "pcie_lane_count"),
        "board": (
            *("vendor", "architecture", "compute_capability", "market_class", "form_factor", "slots", "cooling", "gpus_per_board_count"),
            *("tdp_w", "board_tdp_w", "power_basis", "idle_w", "power_connector", "launched_on"),
        ),
        "use": ("mig_max_count", "has_vgpu", "export_control_note"),
        "price": ("msrp_price_usd",),
    },
)
SERVERS = Noun(
    key="servers",
    rows=lambda catalogue: catalogue.servers,
    find=find_servers,
    form=ServerFilter,
    filters=(
        WORDS,
        FilterField("vendor", "choice", "vendor"),
        FilterField("form_factor", "choice", "form_factors"),
        FilterField("cooling", "choice", "cooling"),
        FilterField("gpu", "choice", "gpu_slugs"),
        FilterField("count", "number"),
    ),
    title=lambda server: str(server.name),
    identify=lambda server: str(server.slug),
    columns=(
        *("max_gpu_count", "form_factors", "gpu_interconnect", "cpu_options", "max_memory_bytes", "pcie_generation", "rack_units"),
        *("max_power_w", "cooling", "network_bytes_per_s"),
    ),
    groups={
        "general": ("vendor", "max_gpu_count", "form_factors", "gpu_interconnect", "pcie_generation"),
        "host": ("cpu_socket_count", "cpu_options", "max_memory_bytes", "nvme_bay_count"),
        "power": ("max_power_w", "psu", "cooling", "rack_units"),
        "network": ("network_bytes_per_s", "nic_default", "network_slot_count"),
    },
)
LINKS = Noun(
    key="links",
    rows=lambda catalogue: catalogue.links,
    find=find_links,
    form=GroupFilter,
    filters=(WORDS, FilterField("group", "choice", "category")),
    title=lambda link: str(link.name),
    identify=lambda link: str(link.slug),
    columns=(
        *(
            "category",
            "scope",
            "one_way_bytes_per_s",
            "bidirectional_bytes_per_s",
            "achievable_bytes_per_s",
            "efficiency_ratio",
            "availability",
        ),
    ),
    groups={
        "general": ("category", "generation", "scope", "lane_or_link_count", "availability"),
        "speed": (
            *("one_way_bytes_per_s", "bidirectional_bytes_per_s", "marketed_bidirectional_bytes_per_s"),
            *("achievable_bytes_per_s", "achievable_what", "efficiency_ratio"),
        ),
    },
)
PRECISION = Noun(
    key="precision",
    rows=lambda catalogue: catalogue.precision_support,
    find=find_precision,
    form=GroupFilter,
    filters=(WORDS, FilterField("group", "choice", "precision")),
    title=lambda row: f"{row.architecture} · {row.precision.upper()}",
    identify=lambda row: slugged(row.architecture, row.precision),
    columns=(
        "vendor",
        "hardware_support",
        "rate_vs_fp16_ratio",
        "weight_only",
        "min_cuda",
        "min_pytorch",
        "min_transformer_engine",
        "min_vllm",
    ),
    groups={
        "general": ("vendor", "architecture", "compute_capability", "precision", "hardware_support", "rate_vs_fp16_ratio", "weight_only"),
        "software": ("min_cuda", "last_cuda", "min_pytorch", "min_transformer_engine", "min_vllm", "min_driver_mig"),
    },
)
MODELS = Noun(
    key="models",
    rows=lambda catalogue: catalogue.language_models,
    find=find_language_models,
    form=GroupFilter,
    filters=(WORDS, FilterField("group", "choice", "attention")),
    title=lambda model: str(model.name),
    identify=lambda model: slugged(model.name),
    columns=(
        *("family", "parameter_count", "active_parameter_count", "layer_count", "hidden", "head_count", "kv_head_count", "ffn_hidden"),
        *("vocab", "max_context", "attention", "moe_expert_count"),
    ),
    groups={
        "general": ("family", "kind", "parameter_count", "active_parameter_count", "max_context", "aliases"),
        "dimensions": ("layer_count", "hidden", "ffn_hidden", "is_gated_mlp", "vocab", "has_tied_embeddings", "norm", "has_linear_bias"),
        "attention": (
            *("attention", "head_count", "kv_head_count", "head_dim", "sliding_window", "sliding_pattern"),
            *("mla_kv_lora_rank", "mla_rope_dim", "mla_q_lora_rank", "mla_v_dim"),
        ),
        "experts": (
            *("moe_expert_count", "moe_topk", "moe_shared_expert_count", "moe_expert_ffn", "first_dense_layer_count", "dense_ffn_hidden"),
        ),
    },
)
OTHER_MODELS = Noun(
    key="other-models",
    rows=lambda catalogue: catalogue.other_models,
    find=find_other_models,
    form=GroupFilter,
    filters=(WORDS, FilterField("group", "choice", "task")),
    title=lambda model: str(model.name),
    identify=lambda model: slugged(model.name),
    columns=("task", "parameter_count", "input", "forward_mac_count", "activation_train_fp16_bytes", "embedding_bytes", "basis"),
    groups={
        "figures": ("task", "input", "parameter_count", "forward_mac_count", "activation_train_fp16_bytes", "embedding_bytes", "basis"),
    },
)
FACTORS = Noun(
    key="factors",
    rows=lambda catalogue: catalogue.cost_factors,
    find=find_factors,
    form=GroupFilter,
    filters=(WORDS, FilterField("group", "choice", "group")),
    title=lambda factor: str(factor.factor),
    identify=lambda factor: str(factor.key),
    columns=("group", "low", "typical", "high", "region", "confidence"),
    groups={"figures": ("low", "typical", "high"), "general": ("key", "group", "region", "on", "confidence")},
)
NOUNS: Mapping[str, Noun] = {noun.key: noun for noun in (GPUS, SERVERS, LINKS, PRECISION, MODELS, OTHER_MODELS, FACTORS)}
