"""Sources in the reader's language: citations stay as they are, and what the product itself says about an origin is translated."""

from app.text.catalogues import translator

SEPARATOR = "; "


def citation(source: str, locale: str) -> str:
    """A source, or several that are joined by semicolons."""
    translate = translator(locale).gettext
    return SEPARATOR.join(translate(part) if part else part for part in source.split(SEPARATOR))
