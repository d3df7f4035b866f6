"""A recommender from its questions to an issued sheet, page by page: no dead end on the way."""

from typing import Any

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.domain.money import Currency
from app.services import catalogue
from tests.factories.projects import a_project
from tests.unit.domain.selection.test_recommenders import COMMON, SERVING, TRAINING


@pytest.mark.parametrize("work", [{"training": TRAINING}, {"inference": SERVING}], ids=["train", "infer"])
def test_from_the_questions_to_a_sheet(signed_in: TestClient, database: Database, work: dict[str, Any]) -> None:
    with database.write() as session:
        catalogue.seed(session)
    project = f"/projects/{a_project(database, 'Ranking', Currency.USD)}"
    answer = signed_in.put(f"/api/v1{project}/intake", json={**COMMON, "model": {"name": "dlrm-dcnv2"}, **work})
    assert answer.status_code == 200, answer.text
    for step in ("workload/check", "workload/estimate", "options", "options/0", "cost", "sheet"):
        shown = signed_in.get(f"{project}/{step}")
        assert shown.status_code == 200, (step, shown.text)
    options = BeautifulSoup(signed_in.get(f"{project}/options").text, "html.parser")
    assert options.select_one("[data-test=card-best]")
    form = options.select_one("[data-test=candidate] form")
    assert form is not None
    assert (
        signed_in.post(f"{project}/options", data={str(box["name"]): str(box["value"]) for box in form.select("input")}).status_code == 303
    )
    assert signed_in.post(f"{project}/sheet").status_code == 303
    for kind in ("pdf", "xlsx", "csv", "md", "json"):
        assert signed_in.get(f"/api/v1{project}/sheets/1.{kind}").status_code == 200
