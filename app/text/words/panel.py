"""Sentences of the live panel: on which kind of GPU it is sized, and why."""

from app.text.words import _

WORDS = {
    "panel.gpu.workstation": _(
        "Sized on a workstation card, the first choice for models below {limit_many} parameters on a development machine."
    ),
    "panel.gpu.small": _("Sized on a small data-centre card, the first choice for models below {limit_many} parameters."),
    "panel.gpu.large": _("Sized on an 80 GB data-centre card, the usual first choice from {limit_many} parameters on."),
    "panel.gpu.first": _("Sized on the first GPU of the catalogue, because it lacks the usual one."),
}
