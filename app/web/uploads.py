"""Bodies that are whole logs: spooled to disk while they arrive, so that memory does not grow with them."""

from collections.abc import AsyncIterator
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import Annotated, BinaryIO, cast

from fastapi import Depends, Request

IN_MEMORY_BYTES = 1 << 20


def as_file(text: str) -> BinaryIO:
    """Pasted text as a file."""
    return BytesIO(text.encode())


async def _spooled(request: Request) -> AsyncIterator[BinaryIO]:
    with SpooledTemporaryFile(max_size=IN_MEMORY_BYTES) as file:
        async for chunk in request.stream():
            file.write(chunk)
        file.seek(0)
        yield cast(BinaryIO, file)


Body = Annotated[BinaryIO, Depends(_spooled, scope="request")]
