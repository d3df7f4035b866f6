"""The power of a configuration: from the estimate of the work where there is one, else from board power and sourced shares."""

from decimal import Decimal

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu
from app.domain.cost import defaults
from app.domain.cost.defaults import default
from app.domain.cost.scenario import Driver, Power, Spread
from app.domain.errors import DataMissing
from app.domain.estimate import Estimate


def power_of(gpu: Gpu, gpu_count: int, average_w: Estimate | None, catalogue: Catalogue) -> tuple[Power, dict[str, str], Spread]:
    """Idle, busy and host watts, where each comes from, and how uncertain the busy power is. DataMissing: the board's power is unknown."""
    if gpu.tdp_w is None:
        raise DataMissing("cost.no_board_power", gpu=gpu.name)
    board_w = Decimal(repr(float(gpu.tdp_w)))
    idle_w, idle_source = _idle(gpu, board_w, catalogue)
    host = default(catalogue, defaults.HOST_SHARE)
    if average_w is not None and average_w.typical > 0:
        busy_w, source = Decimal(repr(round(average_w.typical, 1))), "estimate of the workload"
        spread = Spread(
            low_ratio=max(0.01, average_w.low / average_w.typical), high_ratio=average_w.high / average_w.typical, source=source
        )
    else:
        load = default(catalogue, defaults.LOAD_SHARE)
        busy_w, source, spread = board_w * load.typical, f"{load.typical} · {board_w} W: {load.source}", load.spread
    busy_w = max(busy_w, idle_w)
    power = Power(idle_w=idle_w, typical_w=busy_w, peak_w=board_w, host_w=(host.typical * busy_w * gpu_count).quantize(Decimal("0.1")))
    return power, {Driver.POWER: source, "power.idle_w": idle_source, "power.host_w": f"{host.typical} · n · P_busy: {host.source}"}, spread


OFF, SHARED = "switched off when idle", "shared out over the busy GPUs"


def switched_off(power: Power, gpu_count: int, on_ratio: Decimal, utilisation_ratio: Decimal) -> Power:
    """The same machines when they are off whenever nobody needs them: all of their power, the host's included, follows the hours they are on."""
    on_w = power.gpu_w(utilisation_ratio) + power.host_w / gpu_count
    return Power(typical_w=on_w.quantize(Decimal("0.1")), peak_w=power.peak_w, busy_ratio=None if utilisation_ratio == 1 else on_ratio)


def _idle(gpu: Gpu, board_w: Decimal, catalogue: Catalogue) -> tuple[Decimal, str]:
    if gpu.idle_w is not None:
        return Decimal(repr(float(gpu.idle_w))), gpu.source.title
    key = defaults.IDLE_SHARE_DATACENTRE if gpu.market_class == "datacenter" else defaults.IDLE_SHARE_OTHER
    share = default(catalogue, key)
    return share.typical * board_w, f"{share.typical} · {board_w} W: {share.source}"
