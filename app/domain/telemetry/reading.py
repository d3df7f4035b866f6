"""Reads a telemetry file: bytes in, profile out, in one pass and with a memory that does not grow with the file."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Final

import numpy as np

from app.domain.catalogue.hardware import Gpu
from app.domain.telemetry.decode import blocks
from app.domain.telemetry.decompress import GZIP, ZSTD, plain
from app.domain.telemetry.foreign import SUPPORTED, text_kind
from app.domain.telemetry.format import Block, Format, Rows
from app.domain.telemetry.pcie import link_rate
from app.domain.telemetry.profile import Profile, Result, RunSummary
from app.domain.telemetry.registry import FORMATS
from app.domain.telemetry.rejection import Rejected, Report
from app.domain.telemetry.results import results_of
from app.domain.telemetry.rollup import Rollup
from app.domain.units import MIB

PAGE_ROWS: Final = 1 << 17
SNIFF_BYTES: Final = 4 * MIB
SMALL_BYTES: Final = MIB // 4


def read(chunks: Iterable[bytes], gpu: Gpu | None = None) -> Profile:
    """The profile of a log in any supported format, plain or compressed. Rejected: it cannot be used, and why."""
    report = Report()
    found, text = _recognise(blocks(plain(chunks, report), report))
    if isinstance(found, Profile):
        return found
    rollup = Rollup(report, link_rate(gpu))
    for page, is_last in _with_last(_pages(found.parse(text, report))):
        rollup.add(page, is_last=is_last)
    if not rollup.samples:
        first = report.skipped[0] if report.skipped else None
        raise Rejected("telemetry.no_rows", line=first.line if first else None, format=found.key, reason=first.reason if first else None)
    return _profile(found, rollup, report)


def check(head: bytes, *, is_whole: bool) -> None:
    """Whether a file that begins so can be read, as far as its beginning tells. Rejected: it cannot. A small whole file is read to its end."""
    if is_whole and len(head) <= SMALL_BYTES and not head.startswith((GZIP, ZSTD)):
        read([head])
    else:
        report = Report()
        _recognise(blocks(plain([head], report), report))


def _recognise(text: Iterator[Block]) -> tuple[Format | Profile, Iterator[Block]]:
    """The format of a time series, or what a text of results says as far as its first megabytes go."""
    head: list[Block] = []
    size = 0
    for block in text:
        head.append(block)
        size += len(block.text)
        scores = [(form.sniff(block.text), form) for form in FORMATS]
        best, form = max(scores, key=lambda scored: scored[0])
        if best:
            return form, chain(head, text)
        if size >= SNIFF_BYTES:
            break
    whole = b"".join(block.text for block in head)
    if (results := results_of(whole.decode("utf-8", "replace"))) is not None:
        return _of_results(*results), iter(())
    looks_like = text_kind(whole)
    if not b"".join(block.text.strip() for block in head):
        raise Rejected("telemetry.empty")
    raise Rejected("telemetry.unknown_format", looks_like=looks_like, supported=SUPPORTED)


def _of_results(kind: str, results: tuple[Result, ...]) -> Profile:
    summary = RunSummary(
        format=kind,
        started_at=None,
        duration_s=0.0,
        interval_s=0.0,
        interval_is_assumed=False,
        samples=sum(max(1, len(result.rows)) for result in results),
        cycles=0,
        steady_s=0.0,
        dip_count=0,
        gpus=(),
    )
    return Profile(
        summary=summary,
        unreported=(),
        phases=(),
        bucket_s=1.0,
        series=(),
        skipped=(),
        skipped_count=0,
        dropped=(),
        dropped_count=0,
        remarks=(),
        log_count=1,
        results=results,
    )


def _pages(batches: Iterable[Rows]) -> Iterator[Rows]:
    gathered: list[Rows] = []
    size = 0
    for rows in batches:
        gathered.append(rows)
        size += len(rows.gpu)
        if size >= PAGE_ROWS:
            yield _joined(gathered)
            gathered, size = [], 0
    if gathered:
        yield _joined(gathered)


def _joined(batches: list[Rows]) -> Rows:
    if len(batches) == 1:
        return batches[0]
    names = list(dict.fromkeys(name for rows in batches for name in rows.columns))
    offsets = np.cumsum([0, *(len(rows.gpu) for rows in batches)]).tolist()
    clocks = [rows.clock_s for rows in batches]
    return Rows(
        line=np.concatenate([rows.line for rows in batches]),
        gpu=np.concatenate([rows.gpu for rows in batches]),
        clock_s=np.concatenate([clock for clock in clocks if clock is not None]) if all(clock is not None for clock in clocks) else None,
        has_date=all(rows.has_date for rows in batches),
        columns={name: np.concatenate([_column(rows, name) for rows in batches]) for name in names},
        log_starts=tuple(offset + at for offset, rows in zip(offsets, batches, strict=False) for at in rows.log_starts),
    )


def _column(rows: Rows, name: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    found = rows.columns.get(name)
    return np.full(len(rows.gpu), np.nan, dtype=np.float32) if found is None else found


def _with_last(pages: Iterable[Rows]) -> Iterator[tuple[Rows, bool]]:
    held: Rows | None = None
    for page in pages:
        if held is not None:
            yield held, False
        held = page
    if held is not None:
        yield held, True


def _profile(found: Format, rollup: Rollup, report: Report) -> Profile:
    timeline = rollup.timeline
    interval_s, tick_s = timeline.interval_s(), timeline.seconds_per_tick()
    duration_s = round(timeline.last_tick * tick_s + interval_s, 3)
    started = timeline.started_at_s
    summary = RunSummary(
        format=found.key,
        started_at=None if started is None else datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=started),
        duration_s=duration_s,
        interval_s=interval_s,
        interval_is_assumed=not timeline.has_clock and report.delay_s is None,
        samples=rollup.samples,
        cycles=timeline.cycle_count,
        steady_s=round(rollup.phases.steady_cycles * interval_s, 3),
        dip_count=rollup.phases.dip_count,
        gpus=rollup.gpus(),
    )
    if started is not None:
        summary = replace(summary, started_at=summary.started_at.replace(tzinfo=None))  # type: ignore[union-attr]  # local clock without a zone
    return Profile(
        summary=summary,
        unreported=tuple(name for name in rollup.unreported if name not in rollup.names),
        phases=rollup.phases.phases(tick_s, duration_s) if rollup.phases.is_known else (),
        bucket_s=rollup.buckets.width_ticks * tick_s,
        series=rollup.series(),
        skipped=tuple(report.skipped),
        skipped_count=report.skipped_count,
        dropped=tuple(report.dropped),
        dropped_count=report.dropped_count,
        remarks=tuple(report.remarks),
        log_count=timeline.log_count,
    )
