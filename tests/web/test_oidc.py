"""The company's sign-in against a real OpenID provider on a free port: the browser walks through it as people do."""

import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from socket import socket
from subprocess import DEVNULL, Popen
from threading import Thread
from time import monotonic, sleep, time
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient
from joserfc import jwt
from joserfc.jwk import RSAKey
from pydantic import SecretStr

from app.db.engine import Database
from app.main import create_app
from app.services import accounts
from app.services.accounts import UserRole
from app.settings import Settings
from tests.conftest import BASE_URL
from tests.factories.accounts import a_user


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """The issuer of a running provider, a process of its own."""
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("oidc-provider-mock")), "--port", str(port), "--require-nonce", "true"]
    with Popen(command, stdout=DEVNULL, stderr=DEVNULL) as process:
        issuer, until = f"http://localhost:{port}", monotonic() + 30
        while True:
            try:
                if httpx2.get(f"{issuer}/.well-known/openid-configuration").is_success:
                    break
            except httpx2.TransportError:
                assert monotonic() < until, "the provider did not start"
                sleep(0.1)
        yield issuer
        process.terminate()


def a_site(settings: Settings, database: Database, issuer: str, **changes: object) -> TestClient:
    """The application with the company's sign-in switched on."""
    values = {"oidc_issuer": issuer, "oidc_client_id": "gpuplan", "oidc_client_secret": SecretStr("a secret"), **changes}
    return TestClient(create_app(settings.model_copy(update=values), database), base_url=BASE_URL, follow_redirects=False)


def at_the_provider(address: str, subject: str) -> str:
    """Says at the provider who one is; returns where it sends the browser."""
    answer = httpx2.post(address, data={"sub": subject}, follow_redirects=False)
    assert answer.status_code == 302, answer.text
    return answer.headers["location"]


def walk(client: TestClient, subject: str = "wei", wanted: str = "/account") -> str:
    """From the sign-in page to the provider; returns the address at which the browser comes back."""
    page = BeautifulSoup(client.get(f"/sign-in?{urlencode({'next': wanted})}").text, "html.parser")
    left = client.get(page.select_one("[data-test=company]")["href"])
    assert left.status_code == 303
    asked = parse_qs(urlsplit(left.headers["location"]).query)
    assert asked["code_challenge_method"] == ["S256"]
    assert asked["nonce"]
    return at_the_provider(left.headers["location"], subject).removeprefix(BASE_URL)


def test_without_settings_there_is_no_button(client: TestClient) -> None:
    page = BeautifulSoup(client.get("/sign-in").text, "html.parser")
    assert page.select_one("[data-test=company]") is None
    assert client.get("/sign-in/company").status_code == 404


def test_somebody_new_comes_in_as_requester_and_comes_back_as_the_same(settings: Settings, database: Database, provider: str) -> None:
    client = a_site(settings, database, provider)
    for _ in range(2):
        client.cookies.clear()
        answer = client.get(walk(client))
        assert (answer.status_code, answer.headers["location"]) == (303, "/account")
        assert client.get("/account").status_code == 200
    with database.read() as session:
        linked = [user for user in accounts.users(session) if user.is_linked]
    assert [(user.name, user.role) for user in linked] == [("wei", UserRole.REQUESTER)]


def test_a_local_user_of_the_same_name_is_not_taken_over(settings: Settings, database: Database, provider: str) -> None:
    local = a_user(database, "wei", UserRole.ADMIN)
    client = a_site(settings, database, provider)
    assert client.get(walk(client)).status_code == 303
    with database.read() as session:
        names = {user.name: user for user in accounts.users(session)}
    assert not names["wei"].is_linked
    assert names["wei"].id == local.id
    assert names["wei 2"].role is UserRole.REQUESTER


def test_deactivated_people_stay_out(settings: Settings, database: Database, provider: str) -> None:
    client = a_site(settings, database, provider)
    client.get(walk(client))
    with database.write() as session:
        user = next(user for user in accounts.users(session) if user.is_linked)
        accounts.deactivate(session, user.id, now=user.created_at)
    assert client.get("/account").status_code == 303
    assert client.get(walk(client)).status_code == 403


