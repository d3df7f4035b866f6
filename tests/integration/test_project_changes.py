"""A project counts as changed when a part of it is."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import text

from app.db.engine import Database
from app.services import accounts, projects
from app.services.access import Caller
from tests.factories.projects import a_project

LATER = datetime(2031, 5, 1, tzinfo=UTC)
PARTS = {
    "answers": "INSERT INTO intake_questions (project_id, question, texts, unknown, updated_at) VALUES (:project, 'data', '{}', '[]', :at)",
    "sheet": "INSERT INTO sheets (id, project_id, number, document, sha256, issued_at, issued_by) VALUES (gen_random_uuid(), :project, 1, '{}', 'x', :at, '')",
}


def changed_at(database: Database, project_id: UUID) -> datetime:
    with database.read() as session:
        listed = {row.id: row for row in projects.list_projects(session, Caller(accounts.ensure_owner(session)))}
        assert listed[project_id] == projects.get_project(session, project_id)
        return listed[project_id].updated_at


@pytest.mark.parametrize("part", PARTS)
def test_change_of_a_part_is_a_change_of_the_project(database: Database, part: str) -> None:
    project_id, other = a_project(database), a_project(database, "Other")
    before = changed_at(database, other)
    with database.write() as session:
        session.execute(text(PARTS[part]), {"project": project_id, "at": LATER})
    assert changed_at(database, project_id) == LATER
    assert changed_at(database, other) == before < LATER - timedelta(days=1)
    with database.read() as session:
        assert projects.list_projects(session, Caller(accounts.ensure_owner(session)))[0].id == project_id
