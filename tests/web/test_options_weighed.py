"""Options: weights, filters, candidates side by side, what would make an eliminated one possible, the decision tables, and the same costs as the Cost step."""

from uuid import UUID

import pytest
from bs4 import BeautifulSoup, Tag
from fastapi.testclient import TestClient

from tests.web.test_options import answered, page, project_id

__all__ = ["answered", "project_id"]
CLUSTER = "cluster-training"


def keys(found: BeautifulSoup) -> list[str]:
    return [str(box["value"]) for box in found.select("input[name=candidate]")]


def text(found: BeautifulSoup, selector: str) -> str:
    tag = found.select_one(selector)
    assert isinstance(tag, Tag), selector
    return tag.get_text(" ", strip=True)


def refused(response: object) -> BeautifulSoup:
    assert response.status_code == 422, response.text  # type: ignore[attr-defined]
    return BeautifulSoup(response.text, "html.parser")  # type: ignore[attr-defined]


@pytest.mark.parametrize("query", ["role=zzz", "gpu=zzz", "vendor=zzz", "nodes=none", "role=cluster-training&cost=-1"])
def test_what_the_address_asks_wrongly_is_said(signed_in: TestClient, answered: str, query: str) -> None:
    assert refused(signed_in.get(f"{answered}?{query}")).select(".error")


def test_weights_in_the_address_order_the_candidates(signed_in: TestClient, answered: str) -> None:
    by_cost = keys(page(signed_in.get(answered)))
    found = page(signed_in.get(f"{answered}?role={CLUSTER}&power=1"))
    plan = signed_in.get(f"{answered}.json").json()
    watts = {
        f"{one['n_gpus']}*{one['gpu']}@{one['nodes']}*{one['server']}": one["estimate"]["energy"]["average_w"]["typical"] * one["n_gpus"]
        for one in plan["candidates"]
    }
    assert keys(found) == sorted(by_cost, key=lambda key: watts[key])


def test_weights_are_saved_with_the_project_and_taken_back(signed_in: TestClient, answered: str) -> None:
    weigh = answered.removesuffix("options") + "weights"
    policy = [one["scores"] for one in signed_in.get(f"{answered}.json").json()["candidates"]]
    assert signed_in.post(weigh, data={"role": CLUSTER, "power": "3"}).status_code == 303
    saved = [one["scores"] for one in signed_in.get(f"{answered}.json").json()["candidates"]]
    assert [scores[CLUSTER] for scores in saved] != [scores[CLUSTER] for scores in policy]
    assert [scores["development"] for scores in saved] == [scores["development"] for scores in policy]
    assert signed_in.post(weigh, data={"role": CLUSTER, "reset": "true"}).status_code == 303
    assert [one["scores"] for one in signed_in.get(f"{answered}.json").json()["candidates"]] == policy


def test_weights_of_nothing_come_back_with_a_sentence(signed_in: TestClient, answered: str) -> None:
    weigh = answered.removesuffix("options") + "weights"
    response = signed_in.post(weigh, data={"role": CLUSTER, "cost": "0"})
    assert response.status_code == 303
    found = refused(signed_in.get(response.headers["location"]))
    assert found.select("#weight-cost-error")


def test_filters_hide_and_say_so(signed_in: TestClient, answered: str) -> None:
    plan = signed_in.get(f"{answered}.json").json()
    gpu = plan["candidates"][0]["gpu"]
    kept = [one for one in plan["candidates"] if one["gpu"] == gpu and one["nodes"] <= 1]
    found = page(signed_in.get(f"{answered}?gpu={gpu}&nodes=1"))
    assert len(keys(found)) == len(kept) < len(plan["candidates"])
    assert found.select_one("[data-test=filtered]")


def test_candidates_side_by_side_with_their_lines_of_cost(signed_in: TestClient, answered: str) -> None:
    chosen = keys(page(signed_in.get(answered)))[:3]
    compare = answered.removesuffix("options") + "compare"
    found = page(signed_in.get(compare, params={"candidate": chosen}))
    assert len(found.select("[data-test=total]")) == 3
    assert found.select("[data-test=cost-line]")
    document = signed_in.get(f"{compare}.json", params={"candidate": chosen}).json()
    assert [f"{one['n_gpus']}*{one['gpu']}@{one['nodes']}*{one['server']}" for one in document["candidates"]] == chosen


