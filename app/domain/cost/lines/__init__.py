"""The lines of a cost table in the order they are read: what is bought, what is paid, what comes back. One module and one entry a line."""

from app.domain.cost.line import CostLine
from app.domain.cost.lines import (
    cooling,
    electricity,
    gpu,
    hosting,
    maintenance,
    network,
    one_off,
    other_capex,
    other_opex,
    rack,
    rent,
    residual,
    server,
    software,
    spares,
    staff,
    storage,
)

LINES: tuple[CostLine, ...] = (
    gpu.LINE,
    server.LINE,
    network.LINE,
    storage.LINE,
    rack.LINE,
    spares.LINE,
    other_capex.LINE,
    residual.LINE,
    rent.LINE,
    electricity.LINE,
    cooling.LINE,
    hosting.LINE,
    maintenance.LINE,
    staff.LINE,
    software.LINE,
    other_opex.LINE,
    one_off.LINE,
)
