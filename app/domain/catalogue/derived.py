"""How the figures came about that no source states: usable memory, a device's share of the board's power, a server's power."""

from collections.abc import Callable, Mapping
from typing import Any

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu, Server
from app.domain.catalogue.memory import readings_of, usable_ratio
from app.domain.catalogue.server_power import PowerParts, modelled_power
from app.domain.catalogue.source import Evidence
from app.domain.estimate import Basis, Derivation, Input, Step
from app.domain.units import as_gib


def derivation_of(row: Any, field: str, catalogue: Catalogue) -> Derivation:
    """The steps that made a field of a row; empty: a source states it."""
    derive = DERIVED.get((type(row).__name__, field))
    return () if derive is None else derive(row, catalogue)


def _usable_memory(gpu: Gpu, catalogue: Catalogue) -> Derivation:
    if gpu.memory_usable_measured or gpu.memory_usable_bytes is None or gpu.memory_marketed_gb is None:
        return ()
    readings = readings_of(catalogue.gpus)
    own = next(reading for reading in readings if reading.name == gpu.name)
    found = usable_ratio(own, readings)
    return (
        Step(
            key="memory_usable",
            formula="M_marketed · r",
            inputs=(
                Input(symbol="M_marketed", value=gpu.memory_marketed_gb, unit="GiB", source=gpu.source.title),
                Input(symbol="r", value=round(found.ratio, 5), unit="1", source=f"{found.board} ({found.class_name})"),
            ),
            result=as_gib(gpu.memory_usable_bytes),
            unit="GiB",
            source=f"{found.board}: {found.class_name}",
            basis=Basis.MODELLED,
        ),
    )


def _share_of_board(gpu: Gpu, _: Catalogue) -> Derivation:
    if gpu.gpus_per_board_count == 1 or gpu.board_tdp_w is None or gpu.tdp_w is None:
        return ()
    return (
        Step(
            key="tdp",
            formula="P_board / n",
            inputs=(
                Input(symbol="P_board", value=float(gpu.board_tdp_w), unit="W", source=gpu.source.title),
                Input(symbol="n", value=gpu.gpus_per_board_count, unit="1"),
            ),
            result=float(gpu.tdp_w),
            unit="W",
            source=gpu.source.title,
            basis=gpu.source.evidence.basis,
        ),
    )


def _server_power(server: Server, catalogue: Catalogue) -> Derivation:
    if server.power_evidence is not Evidence.MODELLED:
        return ()
    parts = PowerParts(
        max_gpu_count=server.max_gpu_count,
        cpu_socket_count=server.cpu_socket_count,
        gpus=tuple(catalogue.gpu(slug) for slug in server.gpu_slugs),
    )
    return modelled_power(parts, {factor.key: factor for factor in catalogue.cost_factors})


DERIVED: Mapping[tuple[str, str], Callable[[Any, Catalogue], Derivation]] = {
    ("Gpu", "memory_usable_bytes"): _usable_memory,
    ("Gpu", "tdp_w"): _share_of_board,
    ("Server", "max_power_w"): _server_power,
}