@pytest.mark.parametrize("spoil", ["state", "cookie", "code", "other browser"])
def test_an_answer_that_is_not_ours_opens_nothing(settings: Settings, database: Database, provider: str, spoil: str) -> None:
    client = a_site(settings, database, provider)
    back = walk(client)
    if spoil == "state":
        back = back.replace("state=", "state=x")
    elif spoil == "code":
        back = back.replace("code=", "code=x")
    elif spoil == "cookie":
        kept = client.cookies["gpuplan_oidc"]
        client.cookies.clear()
        client.cookies.set("gpuplan_oidc", kept[:-2] + ("aa" if kept[-2:] != "aa" else "bb"))
    else:
        client.cookies.clear()
    answer = client.get(back)
    assert answer.status_code == 403
    assert "gpuplan_session" not in answer.headers.get("set-cookie", "")


def test_a_code_works_once(settings: Settings, database: Database, provider: str) -> None:
    client = a_site(settings, database, provider)
    back = walk(client)
    kept = client.cookies["gpuplan_oidc"]
    assert client.get(back).status_code == 303
    client.cookies.set("gpuplan_oidc", kept)
    assert client.get(back).status_code == 403


def test_provider_out_of_reach_is_said(settings: Settings, database: Database) -> None:
    client = a_site(settings, database, "http://localhost:9")
    assert client.get("/sign-in/company").status_code == 403
    assert client.get("/sign-in").status_code == 200


def test_nobody_is_sent_to_another_site(settings: Settings, database: Database, provider: str) -> None:
    client = a_site(settings, database, provider)
    assert client.get(walk(client, wanted="https://evil.example/")).headers["location"] == "/"


class Broken(BaseHTTPRequestHandler):
    """A provider that talks nonsense at one point."""

    at = ""

    def do_GET(self) -> None:
        issuer = f"http://localhost:{self.server.server_port}"
        known = {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/go",
            "token_endpoint": f"{issuer}/token",
            "jwks_uri": f"{issuer}/keys",
        }
        answers = {
            "html": "<html>",
            "list": "[1]",
            "other issuer": json.dumps({**known, "issuer": "https://evil.example"}),
            "no end": json.dumps({"issuer": issuer}),
        }
        self._say(200, answers.get(self.at, json.dumps(known)))

    def do_POST(self) -> None:
        token = {"token 500": (500, "<html>"), "token list": (200, "[1]"), "no id": (200, '{"access_token": "x", "token_type": "bearer"}')}
        self._say(*token.get(self.at, (200, json.dumps({"access_token": "x", "token_type": "bearer", "id_token": "a.b.c"}))))

    def _say(self, status: int, body: str) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.mark.parametrize("at", ["html", "list", "other issuer", "no end", "token 500", "token list", "no id", "id is no token"])
def test_broken_provider_is_a_refusal(settings: Settings, database: Database, at: str) -> None:
    server = HTTPServer(("127.0.0.1", 0), type("BrokenAt", (Broken,), {"at": at}))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        client = a_site(settings, database, f"http://localhost:{server.server_port}")
        left = client.get("/sign-in/company")
        if left.status_code == 303:
            state = parse_qs(urlsplit(left.headers["location"]).query)["state"][0]
            left = client.get("/sign-in/company/back", params={"code": "x", "state": state})
        assert left.status_code == 403, left.text
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("wrong", ["", "iss", "aud", "nonce", "exp", "key"])
def test_token_must_be_for_us_from_them_and_now(settings: Settings, database: Database, wrong: str) -> None:
    key, stranger = (RSAKey.generate_key(2048, {"kid": "k"}) for _ in range(2))
    claims = {"sub": "wei", "aud": "gpuplan", "exp": int(time()) + 600}

    class Signing(Broken):
        def do_GET(self) -> None:
            if self.path != "/keys":
                return super().do_GET()
            return self._say(200, json.dumps({"keys": [key.as_dict(private=False)]}))

        def do_POST(self) -> None:
            spoilt = {
                "iss": {"iss": "https://evil.example"},
                "aud": {"aud": "other"},
                "nonce": {"nonce": "x"},
                "exp": {"exp": int(time()) - 3600},
            }
            signed = jwt.encode({"alg": "RS256", "kid": "k"}, {**claims, **spoilt.get(wrong, {})}, stranger if wrong == "key" else key)
            self._say(200, json.dumps({"access_token": "x", "token_type": "bearer", "id_token": signed}))

    server = HTTPServer(("127.0.0.1", 0), Signing)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        claims["iss"] = f"http://localhost:{server.server_port}"
        client = a_site(settings, database, str(claims["iss"]))
        asked = parse_qs(urlsplit(client.get("/sign-in/company").headers["location"]).query)
        claims["nonce"] = asked["nonce"][0]
        answer = client.get("/sign-in/company/back", params={"code": "x", "state": asked["state"][0]})
        assert answer.status_code == (403 if wrong else 303)
    finally:
        server.shutdown()
        server.server_close()
