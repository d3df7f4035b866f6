"""Every route × everybody who may come: the table says who gets in; a route without a row is an error."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import pytest
from bs4 import BeautifulSoup
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from pydantic import SecretStr

from app.db import jobs
from app.db.engine import Database
from app.domain.money import Currency
from app.main import create_app
from app.services import accounts, members, projects, tokens
from app.services.accounts import UserRole, UserRow
from app.services.projects import SaveProject
from app.settings import Settings
from tests.conftest import BASE_URL
from tests.factories.accounts import a_session, a_user, an_api_token
from tests.web.test_security import ANY_ID, routes

READ, UPLOAD, DESCRIBE, PRICE, ISSUE, MANAGE = "read", "upload", "describe", "price", "issue", "manage"
USER, WHOLE, PRICES, ADMIN, DOOR, GONE_PROJECT = (
    "any user",
    "a user, no token for one project",
    "keeps prices",
    "admin",
    "everybody",
    "a deleted project",
)

P = "/projects/{project_id}"
A = "/api/v1/projects/{project_id}"
TABLE: Mapping[str, tuple[str, ...]] = {
    DOOR: (
        *(
            "GET /",
            "GET /healthz",
            "GET /readyz",
            "GET /metrics",
            "GET /agent.py",
            "GET /prices",
            "GET /sign-in",
            "GET /sign-in/company",
            "GET /sign-in/company/back",
            "GET /api/v1/openapi.json",
        ),
        *("POST /preferences", "POST /sign-in", "POST /sign-in/password", "POST /sign-out"),
    ),
    USER: (
        *(
            "GET /admin",
            "GET /catalogue",
            "GET /catalogue/{noun}",
            "GET /catalogue/{noun}/{key}",
            "GET /catalogue/{noun}/-/compare",
        ),
        *(
            "GET /catalogue/{noun}/-/export.{kind}",
            "GET /prices/{kind}",
            "GET /projects",
            "GET /projects/new",
            "GET /methodology",
            "GET /help",
        ),
        *("GET /api/v1/catalogue/gpus", "GET /api/v1/catalogue/{noun}/compare", "GET /api/v1/prices", "GET /api/v1/projects"),
        *("POST /api/v1/agents/{name}/chunks", "POST /api/v1/estimates", "POST /api/v1/plans", "POST /api/v1/tco"),
    ),
    WHOLE: (
        *("GET /account", "POST /account/password", "POST /account/sessions/{session_id}/end", "POST /account/tokens"),
        *("POST /account/tokens/{token_id}/revoke", "POST /projects/new", "POST /api/v1/projects"),
    ),
    PRICES: ("GET /prices/import", "POST /prices/import", "GET /prices/import/jobs/{job_id}"),
    ADMIN: (
        *(
            "GET /admin/audit",
            "GET /admin/policy",
            "GET /admin/users",
            "POST /admin/users",
            "POST /admin/users/{user_id}/role",
            "POST /admin/users/{user_id}/link",
        ),
        *("POST /admin/users/{user_id}/deactivate", "POST /admin/users/{user_id}/reactivate", "GET /admin/import", "POST /admin/import"),
        "GET /admin/import/jobs/{job_id}",
        *("GET /catalogue/{noun}/-/retired", "POST /catalogue/{noun}/-/retired"),
        *("GET /catalogue/{noun}/-/new", "POST /catalogue/{noun}/-/new", "GET /catalogue/{noun}/{key}/edit"),
        *("POST /catalogue/{noun}/{key}/edit",),
    ),
    READ: (
        *(f"GET {P}", f"GET {P}/evidence", f"GET {P}/evidence/{{upload_id}}", f"GET {P}/evidence/{{upload_id}}/profile.json"),
        *(f"GET {P}/evidence/{{upload_id}}/raw", f"GET {P}/options", f"GET {P}/options.json", f"GET {P}/options/{{index}}"),
        *(f"GET {P}/compare", f"GET {P}/compare.json", f"GET {P}/what-if"),
        *(f"GET {P}/cost", f"GET {P}/cost.json", f"GET {P}/sheet", f"GET {P}/sheet/{{number}}", f"GET {P}/workload"),
        *(f"GET {P}/workload/estimate", f"GET {P}/workload/estimate.json", f"GET {P}/workload/check", f"GET {P}/workload.json"),
        *(f"GET {P}/workload/{{key}}", "GET /jobs/{job_id}", "GET /api/v1/jobs/{job_id}", f"GET {A}", f"GET {A}/intake"),
        *(f"GET {A}/sheets", f"GET {A}/sheets/{{number}}.{{kind}}", f"GET {A}/telemetry", f"GET {A}/telemetry/{{upload_id}}"),
    ),
    UPLOAD: (
        *(f"POST {P}/evidence", f"POST {P}/evidence/command", f"POST {P}/evidence/{{upload_id}}/board"),
        *(f"POST {P}/evidence/{{upload_id}}/delete", f"POST {P}/evidence/{{upload_id}}/restore", "POST /jobs/{job_id}/retry"),
        *("POST /api/v1/jobs/{job_id}/retry", f"POST {A}/telemetry"),
    ),
    DESCRIBE: (f"POST {P}/options", f"POST {P}/weights", f"POST {P}/workload/{{key}}", f"PUT {A}/intake"),
    PRICE: (f"POST {P}/cost", f"POST {P}/cost/reset"),
    ISSUE: (f"POST {P}/sheet", f"POST {A}/sheets"),
    MANAGE: (
        *(f"POST {P}", f"POST {P}/members", f"POST {P}/members/{{user_id}}/remove", f"POST {P}/delete"),
        f"PATCH {A}",
    ),
    GONE_PROJECT: (f"POST {P}/restore",),
}
NEEDS = {route: needed for needed, rows in TABLE.items() for route in rows}

IN, DOOR_SHUT, HIDDEN, REFUSED = "in", "sign in first", "as if it did not exist", "refused"
PEOPLE = {
    "anonymous": frozenset({DOOR}),
    "requester": frozenset({DOOR, USER, WHOLE, READ, UPLOAD, DESCRIBE, ISSUE}),
    "maker": frozenset({DOOR, USER, WHOLE, READ, UPLOAD, DESCRIBE, ISSUE, MANAGE}),
    "procurement": frozenset({DOOR, USER, WHOLE, PRICES, READ, PRICE, ISSUE}),
    "requester elsewhere": frozenset({DOOR, USER, WHOLE}),
    "procurement elsewhere": frozenset({DOOR, USER, WHOLE, PRICES}),
    "admin": frozenset({DOOR, USER, WHOLE, PRICES, ADMIN, READ, UPLOAD, DESCRIBE, PRICE, ISSUE, MANAGE}),
}
SESSIONS = tuple(PEOPLE)
TOKENS = {
    "token": PEOPLE["requester"],
    "token for the project": frozenset({USER, READ, UPLOAD}),
    "admin's token for the project": frozenset({USER, READ, UPLOAD}),
    "token for another project": frozenset({USER}),
    "revoked token": frozenset(),
    "token of somebody deactivated": frozenset(),
}
OF_A_PROJECT = frozenset({READ, UPLOAD, DESCRIBE, PRICE, ISSUE, MANAGE})
STRANGERS = frozenset({"requester elsewhere", "procurement elsewhere", "token for another project"})
GONE = frozenset({"revoked token", "token of somebody deactivated", "anonymous"})


@dataclass(frozen=True)
class World:
    """A project with its people, another project, and a job."""

    project_id: UUID
    job_id: UUID
    sessions: Mapping[str, str]
    tokens: Mapping[str, str]


@pytest.fixture
def world(database: Database) -> World:
    people = {
        name: a_user(database, name, role)
        for name, role in {
            "requester": UserRole.REQUESTER,
            "maker": UserRole.REQUESTER,
            "procurement": UserRole.PROCUREMENT,
            "requester elsewhere": UserRole.REQUESTER,
            "procurement elsewhere": UserRole.PROCUREMENT,
            "admin": UserRole.ADMIN,
            "leaver": UserRole.REQUESTER,
        }.items()
    }
    with database.write() as session:
        project_id = projects.start_project(session, SaveProject(name="Ours", currency=Currency.USD), people["maker"].id)
        for name in ("requester", "procurement", "leaver"):
            members.add(session, project_id, name)
        other_id = projects.start_project(session, SaveProject(name="Theirs", currency=Currency.USD), people["requester"].id)
        job_id = jobs.add(session, "telemetry.profile", {}, project_id)
    return World(
        project_id,
        job_id,
        {name: a_session(database, user) for name, user in people.items()},
        _tokens(database, people, project_id, other_id),
    )


def _tokens(database: Database, people: Mapping[str, UserRow], project_id: UUID, other_id: UUID) -> Mapping[str, str]:
    requester = people["requester"]
    revoked = an_api_token(database, "revoked", requester)
    found = {
        "token": an_api_token(database, "all", requester),
        "token for the project": an_api_token(database, "one", requester, project_id),
        "admin's token for the project": an_api_token(database, "one", people["admin"], project_id),
        "token for another project": an_api_token(database, "other", requester, other_id),
        "revoked token": revoked,
        "token of somebody deactivated": an_api_token(database, "left", people["leaver"]),
    }
    with database.write() as session:
        for token in tokens.tokens(session, requester.id):
            if token.name == "revoked":
                tokens.revoke(session, requester.id, token.id, now=token.created_at)
        accounts.deactivate(session, people["leaver"].id, now=requester.created_at)
    return found


def expected(who: str, allowed: frozenset[str], needed: str) -> str:
    if needed in allowed:
        return IN
    if who in GONE:
        return DOOR_SHUT
    if needed == GONE_PROJECT:
        return HIDDEN  # this one is not deleted
    return HIDDEN if needed in OF_A_PROJECT and who in STRANGERS else REFUSED


def outcome(method: str, address: str, client: TestClient, headers: Mapping[str, str]) -> str:
    return outcome_of(client.request(method, address, headers=dict(headers)))


def outcome_of(answer: Response) -> str:
    assert answer.status_code < 500, answer.text
    if answer.status_code == 401 or (answer.status_code == 303 and answer.headers["location"].startswith("/sign-in?")):
        return DOOR_SHUT
    if answer.status_code == 403:
        return REFUSED
    hidden = ("project.not_found", "job.not_found")
    if answer.status_code == 404 and (answer.headers["content-type"] == "application/problem+json"):
        return HIDDEN if answer.json()["type"].removeprefix("/problems/") in hidden else IN
    if answer.status_code == 404:
        said = BeautifulSoup(answer.text, "html.parser").select_one("main").text
        return HIDDEN if "There is no such project" in said or "There is no such job" in said else IN
    return IN


def served(application: FastAPI) -> Iterator[str]:
    """Every method and path that the application answers, as it was put together; mounted files aside."""
    for route in application.routes:
        parts = getattr(route, "effective_route_contexts", None)
        for part in [route] if parts is None else parts():
            yield from (f"{method} {part.path}" for method in sorted((getattr(part, "methods", None) or set()) - {"HEAD"}))


def test_every_route_has_a_row_and_every_row_a_route(application: FastAPI) -> None:
    assert sorted(served(application)) == sorted(NEEDS)


def test_everybody_stands_in_front_of_every_route() -> None:
    """Roles beside those of the table would be nobody's: each role is somebody here."""
    assert {role.value for role in UserRole} <= {name.partition(" ")[0] for name in SESSIONS}
    assert {f"{method} {path}" for method, path in routes()} | {"GET /api/v1/openapi.json"} == set(NEEDS)


