"""The greatest power a server can draw, from its parts, where its vendor's figure is unknown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.domain.catalogue.hardware import Gpu
from app.domain.catalogue.prices import CostFactor
from app.domain.estimate import Basis, Derivation, Input, Step

RATIO_A100 = "power.global.server-power-per-gpu-tdp-a100"
RATIO_H100 = "power.global.server-power-per-gpu-tdp-h100"
RATIO_OTHER = "power.global.server-power-per-gpu-tdp-other"
PER_SOCKET = "power.global.server-per-cpu-socket"
MEMORY_AND_SSD = "power.global.server-memory-and-ssd"
FANS = "power.global.server-fans"


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerParts:
    """What the model of a server's power needs to know of it."""

    max_gpu_count: int
    cpu_socket_count: int | None
    gpus: tuple[Gpu, ...]  # every supported one


def modelled_power(parts: PowerParts, factors: Mapping[str, CostFactor]) -> Derivation:
    """The larger of boards × board power × (server ÷ GPU power) and boards × board power + sockets, memory and fans; empty: no board power is known.

    The first scales with the GPUs as nameplates do, the second is the floor that the host sets when the GPUs are small (two sockets and more).
    Source: cost factors of the group power. Valid: nameplate-like upper figures; measured maxima of 8-GPU nodes lie near 82 % of the nameplate."""
    known = [gpu for gpu in parts.gpus if gpu.board_tdp_w is not None]
    if not known:
        return ()
    hungriest = max(known, key=lambda gpu: (gpu.board_tdp_w or 0, gpu.slug))
    board_w = float(hungriest.board_tdp_w or 0)
    ratio = factors[_ratio_key(hungriest)]
    steps = [_scaled(parts.max_gpu_count, hungriest.name, board_w, ratio)]
    if (parts.cpu_socket_count or 0) >= 2:
        steps.append(_summed(parts, hungriest.name, board_w, [factors[key] for key in (PER_SOCKET, MEMORY_AND_SSD, FANS)]))
    if len(steps) == 1:
        return tuple(steps)
    return (*steps, _larger(steps))


def _ratio_key(gpu: Gpu) -> str:
    if gpu.form_factor == "SXM4":
        return RATIO_A100
    return RATIO_H100 if gpu.form_factor == "SXM5" else RATIO_OTHER


def _typical(factor: CostFactor) -> float:
    return float(factor.typical if factor.typical is not None else Decimal(0))


def _cited(factor: CostFactor) -> str:
    return f"{factor.source.title}, {factor.on}"


def _scaled(count: int, gpu: str, board_w: float, ratio: CostFactor) -> Step:
    return Step(
        key="server_power.scaled",
        formula="n · P_board · r",
        inputs=(
            Input(symbol="n", value=count, unit="1"),
            Input(symbol="P_board", value=board_w, unit="W", source=gpu),
            Input(symbol="r", value=_typical(ratio), unit="1", source=_cited(ratio)),
        ),
        result=round(count * board_w * _typical(ratio), 3),
        unit="W",
        source=_cited(ratio),
        basis=Basis.MODELLED,
    )


def _summed(parts: PowerParts, gpu: str, board_w: float, factors: Sequence[CostFactor]) -> Step:
    socket, memory, fans = factors
    sockets = parts.cpu_socket_count or 0
    result = (parts.max_gpu_count * board_w + sockets * _typical(socket) + _typical(memory)) * (1 + _typical(fans))
    return Step(
        key="server_power.summed",
        formula="(n · P_board + s · P_socket + P_memory) · (1 + f)",
        inputs=(
            Input(symbol="n", value=parts.max_gpu_count, unit="1"),
            Input(symbol="P_board", value=board_w, unit="W", source=gpu),
            Input(symbol="s", value=sockets, unit="1"),
            Input(symbol="P_socket", value=_typical(socket), unit="W", source=_cited(socket)),
            Input(symbol="P_memory", value=_typical(memory), unit="W", source=_cited(memory)),
            Input(symbol="f", value=_typical(fans), unit="1", source=_cited(fans)),
        ),
        result=round(result, 3),
        unit="W",
        source=_cited(socket),
        basis=Basis.MODELLED,
    )


def _larger(steps: Sequence[Step]) -> Step:
    return Step(
        key="server_power",
        formula="max(P_scaled, P_summed)",
        inputs=tuple(
            Input(symbol=symbol, value=step.result, unit="W", step=step.key)
            for symbol, step in zip(("P_scaled", "P_summed"), steps, strict=True)
        ),
        result=max(float(step.result) for step in steps),
        unit="W",
        source="; ".join(step.source for step in steps),
        basis=Basis.MODELLED,
    )
