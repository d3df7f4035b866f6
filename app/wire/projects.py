"""A project's own fields as JSON: {"name": …, "currency": "USD", "row_version": 1}."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from app.domain.errors import Message
from app.domain.money import Currency
from app.text.render import render
from app.wire.fields import Bounds, read_object


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFields:
    """What a document says about a project; None where it says nothing."""

    name: str | None
    currency: Currency | None
    row_version: int | None


def parse_project(document: Any) -> ProjectFields:
    """The fields of a document. InvalidInput: one is unknown or of the wrong kind."""
    fields = read_object(document, "")
    fields.only("name", "currency", "row_version")
    return ProjectFields(
        name=fields.text("name") if fields.has("name") else None,
        currency=fields.choice("currency", Currency) if fields.has("currency") else None,
        row_version=fields.whole("row_version", Bounds(), 0) if fields.has("row_version") else None,
    )


def project_json(
    *,
    project_id: UUID,
    name: str,
    currency: Currency,
    row_version: int,
    created_at: datetime,
    updated_at: datetime,
    steps: Iterable[tuple[str, str, Message | None, Message | None]],
    locale: str = "en",
) -> Mapping[str, Any]:
    """A project and its five steps, each with state, answer in one line, and remark."""
    return {
        "id": str(project_id),
        "name": name,
        "currency": currency.value,
        "row_version": row_version,
        "created_at": created_at.isoformat(),
        "updated_at": updated_at.isoformat(),
        "steps": [
            {"step": key, "state": state, "answer": _words(answer, locale), "remark": _words(remark, locale)}
            for key, state, answer, remark in steps
        ],
    }


def _words(said: Message | None, locale: str) -> str | None:
    return None if said is None else render(said, locale)
