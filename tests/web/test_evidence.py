"""The Evidence step in a browser: upload by form and paste, verdicts, profile, taking away and bringing back."""

from uuid import UUID, uuid4

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.jobs.registry import TASKS
from app.services import catalogue, jobs, runs
from tests.conftest import Surface
from tests.factories.dmon import a_log, steady
from tests.factories.projects import a_project

LOG = a_log(steady(150, gpu_count=2, sm=41, mem=12, pwr=150))


@pytest.fixture(autouse=True)
def _seeded(database: Database) -> None:
    with database.write() as session:
        catalogue.seed(session)


def soup(text: str) -> BeautifulSoup:
    return BeautifulSoup(text, "html.parser")


def _upload(browser: TestClient, project_id: object, name: str = "node1.log", log: bytes = LOG, **fields: str) -> None:
    answer = browser.post(f"/projects/{project_id}/evidence", files=[("log", (name, log))], data=fields)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/projects/{project_id}/evidence")


def _run_jobs(database: Database, project_id: UUID) -> None:
    with database.read() as session:
        waiting = [job.id for job in jobs.jobs_of_project(session, project_id) if not job.is_finished]
    for job_id in waiting:
        runs.run(database, job_id, TASKS)


def _profile_url(browser: TestClient, project_id: object) -> str:
    return str(soup(browser.get(f"/projects/{project_id}/evidence").text).select_one(".upload-name")["href"])


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_empty_step_teaches_and_offers_the_command(signed_in: TestClient, database: Database, surface: Surface, language: str) -> None:
    project_id = a_project(database)
    answer = signed_in.get(f"/projects/{project_id}/evidence", headers={**surface.headers, "Accept-Language": language})
    page = soup(answer.text)
    assert page.select_one(".empty")
    assert f"/api/v1/projects/{project_id}/telemetry" in page.select_one("[data-test=command]").text


