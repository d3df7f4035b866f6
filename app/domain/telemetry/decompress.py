"""gzip and zstd streams to plain bytes, with hard limits: a small file must not become a large memory."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final

import zstandard

from app.domain.telemetry.rejection import Rejected, Report
from app.domain.units import GIB, KIB, MIB

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
OUTPUT_LIMIT_BYTES = 8 * GIB  # about 50 million rows of 22 columns
RATIO_LIMIT = 400  # a log of an idle node shrinks 100 to 250 times; a bomb a thousand times
RATIO_FREE_BYTES = 64 * MIB  # below, any ratio is harmless
PIECE_BYTES = MIB
SIP_BYTES = KIB


def plain(chunks: Iterable[bytes], report: Report) -> Iterator[bytes]:
    """The bytes behind a gzip or zstd stream, found by its magic number; other bytes pass unchanged. Rejected: broken, or too much output."""
    stream = iter(chunks)
    head = b""
    for chunk in stream:
        head += chunk
        if len(head) >= len(ZSTD):
            break
    whole = chain([head], stream)
    if head.startswith(GZIP):
        return _limited(whole, lambda counted: _gunzip(counted, report))
    if head.startswith(ZSTD):
        return _limited(whole, lambda counted: _unzstd(counted, report))
    return _limited(whole, iter)


class _Counted:
    """Counts the bytes that pass."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self.size = 0

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        chunk = next(self._chunks)
        self.size += len(chunk)
        return chunk


def _limited(chunks: Iterable[bytes], reader: Callable[[_Counted], Iterator[bytes]]) -> Iterator[bytes]:
    counted = _Counted(chunks)
    size = 0
    for piece in reader(counted):
        size += len(piece)
        if size > OUTPUT_LIMIT_BYTES:
            raise Rejected("telemetry.too_large", limit_bytes=float(OUTPUT_LIMIT_BYTES))
        if size > RATIO_FREE_BYTES and size > RATIO_LIMIT * max(1, counted.size):
            raise Rejected("telemetry.compression_bomb", ratio_count=RATIO_LIMIT)
        yield piece
    if not size and counted.size:
        raise Rejected("telemetry.corrupt", compression="compressed")


def _gunzip(source: Iterable[bytes], report: Report) -> Iterator[bytes]:
    inflater = zlib.decompressobj(wbits=31)
    try:
        for chunk in source:
            pending = chunk
            while pending:
                if inflater.eof:  # another member, as `cat a.gz b.gz` makes
                    inflater = zlib.decompressobj(wbits=31)
                yield inflater.decompress(pending, PIECE_BYTES)
                pending = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
    except zlib.error:
        raise Rejected("telemetry.corrupt", compression="gzip") from None
    if not inflater.eof:
        report.remark("telemetry.remark.compressed_cut")


def _unzstd(source: Iterable[bytes], report: Report) -> Iterator[bytes]:
    """In small sips: four bytes of zstd can stand for 128 KiB, and this decompressor returns all that a sip gives."""
    decompressor = zstandard.ZstdDecompressor(max_window_size=128 * MIB)
    frame = decompressor.decompressobj()
    try:
        for chunk in source:
            for start in range(0, len(chunk), SIP_BYTES):
                pending = chunk[start : start + SIP_BYTES]
                while pending:
                    if frame.eof:  # another frame
                        frame = decompressor.decompressobj()
                    yield frame.decompress(pending)
                    pending = frame.unused_data
    except zstandard.ZstdError:
        raise Rejected("telemetry.corrupt", compression="zstd") from None
    if not frame.eof:
        report.remark("telemetry.remark.compressed_cut")
