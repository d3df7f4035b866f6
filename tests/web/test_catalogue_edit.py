"""Adding, changing and retiring rows: versions, checks, two tabs, plans and sheets afterwards."""

from typing import Any

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.seeds import load_catalogue
from app.services import catalogue
from app.web.nouns import NOUNS, PRICES
from tests.conftest import Surface
from tests.factories.answered import an_answered_project

L4 = "/catalogue/gpus/l4"
CATALOGUE = load_catalogue()


def soup(answer: Any) -> BeautifulSoup:
    return BeautifulSoup(answer.text, "html.parser")


def fields(browser: TestClient, path: str) -> dict[str, str]:
    """What the form of a page would send."""
    form = soup(browser.get(path)).select_one(".fact-form")
    assert form is not None
    sent = {field["name"]: field.get("value", "") for field in form.select("input")}
    sent |= {area["name"]: area.get_text().removeprefix("\n") for area in form.select("textarea")}
    for choice in form.select("select"):
        chosen = choice.select_one("option[selected]") or choice.select_one("option")
        sent[choice["name"]] = chosen["value"]
    return sent


def versions(browser: TestClient, path: str) -> list[list[str]]:
    """The changes of every version of a row, the newest first."""
    shown = soup(browser.get(path)).select("[data-test=version]")
    return [[" ".join(change.get_text(" ").split()) for change in version.select("[data-test=change]")] for version in shown]


@pytest.mark.parametrize("locale", ["en", "zh_CN"])
@pytest.mark.parametrize("noun", NOUNS)
def test_unchanged_form_stores_nothing(signed_in: TestClient, database: Database, surface: Surface, noun: str, locale: str) -> None:
    signed_in.cookies.set("locale", locale)
    rows = NOUNS[noun].rows(CATALOGUE)
    path = f"/catalogue/{noun}/{NOUNS[noun].identify(rows[len(rows) // 2])}"
    answer = signed_in.post(f"{path}/edit", data=fields(signed_in, f"{path}/edit") | {"why": "looked"}, headers=surface.headers)
    assert surface.redirect(answer) == path
    assert versions(signed_in, path) == [[]]
    with database.read() as session:
        assert catalogue.current(session).revision == CATALOGUE.revision


def test_change_is_a_version_with_its_author_and_reason(signed_in: TestClient, surface: Surface) -> None:
    sent = fields(signed_in, f"{L4}/edit") | {"board_tdp_w": "75,5", "why": "datasheet of November"}
    assert surface.redirect(signed_in.post(f"{L4}/edit", data=sent, headers=surface.headers)) == L4
    assert versions(signed_in, L4) == [["Board power W 72 75.5"], []]
    page = soup(signed_in.get(L4))
    assert "75.5" in page.select_one("[data-test=figure-tdp_w]").get_text()
    assert "datasheet of November" in page.select_one("[data-test=version]").get_text()
    assert page.select_one("[data-test=shipped] [data-test=change]"), "what ships with the product says otherwise"


def test_old_revision_is_shown_as_it_was(signed_in: TestClient) -> None:
    signed_in.post(f"{L4}/edit", data=fields(signed_in, f"{L4}/edit") | {"name": "NVIDIA L4 again", "why": "name"})
    assert soup(signed_in.get(L4)).h1.get_text() == "NVIDIA L4 again"
    old = soup(signed_in.get(f"{L4}?revision={CATALOGUE.revision}"))
    assert old.h1.get_text() == "NVIDIA L4"
    assert old.select_one("[data-test=as-of] a")["href"] == L4
    document = signed_in.get("/api/v1/catalogue/gpus", params={"revision": CATALOGUE.revision}).json()
    assert document["revision"] == CATALOGUE.revision
    assert "NVIDIA L4 again" not in {gpu["name"] for gpu in document["gpus"]}
    assert signed_in.get("/catalogue/gpus?revision=0123").status_code == 404


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("memory_bandwidth_gb_s", "fast"),
        ("memory_bandwidth_gb_s", "0.3"),  # TB/s by mistake: outside what is plausible
        ("peak_fp16_dense_tflops", "1,500"),  # one and a half, or fifteen hundred
        ("board_tdp_w", "-72"),
        ("memory_capacity_mib", "10"),
        ("market_class", "toy"),
        ("source_title", ""),
        ("source_on", "2099-01"),
        ("source_url", "the web"),
        ("has_ecc", "perhaps"),
        ("unconfirmed_fields", "colour"),
        ("slug", "h100-sxm5-80gb"),
        ("notes", "\x00"),
        ("name", "x" * 9000),
        ("why", " "),
    ],
)
def test_bad_field_is_named_and_nothing_is_lost(signed_in: TestClient, surface: Surface, header: str, value: str) -> None:
    sent = fields(signed_in, f"{L4}/edit") | {"why": "tried", "power_connector": "typed by hand", header: value}
    answer = signed_in.post(f"{L4}/edit", data=sent, headers=surface.headers)
    assert answer.status_code == 422
    page = soup(answer)
    assert page.select_one(f"#{header}")["aria-invalid"] == "true"
    assert page.select_one("#power_connector")["value"] == "typed by hand"
    assert versions(signed_in, L4) == [[]]


