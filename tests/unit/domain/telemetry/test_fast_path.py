"""The reader of aligned rows and the reader of single lines give identical columns."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.telemetry.format import Block, Rows
from app.domain.telemetry.formats.dmon.reader import parse
from app.domain.telemetry.rejection import Report
from tests.factories.dmon import a_log

COLUMNS = ("pwr", "sm", "mem", "fb", "rxpci")
CELL = st.one_of(st.integers(0, 100), st.integers(0, 9_999_999), st.just("-"))
CYCLE = st.lists(st.fixed_dictionaries(dict.fromkeys(COLUMNS, CELL)), min_size=1, max_size=3)


def _joined(text: bytes, *, worth_aligning: int, alignment_limit: int) -> tuple[list[list[float]], Report]:
    report = Report()
    batches: list[Rows] = list(parse([Block(text, 1)], report, worth_aligning=worth_aligning, alignment_limit=alignment_limit))
    names = list(batches[0].columns) if batches else []
    rows = [np.column_stack([batch.line, batch.gpu, *(batch.columns[name] for name in names)]) for batch in batches]
    return np.nan_to_num(np.concatenate(rows), nan=-7.0).tolist() if rows else [], report


@settings(max_examples=150, deadline=None)
@given(st.lists(CYCLE, min_size=1, max_size=60), st.integers(6, 9), st.sampled_from([b"", b"noise\n", b"    0    12\n", b"\n"]))
def test_both_readers_agree(cycles: list[list[dict[str, int | str]]], width: int, noise: bytes) -> None:
    lines = a_log(cycles, COLUMNS, width).splitlines(True)
    text = b"".join(line + (noise if number % 13 == 12 else b"") for number, line in enumerate(lines))

    fast, fast_report = _joined(text, worth_aligning=1, alignment_limit=8)
    slow, slow_report = _joined(text, worth_aligning=1, alignment_limit=0)

    assert fast == slow
    assert fast_report.skipped == slow_report.skipped
