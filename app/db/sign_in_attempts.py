"""Tries at passwords, shared by all web processes."""

from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, select

from app.db.engine import Session
from app.db.models.accounts import SignInAttemptModel


def lock(session: Session, account: str) -> None:
    """Until the end of the transaction nobody else tries that account."""
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(account, 0))))


def add(session: Session, account: str, address: str, now: datetime) -> None:
    """Notes a try."""
    session.add(SignInAttemptModel(account=account, address=address, at=now))
    session.flush()


def of_account(session: Session, account: str, since: datetime, address: str | None = None) -> tuple[int, datetime | None]:
    """How many tries there were for that account, from anywhere or one address, and when the first was."""
    mine = SignInAttemptModel.account == account
    return _since(session, since, mine if address is None else mine & (SignInAttemptModel.address == address))


def of_address(session: Session, address: str, since: datetime) -> tuple[int, datetime | None]:
    """How many tries came from that address, and when the first did."""
    return _since(session, since, SignInAttemptModel.address == address)


def forget(session: Session, account: str, before: datetime) -> None:
    """Forgets an account's tries, after a success, and everybody's that are too old to matter."""
    model = SignInAttemptModel
    session.execute(delete(model).where((model.account == account) | (model.at < before)))


def _since(session: Session, since: datetime, condition: ColumnElement[bool]) -> tuple[int, datetime | None]:
    query = select(func.count(), func.min(SignInAttemptModel.at)).where(condition, SignInAttemptModel.at >= since)
    count, first = session.execute(query).one()
    return count, first
