"""Sentences of the audit log."""

from app.text.words import _

WORDS = {
    "audit.signed_in": _("signed in by {way}, from {browser}"),
    "audit.way.link": _("one-time link"),
    "audit.way.password": _("password"),
    "audit.way.company": _("the company’s sign-in"),
    "audit.role.requester": _("requester"),
    "audit.role.procurement": _("procurement"),
    "audit.role.admin": _("administrator"),
    "audit.refused": _("was refused at signing in, from {address}"),
    "audit.user_added": _("added the user {name} as {role}"),
    "audit.role_changed": _("gave {name} the role {role}"),
    "audit.deactivated": _("deactivated {name}"),
    "audit.reactivated": _("let {name} in again"),
    "audit.link_made": _("made a sign-in link for {name}"),
    "audit.password_changed": _("set a new password for {name}"),
    "audit.token_made": _("made the token {name}"),
    "audit.token_revoked": _("revoked the token {name}"),
    "audit.cost_set": _("set the cost input {key} to {value}"),
    "audit.cost_reset": _("took the cost input {key} back"),
    "audit.catalogue_seed": _("brought in the facts of a release {note}"),
    "audit.catalogue_edit": _("changed the catalogue: {note}"),
    "audit.catalogue_import": _("imported into the catalogue: {note}"),
}
