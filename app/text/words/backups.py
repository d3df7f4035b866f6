"""Sentences about backups."""

from app.text.words import _

WORDS = {
    "backup.damaged": _("{file} is no whole backup of GPU Plan: it is damaged, cut short or something else."),
    "backup.newer": _("This backup was made by GPU Plan {product}, which is newer than this one. Upgrade first."),
    "backup.unfit": _("The backup does not fit the table {table}; nothing was changed."),
    "backup.busy": _("{file} exists: another backup is being written, or one was interrupted. Remove it if none is."),
    "backup.not_empty": _("This database is not empty, and nothing was changed. --replace throws away what it holds."),
}
