"""Figures are positive and ordered, and derived columns agree with what they derive from."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from decimal import Decimal

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.invariants.fault import Fault, every_row
from app.domain.errors import message

MAY_BE_ZERO = frozenset(
    {
        "mig_max_count",
        "network_slot_count",
        "nvme_bay_count",
        "gpus_per_unit_count",
        "low",
        "typical",
        "high",
        "idle_w",
        "first_dense_layer_count",
    }
)
RISING_PEAKS = (
    ("peak_fp64_dense_flops", "peak_fp64_tensor_dense_flops"),
    ("peak_fp32_dense_flops", "peak_tf32_dense_flops"),
    ("peak_tf32_dense_flops", "peak_fp16_dense_flops"),
    ("peak_fp16_dense_flops", "peak_fp16_fp16acc_dense_flops"),
    ("peak_fp16_dense_flops", "peak_fp8_dense_flops"),
    ("peak_bf16_dense_flops", "peak_fp8_dense_flops"),
    ("peak_fp8_dense_flops", "peak_fp4_dense_flops"),
    ("peak_fp16_dense_flops", "peak_fp16_sparse_flops"),
)
SPARSE_GAIN = 2.03  # structured sparsity at most doubles a rate; sheets round
ROUNDING_RATIO = 0.03
RATED = {
    "tf32": "peak_tf32_dense_flops",
    "bf16": "peak_bf16_dense_flops",
    "fp8": "peak_fp8_dense_flops",
    "int8": "peak_int8_dense_flops",
    "int4": "peak_int4_dense_flops",
}
RATE_TOLERANCE_RATIO = 0.08
CENT = Decimal("0.006")
SHARES_OF_CLUSTER = (
    "hardware-structure.us.gpu-share-of-cluster-hardware",
    "hardware-structure.us.other-server-share-of-cluster-hardware",
    "hardware-structure.us.interconnect-share-of-cluster-hardware-cost",
)


def positive(catalogue: Catalogue) -> Iterator[Fault]:
    """Numbers are above zero; a few may be zero, none is negative."""
    for table, index, row in every_row(catalogue):
        for item in fields(row):
            value = getattr(row, item.name)
            if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
                continue
            if value < 0 or (value == 0 and item.name not in MAY_BE_ZERO):
                yield Fault(table, index, item.name, message("check.not_positive", number=str(value)))


def peaks_rise(catalogue: Catalogue) -> Iterator[Fault]:
    """A narrower precision is not slower, a sparse figure not below the dense one nor above twice it."""
    for index, gpu in enumerate(catalogue.gpus):
        for wide, narrow in RISING_PEAKS:
            below, above = getattr(gpu, wide), getattr(gpu, narrow)
            if below is not None and above is not None and above < below * (1 - ROUNDING_RATIO):
                yield Fault("gpus", index, narrow, message("check.slower_than", other=wide, number_flops=above, limit_flops=below))
        dense, sparse = gpu.peak_fp16_dense_flops, gpu.peak_fp16_sparse_flops
        if dense is not None and sparse is not None and sparse > dense * SPARSE_GAIN:
            yield Fault("gpus", index, "peak_fp16_sparse_flops", message("check.sparse_gain", number_flops=sparse, dense_flops=dense))


def peaks_match_rates(catalogue: Catalogue) -> Iterator[Fault]:
    """A peak ÷ the FP16 peak is what the architecture's row says: a sparse figure in a dense column shows here.

    Integer rates are compared with FP16 accumulation: GeForce boards halve only the FP32-accumulating rate."""
    for index, gpu in enumerate(catalogue.gpus):
        for precision, name in RATED.items():
            fp16 = (gpu.peak_fp16_fp16acc_dense_flops if precision.startswith("int") else None) or gpu.peak_fp16_dense_flops
            peak, support = getattr(gpu, name), catalogue.precision(gpu, precision)
            if (
                fp16 is None
                or peak is None
                or support is None
                or support.rate_vs_fp16_ratio is None
                or support.hardware_support != "matrix"
            ):
                continue
            if abs(peak / fp16 / support.rate_vs_fp16_ratio - 1) > RATE_TOLERANCE_RATIO:
                reason = message(
                    "check.rate", found=round(peak / fp16, 3), expected=support.rate_vs_fp16_ratio, architecture=support.architecture
                )
                yield Fault("gpus", index, name, reason)


def link_directions(catalogue: Catalogue) -> Iterator[Fault]:
    """Both directions together are twice one, and marketing is not below them."""
    for index, link in enumerate(catalogue.links):
        one, both, marketed = link.one_way_bytes_per_s, link.bidirectional_bytes_per_s, link.marketed_bidirectional_bytes_per_s
        if one is not None and both is not None and abs(both / one / 2 - 1) > ROUNDING_RATIO:
            yield Fault(
                "links", index, "bidirectional_bytes_per_s", message("check.not_twice", number_bytes_per_s=both, one_bytes_per_s=one)
            )
        if both is not None and marketed is not None and marketed < both * (1 - ROUNDING_RATIO):
            reason = message("check.below", number_bytes_per_s=marketed, limit_bytes_per_s=both)
            yield Fault("links", index, "marketed_bidirectional_bytes_per_s", reason)


def ranges_ordered(catalogue: Catalogue) -> Iterator[Fault]:
    """low ≤ typical ≤ high."""
    for index, factor in enumerate(catalogue.cost_factors):
        known = [value for value in (factor.low, factor.typical, factor.high) if value is not None]
        if known != sorted(known):
            yield Fault("cost_factors", index, "typical", message("check.unordered", numbers=" · ".join(map(str, known))))


def shares_add_up(catalogue: Catalogue) -> Iterator[Fault]:
    """The three shares of a cluster's hardware make one, and no plain fraction exceeds one."""
    factors = {factor.key: (index, factor) for index, factor in enumerate(catalogue.cost_factors)}
    shares = [factors[key] for key in SHARES_OF_CLUSTER if key in factors]
    total = sum((factor.typical or Decimal(0) for _, factor in shares), Decimal(0))
    if len(shares) == len(SHARES_OF_CLUSTER) and abs(total - 1) > Decimal("0.02"):
        yield Fault("cost_factors", shares[-1][0], "typical", message("check.shares", number=str(total)))
    for index, factor in enumerate(catalogue.cost_factors):
        if (
            factor.unit == "fraction"
            and max((value for value in (factor.low, factor.typical, factor.high) if value is not None), default=0) > 1
        ):
            yield Fault("cost_factors", index, "typical", message("check.above_one"))


