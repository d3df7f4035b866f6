"""The folder of facts to one `Catalogue`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu, Server
from app.domain.catalogue.memory import MemoryReading, usable_ratio
from app.domain.catalogue.server_power import PowerParts, modelled_power
from app.domain.catalogue.source import Evidence
from app.domain.errors import InvalidInput
from app.domain.units import mib
from app.seeds.reading import Problem, Row, Table, read_table
from app.seeds.tables import (
    COST_FACTORS,
    GPUS,
    LANGUAGE_MODELS,
    LINKS,
    OTHER_MODELS,
    PRECISION_SUPPORT,
    PURCHASE_PRICES,
    RENTAL_PRICES,
    SERVERS,
    TABLES,
)

SEED_DATA = Path(__file__).parents[2] / "seed_data"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A folder as read: the catalogue of all readable rows, the line of each row by file, and what could not be read."""

    catalogue: Catalogue
    lines: Mapping[str, Sequence[int]]
    problems: Sequence[Problem]


@lru_cache(maxsize=4)
def load_catalogue(folder: Path = SEED_DATA) -> Catalogue:
    """The facts of a folder. InvalidInput: a row is wrong; the field names file, line and column of the first."""
    loaded = read_catalogue(folder)
    if loaded.problems:
        first = loaded.problems[0]
        where = f"{first.file}:{first.line}" + (f": {first.field}" if first.field else "")
        raise InvalidInput(where, first.reason.code, **first.reason.params)
    return loaded.catalogue


def read_catalogue(folder: Path) -> Loaded:
    """Everything of a folder that can be read, and everything that cannot."""
    rows: dict[str, list[Row]] = {}
    problems: list[Problem] = []
    for table in TABLES:
        rows[table.file], found = read_table(folder, table)
        problems += found
    factors = _made(COST_FACTORS, rows)
    gpus = _gpus(rows[GPUS.file])
    by_slug = {gpu.slug: gpu for gpu in gpus}
    by_key = {factor.key: factor for factor in factors}
    catalogue = Catalogue(
        revision=_revision(folder),
        gpus=gpus,
        servers=tuple(_server(row.values, by_slug, by_key) for row in rows[SERVERS.file]),
        links=_made(LINKS, rows),
        precision_support=_made(PRECISION_SUPPORT, rows),
        language_models=_made(LANGUAGE_MODELS, rows),
        other_models=_made(OTHER_MODELS, rows),
        purchase_prices=_made(PURCHASE_PRICES, rows),
        rental_prices=_made(RENTAL_PRICES, rows),
        cost_factors=factors,
    )
    return Loaded(catalogue, {file: [row.line for row in found_rows] for file, found_rows in rows.items()}, problems)


def _revision(folder: Path) -> str:
    digest = sha256()
    for path in sorted(folder.glob("*.csv")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _made(table: Table, rows: Mapping[str, Sequence[Row]]) -> tuple[Any, ...]:
    return tuple(table.kind(**row.values) for row in rows[table.file])


def _reading(values: Mapping[str, Any]) -> MemoryReading:
    return MemoryReading(
        name=values["name"],
        vendor=values["vendor"],
        architecture=values["architecture"],
        market_class=values["market_class"],
        memory_type=values["memory_type"],
        marketed_gib=values["memory_marketed_gb"],
        shown_mib=values["memory_capacity_mib"],
    )


def _gpus(rows: Sequence[Row]) -> tuple[Gpu, ...]:
    readings = [_reading(row.values) for row in rows if row.values["memory_marketed_gb"]]
    return tuple(_gpu(dict(row.values), readings) for row in rows)


def _gpu(values: dict[str, Any], readings: Sequence[MemoryReading]) -> Gpu:
    """Memory as read, else marketed GiB × the ratio of comparable boards; board power shared among the devices of the board."""
    board_w, devices = values["board_tdp_w"], values["gpus_per_board_count"]
    values["tdp_w"] = None if board_w is None or not devices else board_w / devices
    shown_mib, usable_bytes = values["memory_capacity_mib"], None
    if shown_mib is not None:
        usable_bytes = mib(shown_mib)
    elif values["memory_marketed_gb"] and any(reading.shown_mib for reading in readings):
        usable_bytes = mib(float(round(values["memory_marketed_gb"] * 1024 * usable_ratio(_reading(values), readings).ratio)))
    del values["memory_capacity_mib"]
    return Gpu(**values, memory_usable_bytes=usable_bytes, memory_usable_measured=shown_mib is not None)


def _server(values: Mapping[str, Any], gpus: Mapping[str, Gpu], factors: Mapping[str, Any]) -> Server:
    """Power as published, else computed from the parts and marked so."""
    values = dict(values)
    if values["max_power_w"] is not None:
        unconfirmed = "max_power_w" in values["unconfirmed_fields"]
        return Server(**values, power_evidence=Evidence.PRESS if unconfirmed else values["source"].evidence)
    parts = PowerParts(
        max_gpu_count=values["max_gpu_count"],
        cpu_socket_count=values["cpu_socket_count"],
        gpus=tuple(gpus[slug] for slug in values["gpu_slugs"] if slug in gpus),
    )
    try:
        steps = modelled_power(parts, factors)
    except KeyError:
        steps = ()
    values["max_power_w"] = steps[-1].result if steps else None
    return Server(**values, power_evidence=Evidence.MODELLED if steps else None)
