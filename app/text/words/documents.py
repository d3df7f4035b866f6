"""Sentences about documents (JSON or YAML) whose values cannot be used."""

from app.text.words import _

WORDS = {
    "document.unknown_key": _("is not a field that is known here."),
    "document.missing": _("is missing."),
    "document.not_an_object": _("must be an object with named fields."),
    "document.not_a_list": _("must be a list."),
    "document.not_a_number": _('must be a number, like 12 or "0.12".'),
    "document.not_finite": _("must be a finite number."),
    "document.not_whole": _("must be a whole number."),
    "document.not_text": _("must be a text of printable characters."),
    "document.not_a_date": _("must be a date, like 2026-10-30."),
    "document.not_a_choice": _("is “{typed}”, but must be one of: {choices}."),
    "document.too_long": _("is longer than {limit} characters."),
    "document.too_many": _("has more than {limit} entries."),
    "document.out_of_range": _("must be between {least} and {most}."),
    "document.not_above": _("must be more than {least} and at most {most}."),
}
