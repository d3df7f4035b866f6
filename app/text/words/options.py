"""Sentences of the Options step."""

from app.text.words import _

WORDS = {
    "options.no_candidate": _("The plan has no such candidate any more: answers or evidence changed meanwhile."),
    "options.stale": _("Somebody chose another configuration after you opened the page."),
    "options.not_a_count": _("“{typed}” is not a count."),
    "options.rail": _("{gpu_count} × {gpu}, {server}"),
    "options.rail_run": _("{gpu_count} × {gpu}, {server}; a run takes {run_s}"),
}
