"""Bodies that are whole logs, sent as they are or from the upload form: spooled to disk while they arrive, so that memory does not grow with them."""

from collections.abc import AsyncIterator
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import Annotated, BinaryIO, cast

from fastapi import Depends, Request
from starlette.datastructures import FormData

IN_MEMORY_BYTES = 1 << 20
PASTED_BYTES = 16 << 20


def as_file(text: str) -> BinaryIO:
    """Pasted text as a file."""
    return BytesIO(text.encode())


async def _spooled(request: Request) -> AsyncIterator[BinaryIO]:
    with SpooledTemporaryFile(max_size=IN_MEMORY_BYTES) as file:
        async for chunk in request.stream():
            file.write(chunk)
        file.seek(0)
        yield cast(BinaryIO, file)


async def _log_form(request: Request) -> AsyncIterator[FormData]:
    async with request.form(max_fields=20, max_files=50, max_part_size=PASTED_BYTES) as form:
        yield form


LogForm = Annotated[FormData, Depends(_log_form)]
Body = Annotated[BinaryIO, Depends(_spooled, scope="request")]
