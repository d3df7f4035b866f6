"""Passwords: setting, changing, signing in, and the limit on tries."""

from datetime import UTC, datetime, timedelta

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.main import create_app
from app.services import accounts, sign_in, tokens
from app.services.accounts import UserRole
from app.services.sign_in import SignInRefused, TooManyTries
from app.settings import Settings
from tests.conftest import Surface
from tests.factories.accounts import a_session, a_user, an_api_token

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)
PASSWORD = "four random words here"


def tried(database: Database, name: str, password: str, now: datetime = NOW, address: str = "10.0.0.1") -> str:
    return sign_in.by_password(database, name, password, address=address, browser="a test", now=now)


def test_right_password_opens_a_new_session_each_time(client: TestClient, database: Database) -> None:
    a_user(database, password=PASSWORD)
    cookies = set()
    for _ in range(2):
        answer = client.post("/sign-in/password", data={"name": " Li  Wei ", "password": PASSWORD, "next": "/account"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/account")
        cookies.add(client.cookies["gpuplan_session"])
    assert len(cookies) == 2
    page = BeautifulSoup(client.get("/account").text, "html.parser")
    assert len(page.select("[data-test=session]")) == 1  # the first was ended, so a session that was fixed before opens nothing


@pytest.mark.parametrize("name", ["Li Wei", "nobody", "no password", "left"])
def test_refusal_does_not_say_what_was_wrong(client: TestClient, database: Database, surface: Surface, name: str) -> None:
    a_user(database, password=PASSWORD)
    a_user(database, "no password")
    left = a_user(database, "left", password=PASSWORD)
    with database.write() as session:
        accounts.deactivate(session, left.id, now=NOW)
    password = PASSWORD if name == "left" else "not the password"
    answer = client.post("/sign-in/password", data={"name": name, "password": password}, headers=surface.headers)
    assert answer.status_code == 422
    page = BeautifulSoup(answer.text, "html.parser")
    assert (
        page.select_one("[data-test=error-summary] li").text.strip() == "Name and password do not fit together, or there is no such user."
    )
    assert page.select_one("#name")["value"] == name
    assert page.select_one("#password")["value"] == ""
    assert password not in answer.text
    assert "set-cookie" not in answer.headers


def test_tries_are_limited_per_account_and_the_limit_ends(database: Database) -> None:
    a_user(database, password=PASSWORD)
    for _ in range(sign_in.TRIES_PER_ACCOUNT):
        with pytest.raises(SignInRefused):
            tried(database, "Li Wei", "wrong")
    with pytest.raises(TooManyTries) as refused:
        tried(database, " li  wei", PASSWORD, NOW + timedelta(minutes=5), address="10.0.0.2")
    assert refused.value.retry_after_s == 600
    assert tried(database, "Li Wei", PASSWORD, NOW + sign_in.TRIES_COUNT_FOR + timedelta(seconds=1))


def test_success_clears_the_count(database: Database) -> None:
    a_user(database, password=PASSWORD)
    for _ in range(2):
        for _ in range(sign_in.TRIES_PER_ACCOUNT - 1):
            with pytest.raises(SignInRefused):
                tried(database, "Li Wei", "wrong")
        assert tried(database, "Li Wei", PASSWORD)


def test_tries_are_limited_per_address(database: Database) -> None:
    for number in range(sign_in.TRIES_PER_ADDRESS):
        with pytest.raises(SignInRefused):
            tried(database, f"name {number}", "wrong")
    for _ in range(sign_in.TRIES_FROM_BUSY_ADDRESS):
        with pytest.raises(SignInRefused):
            tried(database, "one more", "wrong")
    with pytest.raises(TooManyTries):
        tried(database, "one more", "wrong")
    with pytest.raises(SignInRefused):
        tried(database, "one more", "wrong", address="10.0.0.2")


def test_a_busy_address_does_not_shut_out_who_knows_their_password(database: Database) -> None:
    a_user(database, password=PASSWORD)
    for number in range(2 * sign_in.TRIES_PER_ADDRESS):
        with pytest.raises(SignInRefused):
            tried(database, f"name {number}", "wrong")
    with pytest.raises(SignInRefused):
        tried(database, "Li Wei", "mistyped")
    assert tried(database, "Li Wei", PASSWORD)


def test_guessing_the_old_password_is_limited(client: TestClient, database: Database) -> None:
    client.cookies.set("gpuplan_session", a_session(database, a_user(database, password=PASSWORD)))
    change = {"password": "another long password"}
    for _ in range(sign_in.TRIES_PER_ACCOUNT):
        assert client.post("/account/password", data={"old": "a guess", **change}).status_code == 422
    answer = client.post("/account/password", data={"old": PASSWORD, **change})
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 900
    page = BeautifulSoup(answer.text, "html.parser")
    assert page.select_one("[data-test=error-summary]")
    assert page.select("[data-test=password-changed]") == []
    assert tried(database, "Li Wei", PASSWORD, datetime.now(UTC)), "signing in is counted apart"


def test_a_right_old_password_takes_its_tries_back(client: TestClient, database: Database) -> None:
    client.cookies.set("gpuplan_session", a_session(database, a_user(database, password=PASSWORD)))
    for _ in range(2):
        for _ in range(sign_in.TRIES_PER_ACCOUNT - 1):
            client.post("/account/password", data={"old": "a guess", "password": "another long password"})
        assert client.post("/account/password", data={"old": PASSWORD, "password": PASSWORD}).status_code == 200


@pytest.mark.parametrize("name", ["li wei", "LiWei", "Li  WEI", "Lі Wei", "Ｌi Wei", "Li\u200b Wei", "1i Wei"])
def test_name_that_only_looks_different_is_refused(signed_in: TestClient, database: Database, name: str) -> None:
    a_user(database, "Li Wei")
    answer = signed_in.post("/admin/users", data={"name": name, "role": "requester"})
    assert answer.status_code == 422
    assert BeautifulSoup(answer.text, "html.parser").select_one("#name-error")


@pytest.mark.parametrize("name", ["Lu Wei", "李伟", "Lia Wei", "Lí Wei"])
def test_name_that_looks_different_is_another(signed_in: TestClient, database: Database, name: str) -> None:
    a_user(database, "Li Wei")
    assert signed_in.post("/admin/users", data={"name": name, "role": "requester"}).status_code == 200


def test_page_says_when_to_try_again(client: TestClient, database: Database) -> None:
    a_user(database, password=PASSWORD)
    for _ in range(sign_in.TRIES_PER_ACCOUNT):
        client.post("/sign-in/password", data={"name": "Li Wei", "password": "wrong"})
    answer = client.post("/sign-in/password", data={"name": "Li Wei", "password": PASSWORD})
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 900
    assert BeautifulSoup(answer.text, "html.parser").select_one("[data-test=error-summary]")


def test_changing_the_password_signs_out_every_other_browser(client: TestClient, database: Database) -> None:
    user = a_user(database, password=PASSWORD)
    other = a_session(database, user)
    client.cookies.set("gpuplan_session", a_session(database, user))
    wrong = client.post("/account/password", data={"old": "wrong", "password": "another long password"})
    assert wrong.status_code == 422
    assert BeautifulSoup(wrong.text, "html.parser").select_one("#old-error")
    answer = client.post("/account/password", data={"old": PASSWORD, "password": "another long password"})
    assert BeautifulSoup(answer.text, "html.parser").select_one("[data-test=password-changed]")
    assert client.get("/account").status_code == 200
    client.cookies.set("gpuplan_session", other)
    assert client.get("/account").status_code == 303


@pytest.mark.parametrize("password", ["short", "aaaaaaaaaaaaaaa", "a very long name", "x" * 201])
def test_weak_password_is_refused_at_its_field(client: TestClient, database: Database, surface: Surface, password: str) -> None:
    client.cookies.set("gpuplan_session", a_session(database, a_user(database, "A very long name")))
    answer = client.post("/account/password", data={"password": password}, headers=surface.headers)
    assert answer.status_code == 422
    assert BeautifulSoup(answer.text, "html.parser").select_one("#password-error")


def test_own_browser_can_be_signed_out_and_no_one_elses(client: TestClient, database: Database) -> None:
    mine, other = a_user(database), a_user(database, "Somebody else")
    theirs, second = a_session(database, other), a_session(database, mine)
    client.cookies.set("gpuplan_session", a_session(database, mine))
    with database.read() as session:
        here = accounts.hashed(client.cookies["gpuplan_session"])
        every = [one for user in (other, mine) for one in accounts.sessions(session, user.id, now=datetime.now(UTC))]
    for session_id in [one.id for one in every if one.token_hash != here]:
        client.post(f"/account/sessions/{session_id}/end")
    for cookie, status in ((theirs, 200), (second, 303)):
        client.cookies.set("gpuplan_session", cookie)
        assert client.get("/account").status_code == status


def test_admin_adds_people_and_the_last_admin_stays(signed_in: TestClient, database: Database, surface: Surface) -> None:
    added = signed_in.post("/admin/users", data={"name": "Buyer", "role": "procurement"}, headers=surface.headers)
    link = BeautifulSoup(added.text, "html.parser").select_one("[data-test=link]").text
    token = link.rpartition("token=")[2]
    with database.read() as session:
        owner, buyer = accounts.ensure_owner(session), accounts.get_user(session, "Buyer")
    assert buyer.role is UserRole.PROCUREMENT
    for path, data in (("role", {"role": "requester"}), ("deactivate", {})):
        assert signed_in.post(f"/admin/users/{owner.id}/{path}", data=data).status_code == 409
    assert signed_in.post(f"/admin/users/{buyer.id}/role", data={"role": "admin"}).status_code == 303
    assert signed_in.post(f"/admin/users/{owner.id}/role", data={"role": "requester"}).status_code == 303
    assert signed_in.get("/admin/users").status_code == 403
    assert signed_in.post("/sign-in", data={"token": token}).status_code == 303
    assert signed_in.get("/admin/users").status_code == 200


@pytest.mark.parametrize("data", [{}, {"name": "", "role": "admin"}, {"name": "x", "role": "king"}, {"name": "owner", "role": "admin"}])
def test_wrong_user_is_refused_with_its_field(signed_in: TestClient, surface: Surface, data: dict[str, str]) -> None:
    answer = signed_in.post("/admin/users", data=data, headers=surface.headers)
    assert answer.status_code == 422
    assert BeautifulSoup(answer.text, "html.parser").select_one("[data-test=error-summary]")


def test_member_is_added_by_name_and_removed(client: TestClient, database: Database, surface: Surface) -> None:
    maker, other = a_user(database, "Maker"), a_user(database, "Other")
    client.cookies.set("gpuplan_session", a_session(database, maker))
    made = client.post("/projects/new", data={"name": "Ours", "currency": "CNY"}).headers["location"].removesuffix("/workload")
    wrong = client.post(f"{made}/members", data={"member": "Nobody"}, headers=surface.headers)
    assert wrong.status_code == 422
    assert BeautifulSoup(wrong.text, "html.parser").select_one("#member")["value"] == "Nobody"
    assert surface.redirect(client.post(f"{made}/members", data={"member": "Other"}, headers=surface.headers)) == made
    assert len(BeautifulSoup(client.get(made).text, "html.parser").select("[data-test=member]")) == 2
    assert client.post(f"{made}/members/{maker.id}/remove").status_code == 409
    assert client.post(f"{made}/members/{other.id}/remove").status_code == 303
    client.cookies.set("gpuplan_session", a_session(database, other))
    assert client.get(made).status_code == 404


def test_password_set_by_an_administrator_ends_sessions_and_links(client: TestClient, database: Database) -> None:
    user, now = a_user(database, password=PASSWORD), datetime.now(UTC)
    client.cookies.set("gpuplan_session", a_session(database, user))
    with database.write() as session:
        link = accounts.new_sign_in_link(session, user.id, now=now)
        accounts.set_password(session, user.id, "another long password")
    assert client.get("/account").status_code == 303
    assert client.post("/sign-in", data={"token": link}).status_code == 403


def test_expired_session_opens_nothing(client: TestClient, database: Database) -> None:
    user = a_user(database)
    with database.write() as session:
        then = datetime.now(UTC) - sign_in.SESSION_LASTS - timedelta(seconds=1)
        old = sign_in.by_link(session, accounts.new_sign_in_link(session, user.id, now=then), "", now=then)
    client.cookies.set("gpuplan_session", old)
    assert client.get("/account").status_code == 303


def test_tokens_end_with_their_user_and_belong_to_them(client: TestClient, database: Database) -> None:
    user, other = a_user(database), a_user(database, "Somebody else")
    secret = an_api_token(database, user=user)
    with database.read() as session:
        token_id = tokens.tokens(session, user.id)[0].id
    client.cookies.set("gpuplan_session", a_session(database, other))
    assert client.post(f"/account/tokens/{token_id}/revoke").status_code == 404
    client.cookies.clear()
    bearer = {"Authorization": f"Bearer {secret}"}
    assert client.get("/api/v1/projects", headers=bearer).status_code == 200
    with database.write() as session:
        accounts.deactivate(session, user.id, now=datetime.now(UTC))
        accounts.reactivate(session, user.id)
    assert client.get("/api/v1/projects", headers=bearer).status_code == 401


def test_cookies_are_secure_behind_https(settings: Settings, database: Database) -> None:
    site = create_app(settings.model_copy(update={"public_url": "https://gpuplan.example"}), database)
    client = TestClient(site, base_url="https://gpuplan.example", follow_redirects=False)
    user = a_user(database, password=PASSWORD)
    answer = client.post("/sign-in/password", data={"name": user.name, "password": PASSWORD})
    assert "Secure" in answer.headers["set-cookie"]


def test_buyer_who_makes_a_project_may_begin_it(client: TestClient, database: Database) -> None:
    client.cookies.set("gpuplan_session", a_session(database, a_user(database, role=UserRole.PROCUREMENT)))
    start = client.post("/projects/new", data={"name": "Ours", "currency": "CNY"}).headers["location"]
    question = client.get(start).headers["location"]
    assert BeautifulSoup(client.get(question).text, "html.parser").select_one("[data-test=save]")
