"""Sentences about projects."""

from app.text.words import _

WORDS = {
    "project.not_found": _("There is no such project. It may have been deleted."),
    "project.name_missing": _("Give the project a name."),
    "project.name_too_long": _("The name is too long: at most {limit} characters."),
    "project.name_unreadable": _("The name contains a character that cannot be stored."),
    "project.name_taken": _("Another project is already called “{name}”. Choose a different name."),
    "project.stale": _("Somebody changed this project after you opened the page. Look at the new values, then save again."),
}
