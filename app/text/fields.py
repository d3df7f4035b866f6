"""Fields of the contract and the values assumed for them, as text."""

from app.domain.errors import message
from app.text.formats import significant
from app.text.render import render
from app.text.words import words


def field_text(field: str, locale: str) -> str:
    """A field's label where it has one, else its name in the contract."""
    for code in (f"intake.label.{field}", f"cost.input.{field}"):
        if code in words():
            return render(message(code), locale)
    return field


def step_label(key: str, locale: str) -> str:
    """The name of the figure that a step makes, or its key where it has none."""
    return render(message(key), locale) if key in words() else key


def assumed_text(value: str | int | float | bool | None, locale: str) -> str:
    """An assumed value; nothing assumed is a dash."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return render(message("sheet.yes" if value else "sheet.no"), locale)
    return value if isinstance(value, str) else significant(float(value), locale)