@pytest.mark.parametrize("route", sorted(NEEDS))
def test_who_gets_in(application: FastAPI, world: World, database: Database, route: str) -> None:
    method, _, path = route.partition(" ")
    names = {
        "project_id": world.project_id,
        "job_id": world.job_id,
        "noun": "gpus",
        "key": "model" if "workload" in path else "l4",
        "kind": "json",
    }
    address = path
    for part in [part for part in path.replace(".", "/").split("/") if part.startswith("{")]:
        name = part.strip("{}")
        address = address.replace(part, str(names.get(name, ANY_ID if name.endswith("_id") else "1")))
    if path == "/prices/{kind}":
        address = "/prices/purchase"
    if "export" in path:
        address = address.replace(".json", ".csv")
    needed, found, wanted = NEEDS[route], {}, {}
    is_page = not path.startswith("/api/")
    for who, allowed in {**PEOPLE, **TOKENS}.items():
        client = TestClient(application, base_url=BASE_URL, follow_redirects=False)
        if who in world.sessions:
            client.cookies.set("gpuplan_session", world.sessions[who])
        headers = {"Authorization": f"Bearer {world.tokens[who]}"} if who in world.tokens else {}
        savepoint = database.bind.begin_nested()
        found[who] = outcome(method, address, client, headers)
        savepoint.rollback()
        is_shut = is_page and who in TOKENS and needed != DOOR  # a token opens no page
        wanted[who] = DOOR_SHUT if is_shut else expected(who, allowed | {DOOR}, needed)
    if route == "POST /sign-in":  # a link that was never made opens nothing, whoever brings it
        wanted = dict.fromkeys(wanted, REFUSED)
    assert found == wanted


