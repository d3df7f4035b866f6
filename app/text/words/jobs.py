"""Sentences about background jobs."""

from app.text.words import _

WORDS = {
    "job.not_found": _("There is no such job."),
    "job.not_failed": _("Only a job that failed can be tried again."),
    "job.failed": _(
        "The job stopped because of an error on our side. What was uploaded is kept; try again, and tell whoever runs this site if it fails twice."
    ),
}
