"""The Options step: candidates from the answers, the choice, the same plan as JSON and from the API."""

import json
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from uuid import UUID

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.cli.plan import plan as command
from app.db.engine import Database
from app.domain.money import Currency
from app.seeds import load_catalogue
from app.services import catalogue
from tests.conftest import Surface
from tests.factories.plans import RETAIL, an_intake
from tests.factories.projects import a_project
from tests.web.test_workload import CASE


@pytest.fixture
def project_id(database: Database) -> UUID:
    with database.write() as session:
        catalogue.seed(session)
    return a_project(database, currency=Currency.CNY)


@pytest.fixture
def answered(signed_in: TestClient, project_id: UUID) -> str:
    """The address of the Options page of a project whose questions are answered."""
    for key, answers in CASE.items():
        response = signed_in.post(f"/projects/{project_id}/workload/{key}", data={"row_version": "0", **answers})
        assert response.status_code == 303, response.text
    return f"/projects/{project_id}/options"


def page(response: object) -> BeautifulSoup:
    assert response.status_code == 200, response.text  # type: ignore[attr-defined]
    return BeautifulSoup(response.text, "html.parser")  # type: ignore[attr-defined]


def test_without_answers_the_page_leads_to_the_questions(signed_in: TestClient, project_id: UUID) -> None:
    found = page(signed_in.get(f"/projects/{project_id}/options"))
    assert found.select_one(".empty a")["href"] == f"/projects/{project_id}/workload"  # type: ignore[index]
    assert not found.select("[data-test=candidate]")


def test_candidates_and_reasons_are_shown(signed_in: TestClient, answered: str) -> None:
    found = page(signed_in.get(answered))
    assert found.select_one("[data-test=card-best]")
    rows = found.select("[data-test=candidate]")
    plan = signed_in.get(f"{answered}.json").json()
    assert len(rows) == len(plan["candidates"])
    assert len(found.select("[data-test=reason]")) == len(plan["eliminated"])


def test_order_by_role_shows_the_highest_score_first(signed_in: TestClient, answered: str) -> None:
    found = page(signed_in.get(f"{answered}?role=cluster-training", headers={"HX-Request": "true", "HX-Target": "candidates"}))
    assert found.select_one("html") is None
    scores = [int(cell.text) for cell in found.select("td.score-asked")]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) > 1


def test_choosing_goes_on_with_a_candidate(signed_in: TestClient, answered: str, surface: Surface) -> None:
    form = page(signed_in.get(answered)).select("[data-test=candidate] form")[-1]
    data = {field["name"]: field["value"] for field in form.select("input")}
    assert surface.redirect(signed_in.post(answered, data=data, headers=surface.headers)) == answered
    found = page(signed_in.get(answered))
    assert len(found.select(".row-chosen")) == 1
    name = load_catalogue().gpu(data["gpu"]).name
    assert name in found.select_one("[data-test=rail-options]").text  # type: ignore[union-attr]


def test_a_choice_made_in_another_tab_is_shown_beside_mine(signed_in: TestClient, answered: str, surface: Surface) -> None:
    forms = page(signed_in.get(answered)).select("[data-test=candidate] form")
    theirs, mine = ({field["name"]: field["value"] for field in form.select("input")} for form in (forms[0], forms[-1]))
    signed_in.post(answered, data=theirs)
    refused = signed_in.post(answered, data=mine, headers=surface.headers)
    assert refused.status_code == 409
    asked = BeautifulSoup(refused.text, "html.parser").select_one("[data-test=conflict]")
    assert asked is not None
    facts = load_catalogue()
    assert facts.gpu(theirs["gpu"]).name in asked.p.text  # type: ignore[union-attr]
    assert facts.gpu(mine["gpu"]).name in asked.p.text  # type: ignore[union-attr]
    again = {field["name"]: field["value"] for field in asked.select("input")}
    surface.redirect(signed_in.post(answered, data=again, headers=surface.headers))
    surface.redirect(signed_in.post(answered, data=mine, headers=surface.headers))  # pressed twice: it stands there already