@pytest.mark.parametrize("path", ["/sign-in/company", "/sign-in/company/back?state=made-up&code=made-up"])
def test_company_sign_in_treats_everybody_alike(world: World, database: Database, settings: Settings, path: str) -> None:
    """Both of its routes, switched on, with a provider out of reach: nobody is asked who they are, and nobody is signed in."""
    values = {"oidc_issuer": "http://127.0.0.1:9", "oidc_client_id": "gpuplan", "oidc_client_secret": SecretStr("a secret")}
    site = create_app(settings.model_copy(update=values), database)
    found = {}
    for who in PEOPLE:
        client = TestClient(site, base_url=BASE_URL, follow_redirects=False)
        if who in world.sessions:
            client.cookies.set("gpuplan_session", world.sessions[who])
        answer = client.get(path)
        found[who] = outcome_of(answer)
        assert answer.status_code != 404, "it is switched on"
        assert "gpuplan_session" not in answer.headers.get("set-cookie", "")
    assert set(found.values()) == {REFUSED}, "the provider cannot be reached, or never asked"


def test_token_opens_no_page(client: TestClient, database: Database) -> None:
    answer = client.get("/projects", headers={"Authorization": f"Bearer {an_api_token(database)}"})
    assert answer.status_code == 303


def test_lists_show_only_what_is_ones_own(application: FastAPI, world: World) -> None:
    listed = {}
    for who, cookie in world.sessions.items():
        client = TestClient(application, base_url=BASE_URL, cookies={"gpuplan_session": cookie})
        listed[who] = {project["name"] for project in client.get("/api/v1/projects").json().get("projects", [])}
    assert listed["requester"] == {"Ours", "Theirs"}
    assert listed["procurement"] == listed["maker"] == {"Ours"}
    assert listed["requester elsewhere"] == set()
    assert listed["admin"] >= {"Ours", "Theirs"}
    bearer = {"Authorization": f"Bearer {world.tokens['token for the project']}"}
    answer = TestClient(application, base_url=BASE_URL).get("/api/v1/projects", headers=bearer)
    assert {project["name"] for project in answer.json()["projects"]} == {"Ours"}


