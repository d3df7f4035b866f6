"""Which file of `seed_data/` holds what, and in whose units its headers are: people check them against datasheets."""

from app.domain.catalogue.hardware import Gpu, Link, PrecisionSupport, Server
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.catalogue.policy import PolicyRow, PolicyValue
from app.domain.catalogue.prices import CostFactor, PurchasePrice, RentalPrice
from app.domain.units import billions, gb, gb_per_s, gbit_per_s, gib, kw, mb, mib, millions, percent, tb, tflops
from app.seeds.reading import Column, Table

PEAKS = (
    *("fp64_dense", "fp64_tensor_dense", "fp32_dense", "tf32_dense", "fp16_dense", "fp16_fp16acc_dense"),
    "fp16_sparse",
    *("bf16_dense", "fp8_dense", "int8_dense", "fp4_dense", "int4_dense"),
)

GPUS = Table(
    "gpus.csv",
    Gpu,
    columns={
        "memory_bandwidth_bytes_per_s": Column("memory_bandwidth_gb_s", gb_per_s),
        "l2_bytes": Column("l2_mib", mib),
        "nvlink_bidirectional_bytes_per_s": Column("nvlink_bidirectional_gb_s", gb_per_s),
        **{f"peak_{peak}_flops": Column(f"peak_{peak}_tflops", tflops) for peak in PEAKS},
    },
    extra={"memory_capacity_mib": float | None},
    computed=frozenset({"memory_usable_bytes", "memory_usable_measured", "tdp_w"}),
)
SERVERS = Table(
    "servers.csv",
    Server,
    columns={
        "max_memory_bytes": Column("max_memory_gib", gib),
        "max_power_w": Column("max_power_kw", kw),
        "network_bytes_per_s": Column("network_gbit_s", gbit_per_s),
    },
    computed=frozenset({"power_evidence"}),
)
LINKS = Table(
    "links.csv",
    Link,
    columns={
        "one_way_bytes_per_s": Column("one_way_gb_s", gb_per_s),
        "bidirectional_bytes_per_s": Column("bidirectional_gb_s", gb_per_s),
        "marketed_bidirectional_bytes_per_s": Column("marketed_bidirectional_gb_s", gb_per_s),
        "achievable_bytes_per_s": Column("achievable_gb_s", gb_per_s),
        "efficiency_ratio": Column("efficiency_pct", percent),
    },
)
PRECISION_SUPPORT = Table("precision_support.csv", PrecisionSupport)
LANGUAGE_MODELS = Table(
    "models.csv",
    LanguageModel,
    columns={
        "parameter_count": Column("parameters_b", billions),
        "active_parameter_count": Column("active_parameters_b", billions),
    },
)
OTHER_MODELS = Table(
    "models_other.csv",
    OtherModel,
    columns={
        "parameter_count": Column("parameters_m", millions),
        "forward_mac_count": Column("forward_gmacs", billions),
        "activation_train_fp16_bytes": Column("activation_train_fp16_mb", mb),
        "embedding_bytes": Column("embedding_gb", gb),
        "embedding_table_count": Column("embedding_tables"),
        "lookup_count": Column("lookups_per_sample"),
    },
)
PURCHASE_PRICES = Table("prices_purchase.csv", PurchasePrice)
RENTAL_PRICES = Table("prices_rental.csv", RentalPrice)
COST_FACTORS = Table("cost_factors.csv", CostFactor)
POLICY_ROWS = Table(
    "policy_rows.csv",
    PolicyRow,
    columns={
        "parameters_over_count": Column("parameters_over_b", billions),
        "parameters_up_to_count": Column("parameters_up_to_b", billions),
        "data_over_bytes": Column("data_over_tb", tb),
    },
)
POLICY_VALUES = Table("policy_values.csv", PolicyValue)

BY_FIELD = {
    "gpus": GPUS,
    "servers": SERVERS,
    "links": LINKS,
    "precision_support": PRECISION_SUPPORT,
    "language_models": LANGUAGE_MODELS,
    "other_models": OTHER_MODELS,
    "purchase_prices": PURCHASE_PRICES,
    "rental_prices": RENTAL_PRICES,
    "cost_factors": COST_FACTORS,
    "policy_rows": POLICY_ROWS,
    "policy_values": POLICY_VALUES,
}