def prices_per_gpu(catalogue: Catalogue) -> Iterator[Fault]:
    """Price per GPU × GPUs = price, to the cent a GPU or a thousandth."""
    for index, price in enumerate(catalogue.purchase_prices):
        if price.price_per_gpu is not None and not _divides(price.unit_price, price.gpus_per_unit_count, price.price_per_gpu):
            yield Fault("purchase_prices", index, "price_per_gpu", message("check.quotient", number=str(price.price_per_gpu)))
    for index, rent in enumerate(catalogue.rental_prices):
        if not _divides(rent.hourly_price, rent.gpu_count, rent.hourly_price_per_gpu):
            yield Fault("rental_prices", index, "hourly_price_per_gpu", message("check.quotient", number=str(rent.hourly_price_per_gpu)))


def _divides(price: Decimal, count: int, each: Decimal) -> bool:
    return count > 0 and abs(price / count - each) <= max(CENT if price > 100 else Decimal(0), each / 1000)


def heads_divide(catalogue: Catalogue) -> Iterator[Fault]:
    """Query heads are a multiple of key-value heads, chosen experts no more than there are, active parameters no more than all."""
    for index, model in enumerate(catalogue.language_models):
        if model.kv_head_count > 0 and model.head_count % model.kv_head_count:
            reason = message("check.heads", heads=model.head_count, kv_heads=model.kv_head_count)
            yield Fault("language_models", index, "kv_head_count", reason)
        if (model.moe_topk or 0) > (model.moe_expert_count or 0):
            yield Fault("language_models", index, "moe_topk", message("check.experts", number=model.moe_topk))
        if model.active_parameter_count is not None and model.active_parameter_count > model.parameter_count * 1.001:
            yield Fault("language_models", index, "active_parameter_count", message("check.active_parameters"))


NUMBERS: tuple[Callable[[Catalogue], Iterator[Fault]], ...] = (
    positive,
    peaks_rise,
    peaks_match_rates,
    link_directions,
    ranges_ordered,
    shares_add_up,
    prices_per_gpu,
    heads_divide,
)