def test_what_one_may_not_do_is_not_offered(application: FastAPI, world: World) -> None:
    offered = {}
    for who in ("requester", "maker", "procurement", "admin"):
        client = TestClient(application, base_url=BASE_URL, cookies={"gpuplan_session": world.sessions[who]})
        page = BeautifulSoup(client.get(f"/projects/{world.project_id}").text, "html.parser")
        offered[who] = (
            page.select_one("[data-test=project-settings]") is not None,
            page.select_one('.top-bar a[href="/admin"]') is not None,
        )
    assert offered == {"requester": (False, False), "maker": (True, False), "procurement": (False, True), "admin": (True, True)}


@pytest.mark.parametrize(
    ("path", "control", "who"),
    [
        ("evidence", "#upload-form", {"requester", "maker", "admin"}),
        ("workload/model", "[data-test=save]", {"requester", "maker", "admin"}),
    ],
)
def test_a_step_offers_its_control_to_those_who_may(application: FastAPI, world: World, path: str, control: str, who: set[str]) -> None:
    found = set()
    for name in ("requester", "maker", "procurement", "admin"):
        client = TestClient(application, base_url=BASE_URL, cookies={"gpuplan_session": world.sessions[name]})
        page = BeautifulSoup(client.get(f"/projects/{world.project_id}/{path}").text, "html.parser")
        found |= {name} if page.select_one(control) else set()
    assert found == who


def test_who_brings_a_deleted_project_back(application: FastAPI, world: World, database: Database) -> None:
    with database.write() as session:
        projects.delete_project(session, world.project_id, now=datetime.now(UTC))
    found = {}
    for who in world.sessions.keys() - {"leaver"}:
        client = TestClient(application, base_url=BASE_URL, cookies={"gpuplan_session": world.sessions[who]}, follow_redirects=False)
        savepoint = database.bind.begin_nested()
        found[who] = client.post(f"/projects/{world.project_id}/restore").status_code
        savepoint.rollback()
    assert {who for who, status in found.items() if status == 303} == {"maker", "admin"}
    assert {status for who, status in found.items() if who not in ("maker", "admin")} == {404}
