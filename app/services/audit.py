"""Who did what when: sign-ins, users, tokens and cost inputs as noted here; catalogue, policy and prices as their versions remember."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.db import audit
from app.db import catalogue as catalogue_rows
from app.db.engine import Session
from app.domain.errors import Message, message

SHOWN_COUNT = 100
COMMAND_LINE = ""
KINDS = {
    "sign_ins": ("signed_in", "refused"),
    "users": ("user_added", "role_changed", "deactivated", "reactivated", "link_made", "password_changed"),
    "tokens": ("token_made", "token_revoked"),
    "costs": ("cost_set", "cost_reset"),
    "catalogue": (),
}
"""What the page can be narrowed to, with the actions noted of each; the catalogue's stand in its own history."""
CODED = ("role", "way")  # params that are codes of our own


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the log. `by` is empty for the command line; `revision` names a change of the catalogue, `project_id` the project it was in."""

    at: datetime
    by: str
    kind: str
    said: Message
    project_id: UUID | None = None
    revision: str = ""


def note(session: Session, by: str, action: str, project_id: UUID | None = None, **params: str) -> None:
    """Notes what somebody does, in the transaction that does it: what is undone was never noted."""
    audit.add(session, by, action, params, project_id)


def entries(session: Session, *, kind: str | None = None, by: str | None = None, before: datetime | None = None) -> tuple[Entry, ...]:
    """The newest lines before a moment; of one kind, or of one person."""
    kinds = KINDS if kind is None else {kind: KINDS[kind]}
    named = {action: name for name, actions in kinds.items() for action in actions}
    found = [
        Entry(
            at=event.at,
            by=event.by,
            kind=named[event.action],
            said=message(f"audit.{event.action}", **{name: _param(name, value) for name, value in event.params.items()}),
            project_id=event.project_id,
        )
        for event in audit.events(session, before=before, limit=SHOWN_COUNT, actions=tuple(named), by=by)
    ]
    if "catalogue" in kinds:
        found += [
            Entry(
                at=change.changed_at,
                by=change.changed_by,
                kind="catalogue",
                said=message(f"audit.catalogue_{change.kind}", note=change.note),
                revision=change.revision,
            )
            for change in catalogue_rows.changes(session, SHOWN_COUNT, before=before, by=by)
        ]
    return tuple(sorted(found, key=lambda entry: entry.at, reverse=True)[:SHOWN_COUNT])


def _param(name: str, value: str) -> Message | str:
    if name == "key":  # of a cost input: its label, the option is in the project
        return message(f"cost.input.{value.rpartition('.')[2]}")
    return message(f"audit.{name}.{value}") if name in CODED else value
