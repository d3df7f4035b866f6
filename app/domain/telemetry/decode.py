"""Plain bytes of any encoding to blocks of whole lines in UTF-8 with line feeds."""

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from app.domain.telemetry.foreign import SUPPORTED, binary_kind
from app.domain.telemetry.format import Block
from app.domain.telemetry.rejection import Rejected, Report
from app.domain.units import KIB, MIB

HEAD_BYTES = 64 * KIB
BLOCK_BYTES = 2 * MIB
LINE_LIMIT_BYTES = MIB
PIECE_BYTES = MIB
_BYTE_ORDER_MARKS = (  # longest first: UTF-32 begins like UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_CONTROL_SHARE = 0.02


def blocks(chunks: Iterable[bytes], report: Report) -> Iterator[Block]:
    """Whole lines, numbered. Rejected: empty, or not text."""
    stream = iter(chunks)
    head = b""
    for chunk in stream:
        head += chunk
        if len(head) >= HEAD_BYTES:
            break
    if not head:
        raise Rejected("telemetry.empty")
    return _whole_lines(_utf8(_pieces(chain([head], stream)), _encoding(head)), report)


def _pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        if len(chunk) <= PIECE_BYTES:
            yield chunk
        else:
            yield from (chunk[start : start + PIECE_BYTES] for start in range(0, len(chunk), PIECE_BYTES))


def _encoding(head: bytes) -> str | None:
    """The encoding to convert from; None: UTF-8 or close enough to it."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return encoding
    if head.count(0) > len(head) // 4:
        even, odd = head[::2].count(0), head[1::2].count(0)
        if odd > len(head) // 3 and even < len(head) // 100 + 1:
            return "utf-16-le"
        if even > len(head) // 3 and odd < len(head) // 100 + 1:
            return "utf-16-be"
    if len(_CONTROL.findall(head)) > _CONTROL_SHARE * len(head):
        raise Rejected("telemetry.binary", looks_like=binary_kind(head), supported=SUPPORTED)
    return None


def _utf8(chunks: Iterable[bytes], encoding: str | None) -> Iterator[bytes]:
    """Converted to UTF-8, carriage returns made line feeds."""
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace") if encoding else None
    held = b""
    for chunk in chain(chunks, [None]):
        if chunk is None:
            piece = decoder.decode(b"", final=True).encode("utf-8", "replace") if decoder else b""
        else:
            piece = decoder.decode(chunk).encode("utf-8", "replace") if decoder else chunk
        if not held and b"\r" not in piece:
            if piece:
                yield piece
            continue
        piece = held + piece
        held = b"\r" if chunk is not None and piece.endswith(b"\r") else b""
        piece = piece[: len(piece) - len(held)]
        yield piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _whole_lines(pieces: Iterable[bytes], report: Report) -> Iterator[Block]:
    line = 1
    gathered: list[bytes] = []
    size = 0
    for piece in pieces:
        gathered.append(piece)
        size += len(piece)
        if size < BLOCK_BYTES:
            continue
        text = b"".join(gathered)
        end = text.rfind(b"\n") + 1
        if not end and len(text) > LINE_LIMIT_BYTES:
            text = text[:LINE_LIMIT_BYTES]  # enough for a reader to say what the line is, not enough to fill the memory
            report.remark("telemetry.remark.long_line", line=line)
        if end:
            yield Block(text[:end], line)
            line += text.count(b"\n", 0, end)
        rest = text[end:]
        gathered, size = [rest], len(rest) if end else 0
    if rest := b"".join(gathered):
        yield Block(rest, line)
