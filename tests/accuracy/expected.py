"""What pages say of the error to expect: by quantity, over all GPUs and by their architecture, from the same comparisons as the report."""

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import mean, median

from app.seeds import load_catalogue
from tests.accuracy.published import Comparison

FILE = Path(__file__).parents[2] / "seed_data" / "expected_errors.csv"
HEADS = ("quantity", "architecture", "source_count", "row_count", "error_ratio", "method")
FEWEST_ROWS = 4  # of an architecture, below which its own error says little


def table(groups: Mapping[str, Mapping[str, list[Comparison]]], method: str) -> list[tuple[str, ...]]:
    """Rows of `expected_errors.csv`: the mean over sources of the median error."""
    architecture = {gpu.slug: gpu.architecture for gpu in load_catalogue().gpus}
    found = []
    for quantity, sources in sorted(groups.items()):
        every = [one for group in sources.values() for one in group]
        found.append((quantity, "", *_figures(every), method))
        by_family: dict[str, list[Comparison]] = defaultdict(list)
        for one in every:
            by_family[architecture.get(one.row["gpu_slug"], "")].append(one)
        for family, group in sorted(by_family.items()):
            if family and len(group) >= FEWEST_ROWS:
                found.append((quantity, family, *_figures(group), method))
    return found


def write(groups: Mapping[str, Mapping[str, list[Comparison]]], method: str) -> None:
    """Puts the table beside the other facts."""
    with FILE.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([HEADS, *table(groups, method)])


def _figures(group: Iterable[Comparison]) -> tuple[str, str, str]:
    by_source: dict[str, list[float]] = defaultdict(list)
    for one in group:
        by_source[one.row["source"]].append(abs(one.error))
    error = mean(median(errors) for errors in by_source.values())
    return str(len(by_source)), str(sum(map(len, by_source.values()))), f"{error:.3f}"
