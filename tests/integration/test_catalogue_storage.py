"""Seed files → database → facts, and back again: seeding, what people changed, old revisions."""

from pathlib import Path

import pytest
from sqlalchemy import text

from app.db import catalogue as repository
from app.db.catalogue import NewVersion
from app.db.engine import Session
from app.domain.errors import DataMissing, NotFound
from app.seeds import Loaded, load_catalogue, load_folder, read_catalogue
from app.seeds.tables import BY_FIELD
from app.services import catalogue as service
from app.services import catalogue_rows
from tests.factories.seeds import cell, spoil

L4 = "l4"


def stored(session: Session, table: str, key: str) -> repository.StoredRow:
    (found,) = [row for row in repository.rows(session) if (row.table, row.natural_key) == (table, key)]
    return found


def edit(session: Session, key: str, **cells: str) -> str:
    row = stored(session, "gpus", key)
    version = NewVersion(table="gpus", natural_key=key, cells={**(row.cells or {}), **cells}, row_id=row.id, number=row.number + 1)
    return catalogue_rows.change(session, [version], kind="edit", by="somebody", note="read again")


def shipped_with(folder: Path, notes: str) -> Loaded:
    return read_catalogue(spoil(folder, "gpus.csv", cell(L4, "notes", notes)))


@pytest.mark.parametrize("table", BY_FIELD)
def test_every_row_comes_back_as_it_was(session: Session, table: str) -> None:
    found = service.current(session)
    assert found.revision == load_catalogue().revision
    assert repr(getattr(found, table)) == repr(getattr(load_catalogue(), table))


def test_empty_database_says_so(session: Session) -> None:
    session.execute(text("TRUNCATE catalogue_revisions, catalogue_versions, catalogue_rows"))
    with pytest.raises(DataMissing):
        service.current(session)


def test_second_seeding_changes_nothing(session: Session) -> None:
    before = repository.rows(session), repository.changes(session, 9)
    assert service.seed(session) == ()
    assert (repository.rows(session), repository.changes(session, 9)) == before


def test_change_makes_a_revision_and_the_old_one_stays(session: Session) -> None:
    before = service.current(session)
    revision = edit(session, L4, notes="looked at again")
    after = service.current(session)
    assert after.revision == revision != before.revision
    assert after.gpu(L4).notes == "looked at again"
    assert service.at(session, before.revision).gpu(L4) == before.gpu(L4)
    assert [version.change.changed_by for version in repository.history(session, stored(session, "gpus", L4).id)] == ["somebody", "gpuplan"]


def test_undoing_a_change_leads_back_to_the_revision(session: Session) -> None:
    before = service.current(session)
    edit(session, L4, notes="wrong")
    assert edit(session, L4, notes=before.gpu(L4).notes) == before.revision


def test_unknown_revision_is_not_found(session: Session) -> None:
    with pytest.raises(NotFound):
        service.at(session, "0123456789abcdef")


def test_changed_file_changes_its_row(session: Session, tmp_path: Path) -> None:
    assert service.seed(session, shipped_with(tmp_path, "a newer release")) == ()
    assert service.current(session).gpu(L4).notes == "a newer release"
    assert stored(session, "gpus", L4).number == 2


def test_own_change_outlives_a_release_and_is_reported(session: Session, tmp_path: Path) -> None:
    edit(session, L4, notes="ours")
    assert [item.key for item in service.seed(session)] == [L4]
    (difference,) = service.seed(session, shipped_with(tmp_path, "theirs"))
    assert (difference.shipped["notes"], difference.kept["notes"]) == ("theirs", "ours")
    assert service.current(session).gpu(L4).notes == "ours"


def test_row_that_left_the_files_is_retired_unless_somebody_changed_it(session: Session, tmp_path: Path) -> None:
    edit(session, L4, notes="ours")
    without = spoil(
        tmp_path, "gpus.csv", lambda rows: rows.__setitem__(slice(None), [row for row in rows if row["slug"] not in (L4, "t4")])
    )
    (difference,) = service.seed(session, read_catalogue(without))
    assert (difference.key, difference.shipped) == (L4, None)
    slugs = {gpu.slug for gpu in service.current(session).gpus}
    assert L4 in slugs
    assert "t4" not in slugs
    service.seed(session, load_folder())
    assert service.current(session).gpu("t4") == load_catalogue().gpu("t4")


def test_places_follow_the_files(session: Session, tmp_path: Path) -> None:
    turned = spoil(tmp_path, "gpus.csv", list.reverse)
    service.seed(session, read_catalogue(turned))
    service._kept.clear()
    assert service.current(session).revision == load_catalogue().revision
