"""What some layers must not do, and that the checks see it when they do."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.architecture import source

Check = Callable[[ast.AST], Iterator[ast.AST]]


def found(check: Check, paths: list[Path]) -> list[str]:
    return [source.where(path, node) for path in paths for node in check(ast.parse(path.read_text(encoding="utf-8")))]


def test_domain_does_not_read_the_clock() -> None:
    assert found(source.clock_calls, source.files("domain")) == []


def test_services_write_no_sql() -> None:
    assert found(source.sql_imports, source.files("services")) == []


def test_only_the_database_wiring_ends_transactions() -> None:
    allowed = source.APP / "db" / "engine.py"
    assert found(source.transaction_calls, [path for path in source.files() if path != allowed]) == []


def test_units_are_converted_in_one_place() -> None:
    allowed = source.APP / "domain" / "units.py"
    assert found(source.unit_literals, [path for path in source.files("domain") if path != allowed]) == []


@pytest.mark.parametrize(
    ("check", "bad", "good"),
    [
        (source.clock_calls, "x = datetime.now(UTC)", "def f(now: datetime) -> datetime: return now"),
        (source.sql_imports, "from sqlalchemy import select", "from sqlalchemy.exc import IntegrityError"),
        (source.transaction_calls, "session.commit()", "session.flush()"),
        (source.unit_literals, "x = size_bytes / 1024**3", "x = as_gib(size_bytes)"),
        (source.unit_literals, "x = 2**30", "x = 2**3"),
    ],
)
def test_check_sees_what_it_is_for(check: Check, bad: str, good: str) -> None:
    assert list(check(ast.parse(bad)))
    assert not list(check(ast.parse(good)))
