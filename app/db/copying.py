"""Whole tables out of a database and into another, as PostgreSQL's own text format, which every version of it reads."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from typing import Any, LiteralString

import psycopg
from psycopg import sql
from sqlalchemy import CursorResult, text

from app.db.engine import Session
from app.domain.errors import InvalidInput

NOT_OURS = ("alembic_version",)
"""Says which migrations ran; they write it themselves."""

QUEUE = "procrastinate_"
"""How the queue's own tables begin; workers write there as soon as they run."""

_TABLES = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY relname"
_COLUMNS = """SELECT attname FROM pg_attribute
    WHERE attrelid = CAST(:table AS regclass) AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum"""
_REFERENCES = """SELECT DISTINCT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint
    WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conrelid <> confrelid"""
_SEQUENCES = "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = current_schema() AND last_value IS NOT NULL"


def one_moment(session: Session) -> None:
    """Makes everything that the session reads from now on as of one moment. To be called before it reads anything."""
    session.connection(execution_options={"isolation_level": "REPEATABLE READ"})


def tables(session: Session) -> tuple[str, ...]:
    """Every table, those that others refer to first."""
    names = [name for name in session.scalars(text(_TABLES)) if name not in NOT_OURS]
    order = TopologicalSorter[str](dict.fromkeys(names, ()))
    for table, wanted in session.execute(text(_REFERENCES)):
        order.add(table, wanted)
    return tuple(order.static_order())


def columns(session: Session, table: str) -> tuple[str, ...]:
    """The columns that hold something of their own."""
    return tuple(session.scalars(text(_COLUMNS), {"table": f'"{table}"'}))


def is_filled(session: Session) -> bool:
    """Whether any table holds a row that the migrations did not write."""
    return any(_execute(session, "SELECT 1 FROM {} LIMIT 1", table).first() for table in tables(session) if not table.startswith(QUEUE))


def rows_out(session: Session, table: str, named: Sequence[str]) -> Iterator[bytes]:
    """The rows of a table."""
    with _driver(session).cursor().copy(_copy(table, named, "TO STDOUT")) as copy:
        for piece in copy:
            yield bytes(piece)


def rows_in(session: Session, table: str, named: Sequence[str], pieces: Iterable[bytes]) -> None:
    """Puts rows into a table. InvalidInput: they do not fit it."""
    try:
        with _driver(session).cursor().copy(_copy(table, named, "FROM STDIN")) as copy:
            for piece in pieces:
                copy.write(piece)
    except (psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError):
        raise InvalidInput("backup", "backup.unfit", table=table) from None


def sequences(session: Session) -> Mapping[str, int]:
    """The last number that each sequence gave."""
    return {row.sequencename: row.last_value for row in session.execute(text(_SEQUENCES))}


def continue_sequences(session: Session, last: Mapping[str, int]) -> None:
    """Lets the sequences count on from there."""
    for name, value in last.items():
        session.execute(text("SELECT setval(CAST(:name AS regclass), :value)"), {"name": f'"{name}"', "value": value})


def empty(session: Session) -> None:
    """Takes every row out of every table, and lets what follows take its time."""
    session.execute(text("SET LOCAL statement_timeout = 0"))
    session.execute(text("SET LOCAL lock_timeout = '10s'"))
    found = tables(session)
    for table in found:
        _execute(session, "ALTER TABLE {} DISABLE TRIGGER USER", table)
    if found:
        _execute(session, "TRUNCATE {}", *found)


def wake_triggers(session: Session) -> None:
    """Ends what `empty` began: rows that come from now on are watched again."""
    session.execute(text("SET CONSTRAINTS ALL IMMEDIATE"))
    for table in tables(session):
        _execute(session, "ALTER TABLE {} ENABLE TRIGGER USER", table)


def _execute(session: Session, statement: LiteralString, *named: str) -> CursorResult[Any]:
    listed = sql.SQL(", ").join(map(sql.Identifier, named))
    return session.connection().exec_driver_sql(sql.SQL(statement).format(listed).as_string())


def _copy(table: str, named: Sequence[str], way: LiteralString) -> sql.Composed:
    listed = sql.SQL(", ").join(map(sql.Identifier, named))
    return sql.SQL("COPY {} ({}) ").format(sql.Identifier(table), listed) + sql.SQL(way)


def _driver(session: Session) -> Any:
    return session.connection().connection.driver_connection