def test_command_with_a_token_that_works(signed_in: TestClient, client: TestClient, database: Database) -> None:
    project_id = a_project(database)
    page = soup(signed_in.post(f"/projects/{project_id}/evidence/command").text)
    token = page.select_one("[data-test=command]").text.split("Bearer ")[1].split('"')[0]
    answer = client.get(f"/api/v1/projects/{project_id}/telemetry", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200


def test_upload_is_read_and_its_verdict_stands_in_list_rail_and_profile(
    signed_in: TestClient, database: Database, surface: Surface
) -> None:
    project_id = a_project(database)
    _upload(signed_in, project_id, gpu="a100-sxm4-80gb")
    waiting = soup(signed_in.get(f"/projects/{project_id}/evidence", headers=surface.headers).text)
    assert waiting.select_one("[data-test=job]")["data-state"] == "queued"

    _run_jobs(database, project_id)

    listed = soup(signed_in.get(f"/projects/{project_id}/evidence").text)
    assert "input-starved" in listed.select_one("[data-test=verdict]").text
    assert "input-starved" in listed.select_one("[data-test=rail-evidence]").text
    profile = soup(signed_in.get(_profile_url(signed_in, project_id), headers=surface.headers).text)
    assert profile.select_one("[data-test=headline] h1").text.startswith("The GPUs wait for data: SM median 41 %")
    assert profile.select_one("[data-test=diagnosis]")["data-rule"] == "R-D5"
    assert len(profile.select("[data-test=gpu]")) == 2
    assert {figure["id"] for figure in profile.select("[data-chart]")} == {"heat", "series"}
    assert profile.select("#heat details tbody tr")


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_profile_names_what_was_not_used(signed_in: TestClient, database: Database, language: str) -> None:
    project_id = a_project(database)
    _upload(signed_in, project_id, log=b"```\n" + LOG + b"    0   12\n")
    _run_jobs(database, project_id)
    page = soup(signed_in.get(_profile_url(signed_in, project_id), headers={"Accept-Language": language}).text)
    lines = [cell.text for cell in page.select("[data-test=skipped] tbody th")]
    assert lines == ["1", str(LOG.count(b"\n") + 2)]


def test_pasted_log_is_taken(signed_in: TestClient, database: Database, surface: Surface) -> None:
    project_id = a_project(database)
    answer = signed_in.post(f"/projects/{project_id}/evidence", data={"pasted": LOG.decode()}, headers=surface.headers)
    assert surface.redirect(answer) == f"/projects/{project_id}/evidence"


def test_refused_log_is_named_and_the_paste_is_shown_back(signed_in: TestClient, database: Database, surface: Surface) -> None:
    project_id = a_project(database)
    answer = signed_in.post(f"/projects/{project_id}/evidence", data={"pasted": "no log at all"}, headers=surface.headers)
    assert answer.status_code == 422
    page = soup(answer.text)
    assert "No telemetry was recognised" in page.select_one("[data-field=pasted] .error").text
    assert page.select_one("#pasted").text.strip() == "no log at all"


def test_of_several_files_all_or_none_are_taken(signed_in: TestClient, database: Database) -> None:
    project_id = a_project(database)
    files = [("log", ("good.log", LOG)), ("log", ("photo.png", b"\x89PNG" + bytes(3000)))]
    answer = signed_in.post(f"/projects/{project_id}/evidence", files=files)
    assert answer.status_code == 422
    assert "photo.png" in soup(answer.text).select_one("[data-field=log] .error").text
    assert not soup(signed_in.get(f"/projects/{project_id}/evidence").text).select("[data-test=upload]")


def test_nothing_sent_is_said(signed_in: TestClient, database: Database, surface: Surface) -> None:
    answer = signed_in.post(f"/projects/{a_project(database)}/evidence", data={"pasted": "  "}, headers=surface.headers)
    assert (answer.status_code, bool(soup(answer.text).select_one("[data-field=log] .error"))) == (422, True)


def test_taken_away_and_brought_back(signed_in: TestClient, database: Database, surface: Surface) -> None:
    project_id = a_project(database)
    _upload(signed_in, project_id)
    url = _profile_url(signed_in, project_id)
    gone = surface.redirect(signed_in.post(f"{url}/delete", headers=surface.headers))
    page = soup(signed_in.get(gone).text)
    assert not page.select("[data-test=upload]")
    back = page.select_one("[data-test=removed] form")["action"]
    assert surface.redirect(signed_in.post(back, headers=surface.headers)) == f"/projects/{project_id}/evidence"
    assert len(soup(signed_in.get(f"/projects/{project_id}/evidence").text).select("[data-test=upload]")) == 1


def test_board_can_be_named_later(signed_in: TestClient, database: Database, surface: Surface) -> None:
    project_id = a_project(database)
    _upload(signed_in, project_id, log=a_log(steady(150, sm=99, mem=20, pwr=380)))
    _run_jobs(database, project_id)
    url = _profile_url(signed_in, project_id)
    assert soup(signed_in.get(url).text).select_one("[data-test=diagnosis]")["data-verdict"] == "inconclusive"
    answer = signed_in.post(f"{url}/board", data={"gpu": "a100-sxm4-80gb"}, headers=surface.headers)
    assert surface.redirect(answer) == url
    _run_jobs(database, project_id)
    assert soup(signed_in.get(url).text).select_one("[data-test=diagnosis]")["data-verdict"] == "compute-bound"


def test_board_named_in_another_tab_is_shown_before_it_is_replaced(signed_in: TestClient, database: Database, surface: Surface) -> None:
    project_id = a_project(database)
    _upload(signed_in, project_id, log=a_log(steady(150, sm=99, mem=20, pwr=380)))
    _run_jobs(database, project_id)
    url = _profile_url(signed_in, project_id)
    signed_in.post(f"{url}/board", data={"gpu": "a100-sxm4-80gb", "seen": ""})
    refused = signed_in.post(f"{url}/board", data={"gpu": "l4", "seen": ""}, headers=surface.headers)
    assert refused.status_code == 409
    page = soup(refused.text)
    assert "A100" in page.select_one("[data-test=conflict]").text
    assert page.select_one("[data-test=board] option[selected]")["value"] == "l4"
    again = {"gpu": "l4", "seen": page.select_one("[data-test=board] [name=seen]")["value"]}
    assert surface.redirect(signed_in.post(f"{url}/board", data=again, headers=surface.headers)) == url


def test_taking_away_twice_is_once(signed_in: TestClient, database: Database, surface: Surface) -> None:
    project_id = a_project(database)
    _upload(signed_in, project_id)
    url = _profile_url(signed_in, project_id)
    addresses = [surface.redirect(signed_in.post(f"{url}/delete", headers=surface.headers)) for _ in range(2)]
    assert addresses[0] == addresses[1]


def test_raw_log_and_json(signed_in: TestClient, database: Database) -> None:
    project_id = a_project(database)
    _upload(signed_in, project_id)
    _run_jobs(database, project_id)
    url = _profile_url(signed_in, project_id)
    assert signed_in.get(f"{url}/raw").content == LOG
    document = signed_in.get(f"{url}/profile.json").json()
    assert (document["format"], document["samples"], len(document["series"]) > 0) == ("nvidia-smi-dmon", 300, True)


def test_upload_of_another_project_is_not_found(signed_in: TestClient, database: Database) -> None:
    project_id = a_project(database)
    _upload(signed_in, project_id)
    foreign = _profile_url(signed_in, project_id).replace(str(project_id), str(a_project(database, "Other")))
    assert signed_in.get(foreign).status_code == 404
    assert signed_in.get(f"/projects/{uuid4()}/evidence").status_code == 404


def test_a_pasted_message_is_evidence_too(signed_in: TestClient, database: Database) -> None:
    project_id = a_project(database)
    message = "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.3 GiB of which 1.0 GiB is free. Of the allocated memory 70.0 GiB is allocated by PyTorch, and 0.5 GiB is reserved by PyTorch but unallocated."
    signed_in.post(f"/projects/{project_id}/evidence", data={"pasted": f"Traceback:\n{message}\n", "gpu": ""}, files={"log": ("", b"")})
    _run_jobs(database, project_id)
    address = _profile_url(signed_in, project_id)
    page = soup(signed_in.get(address).text)
    assert page.select_one("[data-test=diagnosis]")["data-verdict"] == "memory-capacity"
    assert "79.3" in page.select_one("[data-test=result]").text
    assert page.select("[data-test=gpu]") == []
    assert signed_in.get(f"{address}/profile.json").json()["results"][0]["kind"] == "out-of-memory"
    assert signed_in.get(f"/projects/{project_id}/options").status_code == 200
