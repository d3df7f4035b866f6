"""Sentences of the Options step."""

from app.text.words import _

WORDS = {
    "options.no_candidate": _("The plan has no such candidate any more: answers or evidence changed meanwhile."),
    "options.no_relaxation": _("The plan has no such reason any more, or no answer would change it."),
    "options.weights_zero": _("At least one merit must weigh something."),
    "options.unknown_candidate": _("“{key}” is no candidate of this plan any more."),
    "options.chart.front": _("nothing beats it in both"),
    "options.chart.rest": _("beaten in both"),
    "options.chart.hours": _("Hours of a run"),
    "options.chart.requests": _("Requests a second"),
    "options.chart.cost": _("Owning"),
    "options.chart.power": _("Power (kW)"),
    "options.stale": _("Somebody chose another configuration after you opened the page."),
    "options.not_a_count": _("“{typed}” is not a count."),
    "options.rail": _("{gpu_count} × {gpu}, {server}"),
    "options.rail_run": _("{gpu_count} × {gpu}, {server}; a run takes {run_s}"),
}
