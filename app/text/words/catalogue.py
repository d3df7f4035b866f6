"""Sentences about the catalogue."""

from app.text.words import _

WORDS = {
    "catalogue.no_gpu": _("The catalogue has no GPU called “{slug}”."),
    "catalogue.no_server": _("The catalogue has no server called “{slug}”."),
}
