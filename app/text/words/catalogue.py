"""Sentences about the catalogue and the files it is read from."""

from app.text.words import _

WORDS = {
    "catalogue.no_gpu": _("The catalogue has no GPU called “{slug}”."),
    "catalogue.no_server": _("The catalogue has no server called “{slug}”."),
    "catalogue.no_link": _("The catalogue has no link called “{slug}”."),
    "catalogue.no_factor": _("The catalogue has no cost factor with the key “{key}”."),
    "catalogue.no_memory": _("Nobody has published how much memory the {gpu} has."),
    "fx.too_early": _("There is no exchange rate on or before {on}."),
    "seed.cell_count": _("The line has {found} cells, the header {expected}."),
    "seed.missing_column": _("This column is missing."),
    "seed.no_file": _("The file is missing."),
    "seed.not_a_number": _("“{cell}” is not a number."),
    "seed.not_an_evidence": _("“{cell}” is none of vendor, confirmed, press, template, modelled."),
    "seed.not_csv": _("The file cannot be read as CSV: {reason}."),
    "seed.not_text": _("The file is not UTF-8 text."),
    "seed.not_whole": _("“{cell}” is not a whole number."),
    "seed.not_y_n": _("“{cell}” is neither y nor n."),
    "seed.repeated_column": _("A column stands twice in the header."),
    "seed.surrounding_space": _("The cell begins or ends with a space."),
    "seed.unknown_column": _("This column is unknown."),
}
