"""The errors that pages show are those of today's method."""

import csv

from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.domain.capacity.physics import METHOD_REVISION
from app.seeds.expected import expected_errors
from app.web.trust import COMMANDS, QUANTITIES
from tests.accuracy import expected
from tests.accuracy.published import compared
from tests.accuracy.report import _grouped
from tests.factories.answered import an_answered_project


def test_the_file_is_what_the_published_rows_say() -> None:
    with expected.FILE.open(encoding="utf-8", newline="") as stream:
        stored = list(csv.reader(stream))
    made = expected.table(_grouped(compared(is_watched=False)), METHOD_REVISION)
    assert stored == [list(expected.HEADS), *map(list, made)], "run `make accuracy`"


def test_every_quantity_that_pages_name_was_measured_by_somebody() -> None:
    assert set(QUANTITIES.values()) <= set(expected_errors())
    assert all(0 <= error.error_ratio < 2 and error.row_count >= error.source_count for error in expected_errors().values())


def test_a_derivation_says_how_wrong_it_may_be_and_what_would_measure_it(signed_in: TestClient, database: Database) -> None:
    page = BeautifulSoup(signed_in.get(f"/projects/{an_answered_project(database)}/workload/estimate").text, "html.parser")
    said = [body.get_text(" ") for body in page.select(".derivation-body")]
    assert any("Expected error" in text and "published measurements" in text and "Ampere" in text for text in said)
    assert any(COMMANDS["memory.device"] in text for text in said)
