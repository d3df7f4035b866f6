"""Inputs set for one configuration: it ranks with them, others do not take them over, and nothing that was set is lost."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.db.engine import Database
from tests.factories.answered import an_answered_project


@pytest.fixture
def project(database: Database) -> str:
    project_id: UUID = an_answered_project(database)
    return f"/projects/{project_id}"


def plan_of(client: TestClient, project: str) -> dict[str, Any]:
    answer: dict[str, Any] = client.get(f"{project}/options.json").json()
    return answer


def name_of(candidate: Mapping[str, Any]) -> tuple[Any, ...]:
    return candidate["gpu"], candidate["server"], candidate["n_gpus"], candidate["nodes"]


def page_of(client: TestClient, address: str) -> BeautifulSoup:
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    return BeautifulSoup(answer.text, "html.parser")


def choose(client: TestClient, project: str, candidate: Mapping[str, Any]) -> None:
    seen = page_of(client, f"{project}/options").select_one("input[name=seen]")
    gpu, server, gpu_count, node_count = name_of(candidate)
    typed = {"gpu": gpu, "server": server, "gpu_count": gpu_count, "node_count": node_count, "seen": seen["value"] if seen else ""}
    assert client.post(f"{project}/options", data=typed).status_code == 303


def test_a_price_moves_its_configuration_alone_and_the_recommendation_with_it(signed_in: TestClient, project: str) -> None:
    before = plan_of(signed_in, project)
    best = before["candidates"][before["recommended"]["best"]]
    assert page_of(signed_in, f"{project}/options").select("[data-test=repriced]") == []
    signed_in.post(f"{project}/cost", data={"key": "own.gpu_price", "value": "900000"})
    after = plan_of(signed_in, project)
    totals = [{name_of(each): each["tco"]["options"][0]["total"]["amount"] for each in plan["candidates"]} for plan in (before, after)]
    assert {name for name in totals[0] if totals[0][name] != totals[1][name]} == {name_of(best)}
    assert name_of(after["candidates"][after["recommended"]["best"]]) != name_of(best)
    said = page_of(signed_in, f"{project}/options").select_one("[data-test=repriced]")
    assert said is not None
    assert "would be recommended" in said.text


def test_who_prices_a_configuration_goes_on_with_it(signed_in: TestClient, project: str) -> None:
    lead = page_of(signed_in, f"{project}/cost").select_one(".lead")
    signed_in.post(f"{project}/cost", data={"key": "own.gpu_price", "value": "900000"})
    page = page_of(signed_in, f"{project}/cost")
    assert lead is not None
    assert page.select_one(".lead") == lead
    assert page.select("[data-test=elsewhere]") == []


def test_a_price_of_what_is_no_longer_chosen_neither_counts_nor_is_lost(signed_in: TestClient, project: str) -> None:
    before = plan_of(signed_in, project)
    best = before["candidates"][before["recommended"]["best"]]
    other = next(each for each in before["candidates"] if each["gpu"] != best["gpu"])
    signed_in.post(f"{project}/cost", data={"key": "own.gpu_price", "value": "123456"})
    signed_in.post(f"{project}/cost", data={"key": "own.pue", "value": "1.2"})
    choose(signed_in, project, other)
    page = page_of(signed_in, f"{project}/cost")
    assert [field["data-field"] for field in page.select(".is-overridden")] == ["own.pue"]
    stale = page.select("[data-test=elsewhere-input]")
    assert len(stale) == 1
    assert "123456 CNY" in stale[0].text

    choose(signed_in, project, best)
    back = page_of(signed_in, f"{project}/cost")
    assert {field["data-field"] for field in back.select(".is-overridden")} == {"own.pue", "own.gpu_price"}
    assert back.select("[data-test=elsewhere]") == []


def test_a_price_of_another_configuration_can_be_taken_back(signed_in: TestClient, project: str) -> None:
    before = plan_of(signed_in, project)
    signed_in.post(f"{project}/cost", data={"key": "own.gpu_price", "value": "123456"})
    other = next(each for each in before["candidates"] if each["gpu"] != before["candidates"][before["recommended"]["best"]]["gpu"])
    choose(signed_in, project, other)
    form = page_of(signed_in, f"{project}/cost").select_one("[data-test=elsewhere-input] form")
    assert form is not None
    typed = {str(field["name"]): str(field["value"]) for field in form.select("input")}
    signed_in.post(str(form["action"]), data=typed)
    assert page_of(signed_in, f"{project}/cost").select("[data-test=elsewhere]") == []
    after = plan_of(signed_in, project)
    assert [each["tco"] for each in after["candidates"]] == [each["tco"] for each in before["candidates"]]
