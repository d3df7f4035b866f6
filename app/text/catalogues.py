"""Translators, compiled in memory from the `.po` files."""

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALES = ("en", "zh_CN")
DEFAULT_LOCALE = "en"
_FOLDER = Path(__file__).parent.parent / "locales"


@cache
def translator(locale: str) -> NullTranslations:
    """gettext for a locale of `LOCALES`. English is what the code says; nothing is translated twice."""
    if locale == DEFAULT_LOCALE:
        return NullTranslations()
    path = _FOLDER / locale / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        catalogue = read_po(file, locale=locale, domain="messages")
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)
