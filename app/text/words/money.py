"""Sentences about money."""

from app.text.words import _

WORDS = {
    "money.mixed_currencies": _("{left} and {right} cannot be added: convert one of them first."),
    "money.no_rate": _("There is no exchange rate from {left} to {right}."),
    "money.usd": _("{amount_usd}"),
    "money.cny": _("{amount_cny}"),
}
