"""Issuing sheets: numbers count up, and what was issued stays as it was."""

from dataclasses import replace
from decimal import Decimal
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.db import sheets as repository
from app.db.engine import Database, Session
from app.domain.errors import NotFound
from app.domain.money import Currency
from app.services import cost_summary, costs, sheets
from app.services.costs import SetInput
from app.services.sheets import IssueSheet
from app.wire.sheet import fingerprint, with_fixed_words
from tests.factories.answered import NOW, an_answered_project
from tests.factories.projects import gone


@pytest.fixture
def project_id(database: Database) -> UUID:
    return an_answered_project(database)


@pytest.fixture
def writing(database: Database) -> Session:  # type: ignore[misc] -- a generator fixture
    """A session that stores."""
    with database.write() as session:
        yield session


def test_issues_count_up_and_are_listed_newest_first(writing: Session, project_id: UUID) -> None:
    numbers = [sheets.issue(writing, IssueSheet(project_id=project_id, by="Lin"), now=NOW) for _ in range(2)]
    assert numbers == [1, 2]
    assert [row.number for row in sheets.issues(writing, project_id)] == [2, 1]


def test_an_issue_is_read_back_as_it_was_issued(writing: Session, project_id: UUID) -> None:
    preview = sheets.preview(writing, project_id, now=NOW)
    assert preview is not None
    found = sheets.get(writing, project_id, sheets.issue(writing, IssueSheet(project_id=project_id, by="Lin"), now=NOW))
    assert found.sheet == with_fixed_words(replace(preview, issued_by="Lin"))
    assert fingerprint(found.document) == found.sha256


@pytest.mark.parametrize("change", ["document = '{}'", "sha256 = ''", "number = 9", "issued_by = 'Wu'"])
def test_the_database_refuses_every_change_of_an_issue(writing: Session, project_id: UUID, change: str) -> None:
    sheets.issue(writing, IssueSheet(project_id=project_id, by="Lin"), now=NOW)
    with pytest.raises(DBAPIError, match="an issued sheet is never changed"), writing.begin_nested():
        writing.execute(text(f"UPDATE sheets SET {change}"))
    assert sheets.get(writing, project_id, 1).sheet.issued_by == "Lin"


def test_an_issue_survives_what_happens_to_the_project_afterwards(writing: Session, project_id: UUID) -> None:
    sheets.issue(writing, IssueSheet(project_id=project_id, by="Lin"), now=NOW)
    before = sheets.get(writing, project_id, 1)
    costs.set_input(
        writing, SetInput(project_id=project_id, key="own.pue", value=Decimal("1.1"), currency=Currency.CNY, seen=""), NOW.date()
    )
    assert sheets.get(writing, project_id, 1) == before
    second = sheets.get(writing, project_id, sheets.issue(writing, IssueSheet(project_id=project_id, by="Lin"), now=NOW))
    assert second.sheet.cost.overrides == ("own.pue",)
    assert second.sheet.cost.columns[0].total < before.sheet.cost.columns[0].total


def test_a_sheet_says_what_makes_it_again(writing: Session, project_id: UUID) -> None:
    first, second = (sheets.preview(writing, project_id, now=NOW) for _ in range(2))
    assert first == second
    assert first is not None
    assert first.inputs["answers"]["model.name"] == "llama-2-13b"
    assert first.inputs["fx"]["on"] == "2026-10-30"
    assert first.revisions.catalogue
    assert first.revisions.method == sheets.method_revision()


def test_deleting_a_project_deletes_its_sheets(writing: Session, project_id: UUID) -> None:
    sheets.issue(writing, IssueSheet(project_id=project_id, by="Lin"), now=NOW)
    gone(writing, project_id)
    with pytest.raises(NotFound):
        sheets.issues(writing, project_id)
    assert repository.issues(writing, project_id) == ()


def test_unknown_issue_format_and_project_are_not_found(writing: Session, project_id: UUID) -> None:
    sheets.issue(writing, IssueSheet(project_id=project_id, by="Lin"), now=NOW)
    for asked in ((project_id, 2, "pdf"), (project_id, 1, "docx"), (uuid4(), 1, "pdf")):
        with pytest.raises(NotFound):
            sheets.file(writing, *asked, "en")


def test_an_override_is_stored_in_its_currency_and_taken_back(writing: Session, project_id: UUID) -> None:
    today = NOW.date()
    sourced = costs.of_project(writing, project_id, today)
    assert sourced.tco is not None
    costs.set_input(
        writing, SetInput(project_id=project_id, key="own.gpu_price", value=Decimal(10000), currency=Currency.USD, seen=""), today
    )
    changed = costs.of_project(writing, project_id, today)
    row = next(row for row in changed.inputs if row.entry.key == "own.gpu_price")
    assert row.is_overridden
    assert row.entry.value == Decimal(10000) * sourced.tco.scenario.fx.rate
    costs.reset_input(writing, project_id, "own.gpu_price", row.seen, today)
    assert costs.of_project(writing, project_id, today).tco == sourced.tco


def test_the_rail_line_follows_the_overrides(writing: Session, project_id: UUID) -> None:
    lines = []
    for price, seen in ((10000, ""), (90000, "10000 CNY")):
        command = SetInput(project_id=project_id, key="own.gpu_price", value=Decimal(price), currency=Currency.CNY, seen=seen)
        costs.set_input(writing, command, NOW.date())
        said = cost_summary.said(writing, project_id)
        assert said is not None
        lines.append(said[0].params["total_cny"])
    assert lines[0] != lines[1]


def test_two_currencies_show_the_same_cost(writing: Session, project_id: UUID) -> None:
    yuan, dollars = (costs.of_project(writing, project_id, NOW.date(), currency) for currency in (Currency.CNY, Currency.USD))
    assert yuan.tco is not None
    assert dollars.tco is not None
    rate = yuan.tco.scenario.fx.rate
    for first, second in zip(yuan.tco.options, dollars.tco.options, strict=True):
        assert abs(first.total.amount / rate - second.total.amount) < Decimal("0.02")
