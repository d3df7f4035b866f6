"""The Cost step: options side by side, inputs that can be changed and taken back, the other currency."""

import re
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient
from sqlalchemy import text

from app.db.engine import Database
from app.domain.money import Currency
from app.services import catalogue, cost_summary, costs
from app.services.costs import SetInput
from tests.conftest import Surface
from tests.factories.answered import NOW, an_answered_project
from tests.factories.projects import a_project


@pytest.fixture
def project_id(database: Database) -> UUID:
    return an_answered_project(database)


@pytest.fixture
def address(project_id: UUID) -> str:
    return f"/projects/{project_id}/cost"


def soup(answer: Any) -> BeautifulSoup:
    assert answer.status_code == 200, answer.text
    return BeautifulSoup(answer.text, "html.parser")


def amount(text: str) -> Decimal:
    """What a cell says, nothing as nothing."""
    return Decimal(re.sub(r"[^\d.-]", "", text.replace("−", "-").replace("–", "")) or 0)


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_page_shows_what_the_json_says(signed_in: TestClient, address: str, surface: Surface, language: str) -> None:
    page = soup(signed_in.get(address, headers={**surface.headers, "Accept-Language": language}))
    options = signed_in.get(f"{address}.json").json()["options"]
    own = options[0]
    assert len(page.select("[data-test=line]")) == len({line["line"] for option in options for line in option["lines"]})
    shown = page.select_one("[data-test=total-own] .derivation-body")
    assert shown is not None
    assert own["total"]["amount"] in shown.text.replace(",", "")


def test_machines_in_racks_follow_the_owned_ones_and_have_a_price_of_their_own(signed_in: TestClient, address: str) -> None:
    def racks() -> dict[str, Any]:
        found: dict[str, Any] = next(option for option in signed_in.get(f"{address}.json").json()["options"] if option["name"] == "racks")
        return found

    def line(key: str) -> Decimal:
        return next((Decimal(entry["total"]["amount"]) for entry in racks()["lines"] if entry["line"] == key), Decimal(0))

    assert racks()["kind"] == "colocate"
    assert line("hosting") == 0
    before = line("colocation")
    bought = line("gpu")
    signed_in.post(address, data={"key": "racks.colocation", "value": "5000"})
    assert line("colocation") != before
    signed_in.post(address, data={"key": "own.gpu_price", "value": "1234"})
    assert line("gpu") != bought
    changed = soup(signed_in.get(address)).select(".is-overridden [data-test=changed-by]")
    assert len(changed) == 2
    assert soup(signed_in.get(address)).select("[data-field='own.colocation'], [data-field='racks.gpu_price']") == []


def test_every_amount_opens_its_derivation(signed_in: TestClient, address: str) -> None:
    page = soup(signed_in.get(address))
    shown = page.select("[data-test=cost-table] td .number")
    assert len(shown) > 15
    for cell in shown:
        opener = cell["popovertarget"]
        assert page.select_one(f"[id='{opener}'] code")


def test_assumptions_are_listed(signed_in: TestClient, address: str) -> None:
    page = soup(signed_in.get(address))
    listed = page.select("[data-test=assumptions] li, [data-test=uncounted] li")
    assert len(listed) == len(signed_in.get(f"{address}.json").json()["assumptions"])


def test_what_is_not_counted_is_listed_until_it_is_stated(signed_in: TestClient, address: str) -> None:
    def left_out() -> set[str]:
        return {entry.text for entry in soup(signed_in.get(address)).select("[data-test=uncounted] li strong")}

    before = signed_in.get(f"{address}.json").json()["options"][0]
    assert {"Storage system", "Software licences", "Repairs outside the contract", "Cost of waiting for delivery"} <= left_out()
    for key in ("storage", "software", "failures", "delay"):
        signed_in.post(address, data={"key": f"own.{key}", "value": "100"})
    assert left_out() == {"Building work", "Storage service and egress", "Cost of selling"}
    after = signed_in.get(f"{address}.json").json()["options"][0]
    lines = {line["line"]: Decimal(line["total"]["amount"]) for line in after["lines"]}
    assert [lines[key] for key in ("storage", "software", "failures", "delay")] == [100, 3600, 3600, 100]
    maintained = Decimal(100) * 3 * Decimal("0.12")
    assert Decimal(after["total"]["amount"]) - Decimal(before["total"]["amount"]) == 7400 + maintained


def test_a_lease_stands_beside_the_others_once_it_is_stated(signed_in: TestClient, address: str, surface: Surface) -> None:
    assert "lease" not in {option["name"] for option in signed_in.get(f"{address}.json").json()["options"]}
    surface.redirect(signed_in.post(address, data={"key": "lease.monthly_cost", "value": "5000"}, headers=surface.headers))
    lease = next(option for option in signed_in.get(f"{address}.json").json()["options"] if option["name"] == "lease")
    assert next(line["total"]["amount"] for line in lease["lines"] if line["line"] == "lease") == "180000.00"
    assert soup(signed_in.get(address)).select_one("[data-test=total-lease]") is not None


