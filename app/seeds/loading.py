"""The folder of facts to one `Catalogue`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from app import SHIPPED
from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu, Server
from app.domain.catalogue.invariants import natural_key
from app.domain.catalogue.memory import MemoryReading, usable_ratio
from app.domain.catalogue.server_power import PowerParts, modelled_power
from app.domain.catalogue.source import Evidence
from app.domain.errors import InvalidInput
from app.domain.units import mib
from app.seeds.reading import Line, Problem, Row, read_lines, read_table
from app.seeds.tables import BY_FIELD

SEED_DATA = SHIPPED / "seed_data"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The catalogue of all readable rows, the line and the cells that each row was read from, by table, and what could not be read."""

    catalogue: Catalogue
    lines: Mapping[str, Sequence[Line]]
    problems: Sequence[Problem]


def load_catalogue(folder: Path = SEED_DATA) -> Catalogue:
    """The facts of a folder. InvalidInput: a row is wrong; the field names file, line and column of the first."""
    return load_folder(folder).catalogue


@lru_cache(maxsize=4)
def load_folder(folder: Path = SEED_DATA) -> Loaded:
    """The facts of a folder with the cells they were read from. InvalidInput as above."""
    loaded = read_catalogue(folder)
    if loaded.problems:
        first = loaded.problems[0]
        where = f"{first.file}:{first.line}" + (f": {first.field}" if first.field else "")
        raise InvalidInput(where, first.reason.code, **first.reason.params)
    return loaded


def read_catalogue(folder: Path) -> Loaded:
    """Everything of a folder that can be read, and everything that cannot."""
    rows: dict[str, list[Row]] = {}
    problems: list[Problem] = []
    for name, table in BY_FIELD.items():
        rows[name], found = read_table(folder, table)
        problems += found
    return _loaded(rows, problems)


def assemble(lines: Mapping[str, Sequence[Line]]) -> Loaded:
    """The catalogue of lines that were stored, edited or imported, by table."""
    rows: dict[str, list[Row]] = {}
    problems: list[Problem] = []
    for name, table in BY_FIELD.items():
        rows[name], found = read_lines(table, lines.get(name, ()))
        problems += found
    return _loaded(rows, problems)


def _loaded(rows: Mapping[str, Sequence[Row]], problems: Sequence[Problem]) -> Loaded:
    lines = {name: [Line(row.line, row.cells) for row in found] for name, found in rows.items()}
    factors = _made("cost_factors", rows)
    gpus = _gpus(rows["gpus"])
    by_slug = {gpu.slug: gpu for gpu in gpus}
    by_key = {factor.key: factor for factor in factors}
    plain = (
        "links",
        "precision_support",
        "language_models",
        "other_models",
        "purchase_prices",
        "rental_prices",
        "policy_rows",
        "policy_values",
    )
    catalogue = Catalogue(
        revision=revision_of(lines),
        gpus=gpus,
        servers=tuple(_server(row.values, by_slug, by_key) for row in rows["servers"]),
        cost_factors=factors,
        **{name: _made(name, rows) for name in plain},
    )
    return Loaded(catalogue, lines, problems)


def revision_of(lines: Mapping[str, Sequence[Line]]) -> str:
    """The hash of all cells: equal facts have equal revisions, whether they came from files or from a database, in whatever order."""
    digest = sha256()
    for name in BY_FIELD:
        rows = sorted(json.dumps(dict(sorted(line.cells.items())), ensure_ascii=False) for line in lines[name])
        digest.update(f"{name}\n{chr(10).join(rows)}\n".encode())
    return digest.hexdigest()[:16]


def key_of(name: str, row: Row) -> str:
    """The natural key of a row that was read."""
    return natural_key(name, SimpleNamespace(**row.values))


def _made(name: str, rows: Mapping[str, Sequence[Row]]) -> tuple[Any, ...]:
    return tuple(BY_FIELD[name].kind(**row.values) for row in rows[name])


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
