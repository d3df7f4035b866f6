"""What cannot be used is refused in one way, whatever the format: a typed rejection that says what the file looks like."""

import gzip

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import message
from app.domain.telemetry import Rejected, read
from app.domain.telemetry.registry import FORMATS
from tests.factories.dmon import a_log, header, row, steady


def _code(data: bytes) -> str:
    with pytest.raises(Rejected) as caught:
        read([data])
    return caught.value.message.code


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "telemetry.empty"),
        (b"\n\n  \n", "telemetry.empty"),
        (b"\x7fELF" + bytes(range(256)) * 20, "telemetry.binary"),
        (b"PK\x03\x04" + bytes(2000), "telemetry.binary"),
        (b"To be, or not to be, that is the question.\n" * 50, "telemetry.unknown_format"),
        (b"2026/01/01 00:00:00.000, 5 %\n", "telemetry.unknown_format"),
        (b'{"traceEvents": []}', "telemetry.unknown_format"),
        (header().encode(), "telemetry.no_rows"),
        (gzip.compress(bytes(80_000_000), mtime=0), "telemetry.binary"),
        (gzip.compress(b" " * 300_000_000, mtime=0), "telemetry.compression_bomb"),
        (zstandard.compress((header() + row(0, {})).encode() + b" " * 300_000_000), "telemetry.compression_bomb"),
        (gzip.compress(a_log(steady(50)), mtime=0)[:30] + b"garbage" * 9, "telemetry.corrupt"),
        (zstandard.compress(a_log(steady(50)))[:40] + b"garbage" * 9, "telemetry.corrupt"),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value[:12]),
)
def test_unusable_files_are_refused_with_their_reason(data: bytes, code: str) -> None:
    assert _code(data) == code


def test_the_refusal_says_what_the_file_looks_like() -> None:
    with pytest.raises(Rejected) as caught:
        read([b"2026/01/01 00:00:00.000, 5 %\n"])

    assert caught.value.message.params["looks_like"] == message("looks.query_headless")


def test_a_compressed_log_that_was_cut_is_used_as_far_as_it_goes() -> None:
    data = gzip.compress(a_log(steady(3000, sm=50) + steady(1, sm=51)))

    profile = read([data[: len(data) - 12]])

    assert profile.summary.samples > 2000
    assert [remark.code for remark in profile.remarks] == ["telemetry.remark.compressed_cut"]


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=600))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    _read_or_refuse(data)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("#gpuIdxsmmem%W -.,0123456789\n\r\t|>`^C:/\x1b[~$@–\x00"), max_size=400))
def test_any_text_made_of_the_signs_of_a_log_is_read_or_refused(text: str) -> None:
    _read_or_refuse(text.encode())
    _read_or_refuse((header() + text + "\n" + row(0, {}) + text).encode())


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_damaged_log_is_read_or_refused(data: st.DataObject) -> None:
    text = bytearray(a_log(steady(60, gpu_count=2)))
    for _ in range(data.draw(st.integers(1, 12))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=12))
    _read_or_refuse(bytes(text))


def _read_or_refuse(data: bytes) -> None:
    for form in FORMATS:
        form.sniff(data)
    try:
        profile = read([data])
    except Rejected:
        return
    assert profile.summary.samples > 0
    assert profile.summary.duration_s > 0