def test_books_add_up_on_the_page(signed_in: TestClient, address: str) -> None:
    rows = [
        [cell.text for cell in row.select("td")]
        for row in soup(signed_in.get(address)).select("[data-test=books-own] table:first-of-type tr")
    ]
    amounts = [amount(row[0]) for row in rows if row and len(row) == 1]
    assert len(amounts) > 4
    assert sum(amounts[:-1]) == amounts[-1]


def test_every_line_in_the_other_currency_adds_up_to_the_total_there(signed_in: TestClient, address: str) -> None:
    table = soup(signed_in.get(address)).select_one("[data-test=elsewhere-lines]")
    assert table is not None
    read = [[amount(cell.text) for cell in row.select("td")] for row in table.select("tbody tr, tfoot tr")]
    assert [sum(column) for column in zip(*read[:-1], strict=True)] == read[-1]


def test_the_rule_of_thumb_is_tested(signed_in: TestClient, address: str) -> None:
    assert "Rule of thumb" in soup(signed_in.get(address)).select_one("[data-test=verdict]").text  # type: ignore[union-attr]


def test_a_changed_input_is_marked_and_can_be_taken_back(signed_in: TestClient, address: str, surface: Surface) -> None:
    before = signed_in.get(f"{address}.json").json()["options"][0]["total"]
    answer = signed_in.post(address, data={"key": "own.electricity_per_kwh", "value": "1,2"}, headers=surface.headers)
    assert surface.redirect(answer) == address
    changed = soup(signed_in.get(address)).select_one(".is-overridden")
    assert changed is not None
    assert changed["data-field"] == "own.electricity_per_kwh"
    assert changed.select_one("input[name=value]")["value"] == "1.2"  # type: ignore[index]
    assert signed_in.get(f"{address}.json").json()["options"][0]["total"] != before
    taken_back = {"key": "own.electricity_per_kwh", "seen": changed.select_one("input[name=seen]")["value"]}  # type: ignore[index]
    surface.redirect(signed_in.post(f"{address}/reset", data=taken_back, headers=surface.headers))
    assert not soup(signed_in.get(address)).select(".is-overridden")
    assert signed_in.get(f"{address}.json").json()["options"][0]["total"] == before


@pytest.mark.parametrize(
    ("key", "typed"),
    [
        ("own.pue", "much"),
        ("own.pue", "0.5"),
        ("own.pue", ""),
        ("own.pue", "NaN"),
        ("own.gpu_price", "-5"),
        ("own.gpu_price", "9" * 50),
        ("own.residual", "900000000"),
        ("utilisation", "120"),
        ("discount_rate", "-1"),
    ],
)
def test_a_bad_value_stays_in_its_field_with_the_reason(
    signed_in: TestClient, address: str, surface: Surface, key: str, typed: str
) -> None:
    answer = signed_in.post(address, data={"key": key, "value": typed}, headers=surface.headers)
    assert answer.status_code == 422
    bad = BeautifulSoup(answer.text, "html.parser").select_one(f"[data-field='{key}']")
    assert bad is not None
    assert bad.select_one(".error")
    assert bad.select_one("input[name=value]")["value"] == typed  # type: ignore[index]
    assert not soup(signed_in.get(address)).select(".is-overridden")


@pytest.mark.parametrize("key", ["", "own.colour", "nobody.pue", "own.pue\x00"])
def test_an_unknown_input_is_not_found(signed_in: TestClient, address: str, key: str) -> None:
    assert signed_in.post(address, data={"key": key, "value": "1"}).status_code == 404


def test_the_other_currency_has_an_address_and_keeps_the_plan(signed_in: TestClient, address: str) -> None:
    yuan, dollars = (signed_in.get(f"{address}.json?currency={currency}").json() for currency in ("CNY", "USD"))
    rate = float(yuan["fx"]["USD/CNY"])
    assert float(yuan["options"][0]["total"]["amount"]) / rate == pytest.approx(float(dollars["options"][0]["total"]["amount"]), abs=0.02)
    page = soup(signed_in.get(f"{address}?currency=USD"))
    assert page.select_one("[data-test=currency-USD]")["aria-pressed"] == "true"  # type: ignore[index]
    assert yuan["fx"]["on"] in page.text