def test_second_tab_sees_what_the_first_one_saved(signed_in: TestClient, surface: Surface) -> None:
    first, second = fields(signed_in, f"{L4}/edit"), fields(signed_in, f"{L4}/edit")
    signed_in.post(f"{L4}/edit", data=first | {"slots": "dual", "why": "first"})
    answer = signed_in.post(f"{L4}/edit", data=second | {"slots": "triple", "why": "second"}, headers=surface.headers)
    assert answer.status_code == 409
    if surface.is_htmx:
        return
    page = soup(answer)
    assert "dual" in page.select_one("[data-field=slots] [data-test=theirs]").get_text()
    again = second | {"slots": "triple", "why": "second", "row_version": page.select_one("[name=row_version]")["value"]}
    assert signed_in.post(f"{L4}/edit", data=again).status_code == 303
    assert versions(signed_in, L4)[0] == ["Slots dual triple"]


def test_row_that_others_name_is_not_retired(signed_in: TestClient) -> None:
    sent = fields(signed_in, f"{L4}/edit") | {"retire": "true", "why": "gone"}
    answer = signed_in.post(f"{L4}/edit", data=sent)
    assert answer.status_code == 422
    assert "l4" in soup(answer).select_one("[data-test=error-summary]").get_text()
    assert signed_in.get(L4).status_code == 200


def test_retired_row_leaves_the_list_and_stays_in_old_revisions(signed_in: TestClient, surface: Surface) -> None:
    path = "/catalogue/servers/dell-r750"
    sent = fields(signed_in, f"{path}/edit") | {"retire": "true", "why": "no longer sold"}
    assert surface.redirect(signed_in.post(f"{path}/edit", data=sent, headers=surface.headers)) == "/catalogue/servers"
    assert signed_in.get(path).status_code == 404
    assert signed_in.get(f"{path}?revision={CATALOGUE.revision}").status_code == 200


@pytest.mark.parametrize("noun", PRICES)
def test_new_price_like_another_is_listed(signed_in: TestClient, surface: Surface, noun: str) -> None:
    price = NOUNS[noun].rows(CATALOGUE)[0]
    sent = fields(signed_in, f"/catalogue/{noun}/-/new?like={NOUNS[noun].identify(price)}") | {"on": "2026-10-05", "why": "quoted"}
    where = surface.redirect(signed_in.post(f"/catalogue/{noun}/-/new", data=sent, headers=surface.headers))
    assert where.startswith(f"/catalogue/{noun}/")
    assert "2026-10-05" in soup(signed_in.get(where)).select_one("[data-test=figure-on]").get_text()
    assert signed_in.post(f"/catalogue/{noun}/-/new", data=sent).status_code == 422, "the same price twice"


def test_no_entry_no_form(signed_in: TestClient) -> None:
    assert signed_in.get("/catalogue/gpus/no-such-card/edit").status_code == 404
    assert signed_in.post("/catalogue/gpus/no-such-card/edit", data={"why": "x"}).status_code == 404
    assert signed_in.get("/catalogue/cars/-/new").status_code == 404


def test_changed_price_makes_a_plan_stale_and_leaves_its_sheet(signed_in: TestClient, database: Database) -> None:
    project = f"/projects/{an_answered_project(database)}"
    plan = soup(signed_in.get(f"{project}/options"))
    chosen = {field["name"]: field["value"] for field in plan.select_one("[data-test=candidate] form").select("input")}
    assert signed_in.post(f"{project}/options", data=chosen).status_code == 303
    assert signed_in.post(f"{project}/sheet").status_code == 303
    before = signed_in.get(f"/api/v1{project}/sheets/1.json").json()
    board = f"/catalogue/gpus/{chosen['gpu']}/edit"
    signed_in.post(board, data=fields(signed_in, board) | {"idle_w": "", "idle_factor": "", "why": "not confirmed"})
    after = soup(signed_in.get(f"{project}/options"))
    assert after.select_one("[data-test=stale]")
    (news,) = after.select("[data-test=news-fact]")
    assert chosen["gpu"] in news.get_text()
    assert signed_in.get(f"/api/v1{project}/sheets/1.json").json() == before
