"""Issued sheets in the database."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, select

from app.db.engine import Session
from app.db.models.sheets import SheetModel
from app.domain.errors import NotFound

LARGEST_NUMBER = 2**31 - 1  # what the column holds


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedSheet:
    """A sheet as it was issued: the document is canonical JSON and never changes."""

    project_id: UUID
    number: int
    document: str
    sha256: str
    issued_at: datetime
    issued_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueRow:
    """One line of the list of issues."""

    number: int
    sha256: str
    issued_at: datetime
    issued_by: str


def add(session: Session, sheet: IssuedSheet) -> None:
    """Stores an issue; the caller handles the IntegrityError of a number that somebody else took meanwhile."""
    session.add(SheetModel(**{name: getattr(sheet, name) for name in IssuedSheet.__dataclass_fields__}))
    session.flush()


def newest_number(session: Session, project_id: UUID) -> int:
    """The number of the last issue, 0 before the first."""
    return session.scalar(select(func.max(SheetModel.number)).where(SheetModel.project_id == project_id)) or 0


def get(session: Session, project_id: UUID, number: int) -> IssuedSheet:
    """One issue. NotFound: there is none of this number."""
    query = select(SheetModel).where(SheetModel.project_id == project_id, SheetModel.number == number)
    model = session.scalar(query) if 0 < number <= LARGEST_NUMBER else None
    if model is None:
        raise NotFound("sheet.no_issue", number=number)
    return IssuedSheet(**{name: getattr(model, name) for name in IssuedSheet.__dataclass_fields__})


def issues(session: Session, project_id: UUID) -> tuple[IssueRow, ...]:
    """All issues of a project, the newest first, without their documents."""
    columns = (SheetModel.number, SheetModel.sha256, SheetModel.issued_at, SheetModel.issued_by)
    rows = session.execute(select(*columns).where(SheetModel.project_id == project_id).order_by(SheetModel.number.desc()))
    return tuple(IssueRow(number=number, sha256=sha, issued_at=at, issued_by=by) for number, sha, at, by in rows)
