"""How wrong the method was on published measurements, by quantity and GPU architecture: written by `make accuracy`, shown beside each figure."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from app.seeds.loading import SEED_DATA

FILE = "expected_errors.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedError:
    """The mean over sources of the median error, over all GPUs and by their architecture."""

    error_ratio: float
    source_count: int
    row_count: int
    by_architecture: tuple[tuple[str, float], ...]


@cache
def expected_errors() -> Mapping[str, ExpectedError]:
    """By quantity, as the published measurements name it."""
    with (SEED_DATA / FILE).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return {
        row["quantity"]: ExpectedError(
            error_ratio=float(row["error_ratio"]),
            source_count=int(row["source_count"]),
            row_count=int(row["row_count"]),
            by_architecture=tuple(
                (one["architecture"], float(one["error_ratio"]))
                for one in rows
                if one["quantity"] == row["quantity"] and one["architecture"]
            ),
        )
        for row in rows
        if not row["architecture"]
    }
