"""Base units and the only conversions: bytes, bytes per second, dense operations per second, watts, seconds, shares of one.

Everything is stored and computed in the base unit; the suffix of a name says which (`_bytes`, `_bytes_per_s`, `_flops` for a rate, `_flop` for a
count, `_w`, `_kwh`, `_s`, `_ratio`). No other module multiplies by 1024, 1e9, 3600 or 8. Sources: IEC 80000-13 (binary prefixes), SI.
"""

from typing import NewType

Bytes = NewType("Bytes", float)
BytesPerSecond = NewType("BytesPerSecond", float)
FlopsPerSecond = NewType("FlopsPerSecond", float)
Watts = NewType("Watts", float)
KilowattHours = NewType("KilowattHours", float)
Seconds = NewType("Seconds", float)

KIB, MIB, GIB = 2**10, 2**20, 2**30
KILO, MEGA, GIGA, TERA = 1e3, 1e6, 1e9, 1e12
HOURS_PER_YEAR = 8760  # 365 × 24; the convention of tco tables, leap days left out
HOURS_PER_MONTH = 730  # a twelfth of it


def gib(value: float) -> Bytes:
    """Gibibytes to bytes."""
    return Bytes(value * GIB)


def mib(value: float) -> Bytes:
    """Mebibytes to bytes (what nvidia-smi calls MiB)."""
    return Bytes(value * MIB)


def kib(value: float) -> Bytes:
    """Kibibytes to bytes."""
    return Bytes(value * KIB)


def gb(value: float) -> Bytes:
    """Decimal gigabytes to bytes."""
    return Bytes(value * GIGA)


def mb(value: float) -> Bytes:
    """Decimal megabytes to bytes."""
    return Bytes(value * MEGA)


def tb(value: float) -> Bytes:
    """Decimal terabytes to bytes."""
    return Bytes(value * TERA)


def as_gib(value_bytes: float) -> float:
    """Bytes to gibibytes."""
    return value_bytes / GIB


def as_mib(value_bytes: float) -> float:
    """Bytes to mebibytes."""
    return value_bytes / MIB


def as_gb(value_bytes: float) -> float:
    """Bytes to decimal gigabytes."""
    return value_bytes / GIGA


def as_mb(value_bytes: float) -> float:
    """Bytes to decimal megabytes."""
    return value_bytes / MEGA


def as_tb(value_bytes: float) -> float:
    """Bytes to decimal terabytes."""
    return value_bytes / TERA


def gb_per_s(value: float) -> BytesPerSecond:
    """Decimal gigabytes a second to bytes a second."""
    return BytesPerSecond(value * GIGA)


def mb_per_s(value: float) -> BytesPerSecond:
    """Decimal megabytes a second to bytes a second."""
    return BytesPerSecond(value * MEGA)


def gbit_per_s(value: float) -> BytesPerSecond:
    """Gigabits a second, as network ports are sold, to bytes a second."""
    return BytesPerSecond(value * GIGA / 8)


def as_gb_per_s(value_bytes_per_s: float) -> float:
    """Bytes a second to decimal gigabytes a second."""
    return value_bytes_per_s / GIGA


def as_gbit_per_s(value_bytes_per_s: float) -> float:
    """Bytes a second to gigabits a second."""
    return value_bytes_per_s * 8 / GIGA


def tflops(value: float) -> FlopsPerSecond:
    """Tera-operations a second to operations a second."""
    return FlopsPerSecond(value * TERA)


def as_tflops(value_flops: float) -> float:
    """Operations a second to tera-operations a second."""
    return value_flops / TERA


def billions(value: float) -> float:
    """A count given in billions (parameters, tokens)."""
    return value * GIGA


def as_billions(count: float) -> float:
    """A count in billions."""
    return count / GIGA


def millions(value: float) -> float:
    """A count given in millions."""
    return value * MEGA


def as_millions(count: float) -> float:
    """A count in millions."""
    return count / MEGA


def kw(value: float) -> Watts:
    """Kilowatts to watts."""
    return Watts(value * KILO)


def as_kw(value_w: float) -> float:
    """Watts to kilowatts."""
    return value_w / KILO


def energy_kwh(power_w: float, duration_s: float) -> KilowattHours:
    """Watts × seconds, in kilowatt-hours."""
    return KilowattHours(power_w * duration_s / KILO / 3600)


def hours(value: float) -> Seconds:
    """Hours to seconds."""
    return Seconds(value * 3600)


def days(value: float) -> Seconds:
    """Days to seconds."""
    return Seconds(value * 86400)


def ms(value: float) -> Seconds:
    """Milliseconds to seconds."""
    return Seconds(value / KILO)


def us(value: float) -> Seconds:
    """Microseconds to seconds."""
    return Seconds(value / MEGA)


def as_ms(value_s: float) -> float:
    """Seconds to milliseconds."""
    return value_s * KILO


def as_hours(value_s: float) -> float:
    """Seconds to hours."""
    return value_s / 3600


def as_days(value_s: float) -> float:
    """Seconds to days."""
    return value_s / 86400


def percent(value: float) -> float:
    """A percentage (0–100) to a ratio (0–1)."""
    return value / 100


def as_percent(ratio: float) -> float:
    """A ratio (0–1) to a percentage (0–100)."""
    return ratio * 100
