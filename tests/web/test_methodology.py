"""The methodology page: one source for both languages, everything addressable, light enough to open anywhere."""

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.services.methodology import methodology
from tests.conftest import Surface


@pytest.mark.parametrize(("language", "title"), [("en", "Methodology"), ("zh-CN", "计算方法")])
def test_page_shows_every_formula_constant_and_rule(signed_in: TestClient, surface: Surface, language: str, title: str) -> None:
    answer = signed_in.get("/methodology", headers={**surface.headers, "Accept-Language": language})
    assert answer.status_code == 200
    page = BeautifulSoup(answer.text, "html.parser")
    assert page.h1 is not None
    assert page.h1.text == title
    method = methodology()
    shown = [code.text for code in page.select("[data-test=formulas] .formula")]
    assert shown == [formula.formula for formula in method.formulas]
    assert len(page.select("[data-test=constants] tbody tr")) == len(method.constants)
    assert len(page.select("[data-test=rules] dt")) == len(method.rules)
    assert len(page.select("[data-test=diagnosis] article")) == len(method.diagnosis)


def test_every_link_on_the_page_leads_somewhere(signed_in: TestClient) -> None:
    page = BeautifulSoup(signed_in.get("/methodology").text, "html.parser")
    wanted = {str(link["href"])[1:] for link in page.select('main a[href^="#"]')}
    assert wanted <= {str(tag["id"]) for tag in page.select("[id]")}