def test_the_chosen_currency_is_remembered(signed_in: TestClient, address: str, surface: Surface) -> None:
    yuan = soup(signed_in.get(address)).select_one("[data-test=elsewhere-own]")
    answer = signed_in.post("/preferences", data={"currency": "USD", "next": address}, headers=surface.headers)
    assert surface.redirect(answer) == address
    page = soup(signed_in.get(address))
    assert page.select_one("[data-test=currency-USD]")["aria-pressed"] == "true"  # type: ignore[index]
    assert yuan is not None
    assert signed_in.get(f"{address}.json").json()["currency"] == "USD"
    assert signed_in.get(f"{address}.json?currency=CNY").json()["currency"] == "CNY"
    assert soup(signed_in.post("/preferences", data={"currency": "EUR", "next": address}, follow_redirects=True)) is not None
    assert signed_in.get(f"{address}.json").json()["currency"] == "USD"


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_chart_has_its_numbers_as_a_table(signed_in: TestClient, address: str, language: str) -> None:
    page = soup(signed_in.get(address, headers={"Accept-Language": language}))
    for chart in ("cost-cash", "cost-tornado", "cost-distribution"):
        assert page.select_one(f"#{chart} details table tbody tr")
    bars = page.select("[data-test=tornado] tbody tr")
    assert len(bars) >= 5
    assert {bar.select("td")[2].text for bar in bars} <= {"turns over", "stays", "反转", "不变"}


def test_a_value_typed_in_the_other_currency_is_kept_in_it(signed_in: TestClient, address: str) -> None:
    signed_in.post(f"{address}?currency=USD", data={"key": "own.gpu_price", "value": "10000"})
    field = soup(signed_in.get(f"{address}?currency=USD")).select_one("[data-field='own.gpu_price'] input[name=value]")
    assert field is not None
    assert field["value"] == "10000"


def test_an_input_set_in_another_tab_shows_both_and_then_takes_mine(signed_in: TestClient, address: str, surface: Surface) -> None:
    opened = soup(signed_in.get(address)).select_one("[data-field='own.pue'] input[name=seen]")
    assert opened is not None
    signed_in.post(address, data={"key": "own.pue", "value": "1.2", "seen": opened["value"]})
    mine = {"key": "own.pue", "value": "1.4", "seen": opened["value"]}
    refused = signed_in.post(address, data=mine, headers=surface.headers)
    assert refused.status_code == 409
    field = BeautifulSoup(refused.text, "html.parser").select_one("[data-field='own.pue']")
    assert field is not None
    assert field.select_one("input[name=value]")["value"] == "1.4"  # type: ignore[index]
    assert field.select_one("[data-test=theirs]").text == "Saved meanwhile: 1.2"  # type: ignore[union-attr]
    seen = field.select_one("input[name=seen]")["value"]  # type: ignore[index]
    surface.redirect(signed_in.post(address, data={**mine, "seen": seen}, headers=surface.headers))
    assert (
        surface.redirect(signed_in.post(address, data=mine, headers=surface.headers)) == address
    )  # pressed twice: it stands there already


def test_taking_back_a_value_that_somebody_else_set_meanwhile_is_asked_again(signed_in: TestClient, address: str, surface: Surface) -> None:
    signed_in.post(address, data={"key": "own.pue", "value": "1.2"})
    answer = signed_in.post(f"{address}/reset", data={"key": "own.pue", "seen": "1.4"}, headers=surface.headers)
    assert answer.status_code == 409
    field = BeautifulSoup(answer.text, "html.parser").select_one("[data-field='own.pue'] [data-test=theirs]")
    assert field is not None
    assert field.text == "Saved meanwhile: 1.2"


def test_without_answers_the_page_leads_to_the_questions(signed_in: TestClient, database: Database) -> None:
    with database.write() as session:
        catalogue.seed(session)
    empty = a_project(database, "Empty", Currency.USD)
    assert soup(signed_in.get(f"/projects/{empty}/cost")).select_one(".empty a")


def test_the_rail_says_when_answers_changed_after_the_cost(database: Database, project_id: UUID) -> None:
    """Each in a transaction of its own, as requests are: the line is stored, then an answer changes."""
    with database.write() as session:
        costs.set_input(
            session, SetInput(project_id=project_id, key="own.pue", value=Decimal("1.2"), currency=Currency.CNY, seen=""), NOW.date()
        )
        session.execute(text("UPDATE cost_summaries SET updated_at = now() + interval '1 minute'"))
    with database.read() as session:
        before = cost_summary.said(session, project_id)
    with database.write() as session:
        session.execute(text("UPDATE intake_questions SET updated_at = now() + interval '2 minutes' WHERE question = 'training'"))
    with database.read() as session:
        after = cost_summary.said(session, project_id)
    assert before is not None
    assert after is not None
    assert before[0] == after[0]
    assert after[1] is not None
    assert after[1].code == "cost.rail_behind"
    assert before[1] != after[1]


def test_the_rail_shows_the_cost_once_something_was_chosen(signed_in: TestClient, address: str) -> None:
    signed_in.post(address, data={"key": "own.pue", "value": "1.2"})
    rail = soup(signed_in.get(address)).select_one("[data-test=rail-cost]")
    assert rail is not None
    assert "3 years" in rail.text
