"""Sentences about accounts."""

from app.text.words import _

WORDS = {
    "account.name_missing": _("Give it a name."),
    "account.name_too_long": _("The name is too long: at most {limit} characters."),
    "account.name_taken": _("Somebody is already called “{name}”."),
    "account.no_user": _("Nobody is called “{name}”."),
    "account.no_token": _("There is no such token, or it was revoked before."),
    "account.link_refused": _("This sign-in link was used before, has expired, or is not complete."),
    "account.sign_in_first": _("Sign in, or send a token: “Authorization: Bearer …”."),
    "account.token_refused": _("The token is unknown or was revoked."),
}
