"""Messages to sentences."""

from app.domain.errors import Message, Param
from app.text.catalogues import translator
from app.text.formats import by_name
from app.text.words import words


def render(message: Message, locale: str) -> str:
    """The sentence of a message in a language. KeyError: the code has no sentence, or the sentence lacks a parameter (a test looks for both)."""
    sentence = translator(locale).gettext(words()[message.code])
    return sentence.format_map({name: _param(name, value, locale) for name, value in message.params.items()})


def _param(name: str, value: Param, locale: str) -> str:
    if isinstance(value, Message):
        return render(value, locale)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return by_name(name, value, locale)
    return "" if value is None else str(value)