@pytest.mark.parametrize("asked", [0, 1, "unknown"])
def test_a_comparison_that_cannot_be_made_says_why(signed_in: TestClient, answered: str, asked: int | str) -> None:
    known = keys(page(signed_in.get(answered)))
    chosen = known[:asked] if isinstance(asked, int) else [known[0], "8*nothing@1*nowhere"]
    compare = answered.removesuffix("options") + "compare"
    assert refused(signed_in.get(compare, params={"candidate": chosen})).select(".error")
    assert signed_in.get(f"{compare}.json", params={"candidate": chosen}).status_code == 422


def test_what_would_make_it_possible_is_computed(signed_in: TestClient, answered: str) -> None:
    links = [str(link["href"]) for link in page(signed_in.get(answered)).select("[data-test=what-if]")]
    assert links
    found = page(signed_in.get(links[0]))
    assert text(found, "[data-test=change]")
    assert text(found, "[data-test=then]")
    nothing = answered.removesuffix("options") + "what-if?rule=R-S4&reason=selection.nothing"
    assert signed_in.get(nothing).status_code == 404


def test_decision_tables_stand_beside_the_estimator(signed_in: TestClient, answered: str) -> None:
    found = page(signed_in.get(answered))
    answers = signed_in.get(f"{answered}.json").json()["decision_tables"]
    assert len(found.select("[data-test=table-answer]")) == len(answers) > 0
    assert all(answer["why"] and answer["document"][:3].isdigit() for answer in answers)


def test_cost_inputs_reach_the_options(signed_in: TestClient, answered: str, project_id: UUID) -> None:
    """An electricity price for all candidates, a GPU price for the one that the project goes on with: the same total on both pages, to the cent."""
    before = signed_in.get(f"{answered}.json").json()
    for key, value in (("own.electricity_per_kwh", "2.5"), ("own.gpu_price", "123456")):
        form = page(signed_in.get(f"/projects/{project_id}/cost"))
        seen = form.select_one(f"form:has(input[value='{key}']) input[name=seen]")
        data = {"key": key, "value": value, "currency": "CNY", "seen": "" if seen is None else str(seen["value"])}
        assert signed_in.post(f"/projects/{project_id}/cost", data=data).status_code in (200, 303)
    after = signed_in.get(f"{answered}.json").json()
    totals = [
        (one["tco"]["options"][0]["total"], two["tco"]["options"][0]["total"])
        for one, two in zip(before["candidates"], after["candidates"], strict=True)
    ]
    assert all(old != new for old, new in totals)
    best = after["recommended"]["best"]
    cost = signed_in.get(f"/projects/{project_id}/cost.json").json()
    assert after["candidates"][best]["tco"]["options"][0]["total"] == cost["options"][0]["total"]


def test_policy_is_one_page_for_administrators_and_its_change_reaches_the_plan(signed_in: TestClient, answered: str) -> None:
    found = page(signed_in.get("/admin/policy"))
    assert len(found.select("[data-test=policy-row]")) == 25
    before = signed_in.get(f"{answered}.json").json()
    edit = "/catalogue/policy-values/same_cost/edit"
    form = page(signed_in.get(edit))
    data = {
        str(tag["name"]): str(tag.get("value", ""))
        for tag in form.select("main form [name]")
        if tag.name == "input" and tag["name"] != "retire"
    }
    data |= {str(tag["name"]): tag.text.strip() for tag in form.select("main form textarea[name]")}
    data |= {str(tag["name"]): str(tag.select_one("option[selected]")["value"]) for tag in form.select("main form select[name]")}  # type: ignore[index]
    refused(signed_in.post(edit, data={**data, "value": "9", "why": "beyond its bounds"}))
    assert signed_in.post(edit, data={**data, "value": "1.1", "why": "prices are known worse here"}).status_code == 303
    after = signed_in.get(f"{answered}.json").json()
    assert after["policy_revision"] != before["policy_revision"]
    assert after["catalogue_revision"] != before["catalogue_revision"]
