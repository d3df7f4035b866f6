"""A copy of the seed data with one cell changed."""

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

from app.seeds import SEED_DATA

Change = Callable[[list[dict[str, str]]], None]


def spoil(folder: Path, file: str, change: Change) -> Path:
    """Copies the seed data to `folder` and lets `change` edit the rows of one file."""
    copy = folder / "seed_data"
    shutil.copytree(SEED_DATA, copy)
    with (copy / file).open(newline="", encoding="utf-8") as stream:
        reader = csv.DictReader(stream)
        header, rows = list(reader.fieldnames or ()), list(reader)
    change(rows)
    with (copy / file).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, header, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return copy


def cell(key: str, column: str, value: str, by: str = "slug") -> Change:
    """Sets one cell of the row whose `by` column is `key`."""

    def change(rows: list[dict[str, str]]) -> None:
        (row,) = [row for row in rows if row[by] == key]
        row[column] = value

    return change


def first(column: str, value: str) -> Change:
    """Sets a cell of the first row."""

    def change(rows: list[dict[str, str]]) -> None:
        rows[0][column] = value

    return change


def twice(rows: list[dict[str, str]]) -> None:
    """Repeats the first row at the end."""
    rows.append(dict(rows[0]))