def test_a_choice_that_answers_left_behind_is_said(signed_in: TestClient, answered: str, project_id: UUID) -> None:
    """Another model after the choice: either the choice still stands with new figures, or it is gone; the page says which."""
    form = page(signed_in.get(answered)).select_one("[data-test=candidate] form")
    data = {field["name"]: field["value"] for field in form.select("input")}  # type: ignore[union-attr]
    signed_in.post(answered, data=data)
    assert not page(signed_in.get(answered)).select("[data-test=stale], [data-test=lost]")
    later = {**CASE["model"], "model.name": "llama-2-7b", "row_version": "1"}
    assert signed_in.post(f"/projects/{project_id}/workload/model", data=later).status_code == 303
    assert len(page(signed_in.get(answered)).select("[data-test=stale], [data-test=lost]")) == 1


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"gpu": "no-such-gpu"}, 404),
        ({"gpu_count": "many"}, 422),
        ({"gpu_count": "-1"}, 422),
        ({"node_count": "9" * 40}, 422),
        ({"gpu": ""}, 404),
    ],
)
def test_a_candidate_that_is_none_is_refused(signed_in: TestClient, answered: str, change: dict[str, str], status: int) -> None:
    data = {"gpu": "a100-sxm4-80gb", "server": "nvidia-dgx-a100", "gpu_count": "8", "node_count": "1", **change}
    assert signed_in.post(answered, data=data).status_code == status


def test_a_candidate_has_its_own_page(signed_in: TestClient, answered: str) -> None:
    assert page(signed_in.get(f"{answered}/0")).select_one("[data-test=memory-bar]")
    assert signed_in.get(f"{answered}/9999").status_code == 404


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_page_speaks_the_readers_language(signed_in: TestClient, answered: str, language: str) -> None:
    found = page(signed_in.get(answered, headers={"Accept-Language": language}))
    assert found.h1.text == {"en": "Options", "zh-CN": "方案"}[language]  # type: ignore[union-attr]


def test_api_and_command_line_give_the_same_plan(
    signed_in: TestClient, project_id: UUID, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:

    path = tmp_path / "needs.json"
    path.write_text(json.dumps(RETAIL))
    command(str(path))
    assert json.loads(capsys.readouterr().out) == signed_in.post("/api/v1/plans", json=RETAIL).json()


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ([], "intake"),
        ({"model": {"name": "no-such-model"}}, "model.name"),
        (an_intake(training={"deadline_days": -1}), "training.deadline_days"),
        (an_intake(training={"samples": "many"}), "training.samples"),
        (an_intake(training={"seq_len": 1e300}), "training.seq_len"),
        (an_intake(surprise={"x": 1}), "surprise"),
    ],
)
def test_api_names_the_bad_field(signed_in: TestClient, project_id: UUID, document: object, field: str) -> None:
    response = signed_in.post("/api/v1/plans", json=document)
    assert response.status_code == 422
    assert [error["field"] for error in response.json()["errors"]] == [field]


def test_api_wants_somebody_signed_in(client: TestClient) -> None:
    assert client.post("/api/v1/plans", json=RETAIL).status_code == 401


def test_recommended_totals_stand_in_both_currencies(signed_in: TestClient, answered: str) -> None:
    found = signed_in.get(f"{answered}.json").json()
    total = found["candidates"][found["recommended"]["best"]]["tco"]["options"][0]
    shown = page(signed_in.get(answered)).select_one("[data-test=card-best] [data-test=elsewhere]").text  # type: ignore[union-attr]
    rounded = Decimal(total["total_elsewhere"]["amount"]).quantize(Decimal(1), ROUND_HALF_UP)
    assert Decimal("".join(filter(str.isdigit, shown))) == rounded
    assert total["total_elsewhere"]["currency"] != total["total"]["currency"]
