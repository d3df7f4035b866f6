"""Guards: where a write comes from, how large it is, who sends it, what a page may load."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from starlette.datastructures import Headers

from app.main import API, PAGES
from app.web.security import is_same_origin
from tests.conftest import BASE_URL

ANY_ID = "3fa85f64-5717-4562-b3fc-2c963f66afa6"


def routes() -> list[tuple[str, str]]:
    found = []
    for prefix, modules in (("", PAGES), ("/api/v1", API)):
        for module in modules:
            for route in module.router.routes:
                if isinstance(route, APIRoute):
                    found += [(method, prefix + route.path) for method in sorted(route.methods - {"HEAD"})]
    return found


def test_routes_are_found() -> None:
    assert ("GET", "/projects/{project_id}") in routes()
    assert any(path.startswith("/api/v1/") for _, path in routes())


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"origin": "https://here.example", "host": "here.example"}, True),
        ({"origin": "https://evil.example", "host": "here.example"}, False),
        ({"origin": "null", "host": "here.example"}, False),
        ({"host": "here.example"}, True),
        ({"sec-fetch-site": "cross-site", "origin": "https://here.example", "host": "here.example"}, False),
    ],
)
def test_origin_of_a_write(headers: dict[str, str], allowed: bool) -> None:
    assert is_same_origin(Headers(headers)) is allowed


def test_write_from_another_site_is_refused_before_anything_happens(signed_in: TestClient) -> None:
    answer = signed_in.post("/projects/new", data={"name": "Speech", "currency": "USD"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert "Speech" not in signed_in.get("/projects").text


def test_large_form_is_refused_by_its_announced_size(signed_in: TestClient) -> None:
    assert signed_in.post("/projects/new", data={"name": "x" * 2_100_000, "currency": "USD"}).status_code == 413


def test_large_form_is_refused_while_it_streams(signed_in: TestClient) -> None:
    def chunks() -> Iterator[bytes]:
        yield b"name="
        for _ in range(30):
            yield b"x" * 100_000

    answer = signed_in.post("/projects/new", content=chunks(), headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert answer.status_code == 413


def test_large_json_is_a_413_problem(signed_in: TestClient) -> None:
    answer = signed_in.post("/api/v1/estimates", content=b'{"x": "' + b"x" * 2_100_000 + b'"}')
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/projects", "/nothing", "/static/css/base.css", "/api/v1/openapi.json", "/sign-in"])
def test_every_answer_carries_the_content_policy(signed_in: TestClient, path: str) -> None:
    headers = signed_in.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'self'")
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_signed_in_pages_are_not_kept(signed_in: TestClient) -> None:
    assert signed_in.get("/projects").headers["cache-control"] == "no-store"


def test_static_files_are_kept_by_their_hash(application: FastAPI, client: TestClient) -> None:
    url = application.state.templates.static_url("css/base.css")
    assert "immutable" in client.get(url).headers["cache-control"]
    assert client.get("/static/css/base.css").headers["cache-control"] == "no-cache"
    assert client.get("/static/../pyproject.toml").status_code == 404
    assert BASE_URL not in url


@pytest.mark.parametrize("path", ["/projects", "/catalogue/gpus", "/healthz", "/api/v1/catalogue/gpus", "/agent.py"])
def test_head_is_get_without_its_body(signed_in: TestClient, path: str) -> None:
    whole, head = signed_in.get(path), signed_in.head(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert head.headers["content-length"] == whole.headers["content-length"]


def test_head_stops_at_the_door(client: TestClient) -> None:
    assert client.head("/projects", follow_redirects=False).status_code == client.get("/projects", follow_redirects=False).status_code
