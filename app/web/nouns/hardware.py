"""GPUs and servers."""

from app.domain.catalogue.search import find_gpus, find_servers
from app.web.forms.catalogue import GpuFilter, ServerFilter
from app.web.nouns.noun import EVIDENCE, WORDS, FilterField, Noun, undated

PEAKS = ("fp64", "fp64_tensor", "fp32", "tf32", "bf16", "fp16", "fp16_fp16acc", "fp8", "int8", "fp4", "int4")

GPUS = Noun(
    key="gpus",
    table="gpus",
    find=undated(find_gpus),
    form=GpuFilter,
    filters=(
        WORDS,
        FilterField("vendor", "choice", "vendor"),
        FilterField("market_class", "choice", "market_class"),
        FilterField("form_factor", "choice", "form_factor"),
        FilterField("precision", "choice", "precision"),
        FilterField("architecture", "choice", "architecture"),
        FilterField("link", "choice", "link_kind"),
        FilterField("memory", "number", unit="GiB"),
        FilterField("bandwidth", "number", unit="GB/s"),
        FilterField("tdp", "number", unit="W"),
        FilterField("since", "number"),
        EVIDENCE,
        FilterField("priced", "tick"),
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
    better={
        **dict.fromkeys(("memory_usable_bytes", "memory_bandwidth_bytes_per_s", "l2_bytes", "nvlink_bidirectional_bytes_per_s"), "more"),
        **dict.fromkeys((f"peak_{peak}_dense_flops" for peak in PEAKS), "more"),
        **dict.fromkeys(("pcie_lane_count", "mig_max_count"), "more"),
        **dict.fromkeys(("tdp_w", "idle_w", "msrp_price_usd"), "less"),
    },
)
SERVERS = Noun(
    key="servers",
    table="servers",
    find=undated(find_servers),
    form=ServerFilter,
    filters=(
        WORDS,
        FilterField("vendor", "choice", "vendor"),
        FilterField("form_factor", "choice", "form_factors"),
        FilterField("cooling", "choice", "cooling"),
        FilterField("gpu", "choice", "gpu_slugs"),
        FilterField("count", "number"),
        FilterField("link", "choice", "gpu_interconnect"),
        FilterField("power", "number", unit="kW"),
        EVIDENCE,
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
    better={
        **dict.fromkeys(("max_gpu_count", "max_memory_bytes", "nvme_bay_count", "network_bytes_per_s", "network_slot_count"), "more"),
        **dict.fromkeys(("max_power_w", "rack_units"), "less"),
    },
)
