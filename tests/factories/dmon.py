"""Logs as nvidia-smi dmon prints them."""

from collections.abc import Iterable, Mapping, Sequence

UNITS = {
    "pwr": "W", "gtemp": "C", "mtemp": "C", "temp": "C", "sm": "%", "mem": "%", "enc": "%", "dec": "%", "jpg": "%", "ofa": "%",
    "mclk": "MHz", "pclk": "MHz", "pviol": "%", "tviol": "bool", "fb": "MB", "bar1": "MB", "ccpm": "MB",
    "sbecc": "errs", "dbecc": "errs", "pci": "errs", "rxpci": "MB/s", "txpci": "MB/s",
}  # fmt: skip
PUC = ("pwr", "gtemp", "mtemp", "sm", "mem", "enc", "dec", "mclk", "pclk")
USUAL = {"pwr": 300, "gtemp": 60, "mtemp": "-", "sm": 80, "mem": 40, "enc": 0, "dec": 0, "mclk": 1593, "pclk": 1410}

Cell = int | str


def header(columns: Sequence[str] = PUC, width: int = 6) -> str:
    """The two header lines."""
    names = "".join(name.rjust(width) for name in columns)
    units = "".join(UNITS.get(name, "GPM:%").rjust(width) for name in columns)
    return f"# gpu{names}\n# Idx{units}\n"


def row(gpu: int, cells: Mapping[str, Cell], columns: Sequence[str] = PUC, width: int = 6) -> str:
    """One row; cells that are not given are usual."""
    return f"{gpu:5d}" + "".join(str(cells.get(name, USUAL.get(name, 0))).rjust(width) for name in columns) + "\n"


def a_log(cycles: Iterable[Sequence[Mapping[str, Cell]]], columns: Sequence[str] = PUC, width: int = 6) -> bytes:
    """A log of one row per GPU and cycle, with the header again after every 44 rows, as the tool prints it."""
    lines: list[str] = []
    count = 0
    for cycle in cycles:
        for gpu, cells in enumerate(cycle):
            if count % 44 == 0:
                lines.append(header(columns, width))
            lines.append(row(gpu, cells, columns, width))
            count += 1
    return "".join(lines).encode()


def steady(cycle_count: int, gpu_count: int = 1, **cells: Cell) -> list[list[dict[str, Cell]]]:
    """The same cells in every row."""
    return [[dict(cells) for _ in range(gpu_count)] for _ in range(cycle_count)]
