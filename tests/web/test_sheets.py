"""The Sheet step: preview, issue, the issue as it prints, its files."""

import json
from io import BytesIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient
from pypdf import PdfReader
from python_calamine import CalamineWorkbook

from app.db.engine import Database
from app.domain.money import Currency
from app.export.writers import WRITERS
from app.services import catalogue
from app.wire.sheet import canonical_text, fingerprint
from tests.conftest import Surface
from tests.factories.answered import an_answered_project
from tests.factories.projects import a_project


@pytest.fixture
def project_id(database: Database) -> UUID:
    return an_answered_project(database)


@pytest.fixture
def address(project_id: UUID) -> str:
    return f"/projects/{project_id}/sheet"


@pytest.fixture
def issued(signed_in: TestClient, project_id: UUID, address: str) -> str:
    """The API's address of the first issue, without the format."""
    assert signed_in.post(address).status_code == 303
    return f"/api/v1/projects/{project_id}/sheets/1"


def soup(answer: Any) -> BeautifulSoup:
    assert answer.status_code == 200, answer.text
    return BeautifulSoup(answer.text, "html.parser")


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_preview_has_every_section_and_can_be_issued(signed_in: TestClient, address: str, surface: Surface, language: str) -> None:
    page = soup(signed_in.get(address, headers={**surface.headers, "Accept-Language": language}))
    sections = [section["id"] for section in page.select("[data-test=paper] section")]
    assert sections == [
        "need",
        "configuration",
        "bill",
        "estimate",
        "acceptance",
        "hosting",
        "cost",
        "eliminated",
        "assumptions",
        "risks",
        "revisions",
        "sign-off",
        "sources",
        "derivation",
    ]
    assert page.select_one("[data-test=issue]")
    assert not page.select("[data-test^=download]")


def test_issuing_leads_to_the_issue(signed_in: TestClient, address: str, surface: Surface) -> None:
    for number in (1, 2):
        assert surface.redirect(signed_in.post(address, headers=surface.headers)) == f"{address}/{number}"
    page = soup(signed_in.get(f"{address}/1"))
    assert {link["data-test"] for link in page.select("[data-test^=download]")} == {f"download-{kind}" for kind in WRITERS}
    assert [link["data-test"] for link in page.select("[data-test^=issue-]")] == ["issue-2", "issue-1"]


def test_pressing_issue_twice_issues_once(signed_in: TestClient, address: str) -> None:
    first, second = (signed_in.post(address, data={"number": "1"}) for _ in range(2))
    assert first.headers["location"] == second.headers["location"] == f"{address}/1"
    assert signed_in.get(f"{address}/2").status_code == 404


def test_sheet_that_changed_after_it_was_seen_is_shown_again_before_it_is_issued(
    signed_in: TestClient, address: str, surface: Surface
) -> None:
    form = soup(signed_in.get(address)).select_one("[data-test=issue]").parent  # type: ignore[union-attr]
    sent = {field["name"]: field["value"] for field in form.select("input")}
    signed_in.post(address.replace("/sheet", "/cost"), data={"key": "own.pue", "value": "1.7"})
    refused = signed_in.post(address, data=sent, headers=surface.headers)
    assert refused.status_code == 409
    page = BeautifulSoup(refused.text, "html.parser")
    assert page.select_one("[data-test=conflict]")
    assert not soup(signed_in.get(address)).select("[data-test^=issue-]")
    again = {field["name"]: field["value"] for field in page.select_one("[data-test=issue]").parent.select("input")}  # type: ignore[union-attr]
    assert surface.redirect(signed_in.post(address, data=again, headers=surface.headers)) == f"{address}/1"


def test_files_say_what_the_page_says(signed_in: TestClient, address: str, issued: str) -> None:
    page = soup(signed_in.get(f"{address}/1"))
    total = page.select_one("[data-test=bill-total]")
    sha256 = page.select_one("[data-test=sha256]")
    assert total is not None
    assert sha256 is not None
    content = signed_in.get(f"{issued}.json")
    assert content.headers["content-type"] == "application/json"
    assert fingerprint(canonical_text(json.loads(content.text)["document"])) == content.json()["sha256"] == sha256.text
    pdf = signed_in.get(f"{issued}.pdf")
    assert pdf.headers["content-type"] == "application/pdf"
    flat = "".join("".join(sheet.extract_text().split()) for sheet in PdfReader(BytesIO(pdf.content)).pages)
    assert "".join(total.text.split()) in flat
    assert sha256.text in flat
    xlsx = signed_in.get(f"{issued}.xlsx")
    rows = CalamineWorkbook.from_filelike(BytesIO(xlsx.content)).get_sheet_by_index(1).to_python()
    assert f"{rows[-1][4]:,.2f}" in total.text
    assert 'filename="' in xlsx.headers["content-disposition"]


def test_files_follow_the_readers_language(signed_in: TestClient, issued: str) -> None:
    english, chinese = (signed_in.get(f"{issued}.json", headers={"Accept-Language": language}).json() for language in ("en", "zh-CN"))
    assert english["document"] == chinese["document"]
    assert (english["sections"][0]["title"], chinese["sections"][0]["title"]) == ("Decision", "结论")


@pytest.mark.parametrize("path", ["1.docx", "1.ods", "2.pdf", "0.pdf", "99999999999999999999.pdf", "x.pdf"])
def test_unknown_issue_or_format_is_a_problem(signed_in: TestClient, issued: str, path: str) -> None:
    answer = signed_in.get(issued.removesuffix("1") + path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


def test_unknown_issue_is_a_page(signed_in: TestClient, address: str) -> None:
    for number in ("7", "99999999999999999999", "x"):
        assert signed_in.get(f"{address}/{number}").status_code == 404


def test_api_issues_and_lists(signed_in: TestClient, project_id: UUID) -> None:
    answer = signed_in.post(f"/api/v1/projects/{project_id}/sheets")
    assert answer.status_code == 201
    assert signed_in.get(answer.headers["location"]).json()["number"] == 1
    listed = signed_in.get(f"/api/v1/projects/{project_id}/sheets").json()
    assert [row["sha256"] for row in listed] == [answer.json()["sha256"]]


def test_nobody_signed_in_sees_no_sheet(client: TestClient, project_id: UUID) -> None:
    assert client.get(f"/api/v1/projects/{project_id}/sheets/1.pdf").status_code == 401
    assert client.get(f"/projects/{project_id}/sheet").status_code == 303


def test_project_without_answers_has_nothing_to_issue(signed_in: TestClient, database: Database) -> None:
    with database.write() as session:
        catalogue.seed(session)
    empty = a_project(database, "Empty", Currency.USD)
    assert soup(signed_in.get(f"/projects/{empty}/sheet")).select_one(".empty a")
    assert signed_in.get(f"/projects/{uuid4()}/sheet").status_code == 404


def test_numbers_on_the_paper_open_their_derivation(signed_in: TestClient, address: str) -> None:
    page = soup(signed_in.get(address))
    openers = page.select("[data-test=estimate-row] .number-open, #cost .number-open")
    assert len(openers) > 10
    for opener in openers:
        assert page.select_one(f"[id='{opener['popovertarget']}'] dd code")
