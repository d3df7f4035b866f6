"""Sentences about input that cannot be read."""

from app.text.words import _

WORDS = {
    "input.closed": _("is closed."),
    "input.unreadable": _("cannot be read ({reason})."),
    "input.not_a_document": _("is neither JSON nor YAML; reading stopped at line {line}."),
}
