"""Seed files → database → domain types, and back again."""

from dataclasses import fields, replace

import pytest
from sqlalchemy import text

from app.db import catalogue as repository
from app.db.engine import Session
from app.domain.errors import DataMissing
from app.seeds import load_catalogue
from app.services import catalogue as service

TABLES = sorted(repository.TABLES)


@pytest.mark.parametrize("table", TABLES)
def test_every_row_comes_back_as_it_was(session: Session, table: str) -> None:
    expected = service.seed(session)
    found = repository.load(session, expected.revision)
    assert repr(getattr(found, table)) == repr(getattr(expected, table))


@pytest.mark.parametrize("table", TABLES)
def test_every_field_has_a_column(table: str) -> None:
    kind, model = repository.TABLES[table]
    named = {item.name for item in fields(kind)} - {"source"}
    columns = set(model.__table__.columns.keys())
    assert named - columns == set(), "fields without a column"
    sources = {"source_title", "source_url", "source_on", "source_evidence"}
    assert columns - named == {"natural_key", "position"} | sources, "columns without a field"


def test_current_has_the_revision_of_the_files(session: Session) -> None:
    service.seed(session)
    assert service.current(session).revision == load_catalogue().revision


def test_empty_database_says_so(session: Session) -> None:
    session.execute(text("DELETE FROM catalogue_revisions"))
    with pytest.raises(DataMissing):
        service.current(session)


def test_second_seeding_changes_nothing(session: Session) -> None:
    catalogue = service.seed(session)
    service.seed(session)
    assert repository.count_rows(session) == catalogue.row_count
    assert repository.count_revisions(session) == 1


def test_new_revision_replaces_changed_and_vanished_rows(session: Session) -> None:
    old = service.seed(session)
    dearer = replace(old.gpus[0], notes="looked at again")
    new = replace(old, revision="0123456789abcdef", gpus=(dearer, *old.gpus[2:]))
    service.seed(session, new)
    found = service.current(session)
    assert (found.revision, found.gpus) == (new.revision, new.gpus)
    service.seed(session, old)
    assert service.current(session).gpus == old.gpus
