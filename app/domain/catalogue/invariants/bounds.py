"""Figures lie where figures of their kind can lie: a slip of a unit or a decimal point shows here."""

from collections.abc import Callable, Iterator
from decimal import Decimal

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.invariants.fault import Fault
from app.domain.errors import message
from app.domain.units import gb_per_s, gib, tflops

GPU_BOUNDS = {
    "memory_usable_bytes": (gib(1), gib(1000)),
    "memory_bandwidth_bytes_per_s": (gb_per_s(50), gb_per_s(30_000)),
    "nvlink_bidirectional_bytes_per_s": (gb_per_s(20), gb_per_s(5_000)),
    "peak_fp16_dense_flops": (tflops(5), tflops(10_000)),
    "peak_bf16_dense_flops": (tflops(5), tflops(10_000)),
    "peak_fp8_dense_flops": (tflops(50), tflops(20_000)),
    "peak_fp4_dense_flops": (tflops(50), tflops(40_000)),
    "tdp_w": (5, 3_000),
    "idle_w": (1, 300),
}
SERVER_BOUNDS = {"max_power_w": (300, 1_000_000), "rack_units": (1, 60), "network_bytes_per_s": (gb_per_s(0.1), gb_per_s(20_000))}
USABLE_RATIO = (0.85, 1.001)  # shown ÷ marketed
PURCHASE_PER_GPU = {
    "USD": (Decimal(20), Decimal(300_000)),
    "CNY": (Decimal(100), Decimal(2_000_000)),
    "TWD": (Decimal(600), Decimal(9_000_000)),
}
RENTAL_PER_GPU = {"USD": (Decimal("0.03"), Decimal(60)), "CNY": (Decimal("0.2"), Decimal(400))}


def hardware_bounds(catalogue: Catalogue) -> Iterator[Fault]:
    """Memory, bandwidth, peaks and power of a size that exists."""
    for table, rows, bounds in (("gpus", catalogue.gpus, GPU_BOUNDS), ("servers", catalogue.servers, SERVER_BOUNDS)):
        for index, row in enumerate(rows):
            for name, (low, high) in bounds.items():
                value = getattr(row, name)
                if value is not None and not low <= value <= high:
                    yield Fault(table, index, name, message("check.implausible", number=f"{value:g}", low=f"{low:g}", high=f"{high:g}"))


def usable_memory(catalogue: Catalogue) -> Iterator[Fault]:
    """The driver shows a little less than is marketed, not half and not more."""
    for index, gpu in enumerate(catalogue.gpus):
        if gpu.memory_marketed_gb and gpu.memory_usable_bytes is not None:
            ratio = gpu.memory_usable_bytes / gib(gpu.memory_marketed_gb)
            if not USABLE_RATIO[0] <= ratio <= USABLE_RATIO[1]:
                yield Fault("gpus", index, "memory_usable_bytes", message("check.usable_share", share_ratio=ratio))


def price_bounds(catalogue: Catalogue) -> Iterator[Fault]:
    """No card for a song, no hour for a cent, and a currency whose bounds are known."""
    for index, price in enumerate(catalogue.purchase_prices):
        if price.price_per_gpu is not None:
            yield from _within(PURCHASE_PER_GPU, price.currency, price.price_per_gpu, "purchase_prices", index, "price_per_gpu")
    for index, rent in enumerate(catalogue.rental_prices):
        yield from _within(RENTAL_PER_GPU, rent.currency, rent.hourly_price_per_gpu, "rental_prices", index, "hourly_price_per_gpu")


def _within(
    bounds: dict[str, tuple[Decimal, Decimal]], currency: str, value: Decimal, table: str, index: int, field: str
) -> Iterator[Fault]:
    if currency not in bounds:
        yield Fault(table, index, "currency", message("check.currency", currency=currency))
        return
    low, high = bounds[currency]
    if not low <= value <= high:
        yield Fault(table, index, field, message("check.implausible", number=str(value), low=str(low), high=str(high)))


BOUNDS: tuple[Callable[[Catalogue], Iterator[Fault]], ...] = (hardware_bounds, usable_memory, price_bounds)
