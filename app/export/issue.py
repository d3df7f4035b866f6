"""A sheet as it was issued, with the document it was read from."""

from dataclasses import dataclass

from app.domain.sheet import ConfigurationSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """What a writer needs: the sheet, its canonical document, and the document's SHA-256."""

    sheet: ConfigurationSheet
    document: str
    sha256: str
