"""The formats a sheet comes in. A new one is a module and a line here."""

from collections.abc import Callable
from dataclasses import dataclass

from app.export.csv import write_csv
from app.export.issue import Issue
from app.export.json import write_json
from app.export.markdown import write_markdown
from app.export.pdf import write_pdf
from app.export.xlsx import write_xlsx


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """A format: its media type, and the function that makes its bytes in a locale."""

    media_type: str
    write: Callable[[Issue, str], bytes]


WRITERS = {
    "json": Writer(media_type="application/json", write=write_json),
    "xlsx": Writer(media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", write=write_xlsx),
    "csv": Writer(media_type="text/csv; charset=utf-8", write=write_csv),
    "md": Writer(media_type="text/markdown; charset=utf-8", write=write_markdown),
    "pdf": Writer(media_type="application/pdf", write=write_pdf),
}
