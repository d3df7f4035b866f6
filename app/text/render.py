"""Messages to sentences."""

from app.domain.errors import Message, Param
from app.text.catalogues import LOCALES, translator
from app.text.formats import by_name
from app.text.words import Plural, words

FIXED = "said"  # the code of a message that carries its own sentences, one a locale


def render(message: Message, locale: str) -> str:
    """The sentence of a message in a language. KeyError: the code has no sentence, or the sentence lacks a parameter (a test looks for both)."""
    if message.code == FIXED:
        return str(message.params[locale])
    said, language = words()[message.code], translator(locale)
    sentence = language.ngettext(said.one, said.several, _count(message, said)) if isinstance(said, Plural) else language.gettext(said)
    return sentence.format_map({name: _param(name, value, locale) for name, value in message.params.items()})


def fixed(message: Message) -> Message:
    """The message with its sentences as they are now: for documents that must say the same for ever."""
    if message.code == FIXED:
        return message
    return Message(FIXED, {"code": message.code, **{locale: render(message, locale) for locale in LOCALES}})


def _count(message: Message, said: Plural) -> int:
    value = message.params[said.count]
    return int(value) if isinstance(value, int | float) and value == int(value) else 2


def _param(name: str, value: Param, locale: str) -> str:
    if isinstance(value, Message):
        return render(value, locale)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return by_name(name, value, locale)
    return "" if value is None else str(value)
