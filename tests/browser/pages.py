"""An address of every page there is: of a project with answers, evidence, a choice and an issued sheet, and of one where nothing has been said yet."""

from collections.abc import Mapping
from dataclasses import replace
from uuid import uuid4

from playwright.sync_api import Page

from app.domain.intake.draft import BY_KEY
from app.jobs.registry import TASKS
from app.services import catalogue, import_jobs, jobs, runs, telemetry
from app.services.import_jobs import AskImport
from app.storage import DatabaseStorage
from app.web.nouns import NOUNS, PRICES
from tests.browser.conftest import Site
from tests.factories.projects import a_project
from tests.factories.spreadsheets import a_price, csv_of
from tests.web.test_security import routes

FILES = (".json", ".{kind}", "/raw", ".py")
NO_PAGES = {"/", "/healthz", "/readyz", "/metrics", "/catalogue", "/prices", "/sign-in/company", "/sign-in/company/back"}
"""They lead to another page, or machines read them."""
OF_A_PROJECT = "/projects/{project_id}"
STEPS = ("", "/workload", "/workload/check", "/workload/estimate", "/evidence", "/options", "/cost", "/sheet")


def page_routes() -> set[str]:
    """The route of every page, as the routers know them."""
    found = {path for method, path in routes() if method == "GET" and not path.startswith("/api/") and not path.endswith(FILES)}
    return found - NO_PAGES


def addresses(site: Site, page: Page) -> Mapping[str, tuple[str, ...]]:
    """Route → addresses to look at; the page, of somebody signed in, sees to it that a sheet is issued."""
    demo = page.goto("/projects") and page.locator("[data-test=project] a", has_text="(demo)").first.get_attribute("href")
    assert demo
    page.goto(f"{demo}/sheet")
    if page.locator("[data-test=issue]").count():  # an unchanged one is issued once
        page.click("[data-test=issue]")
    page.goto(f"{demo}/evidence")
    upload = page.get_attribute(".upload-name", "href")
    page.goto(f"{demo}/options")
    candidates = page.eval_on_selector_all(
        "[form=compare][name]", "boxes => boxes.slice(0, 3).map(box => `${box.name}=${encodeURIComponent(box.value)}`)"
    )
    what_if = page.locator("[data-test=what-if]").first.get_attribute("href")
    assert upload
    assert what_if
    assert len(candidates) == 3
    blank = a_project(site.database, f"Nothing said yet {uuid4()}")
    with site.database.write() as session:
        facts = catalogue.current(session)
        job = jobs.enqueue(session, telemetry.JOB, {}, project_id=blank)
        stored, _ = DatabaseStorage(site.database).put(session, [csv_of(a_price(), a_price(sku="two", hourly_price="free"))])
        asked = AskImport(stored=stored, name="prices.csv", tables="prices", by="owner", note="")
        imported = {name: import_jobs.ask(session, replace(asked, tables=name)) for name in ("catalogue", "prices")}
    runs.run(site.database, imported["prices"], TASKS)
    rows = {noun.key: noun.identify(noun.rows(facts)[0]) for noun in NOUNS.values()}
    plain = {route: (route,) for route in page_routes() if "{" not in route}
    return plain | {
        **{OF_A_PROJECT + step: (demo + step, f"/projects/{blank}{step}") for step in STEPS},
        f"{OF_A_PROJECT}/workload/{{key}}": tuple(f"{of}/workload/{key}" for of in (demo, f"/projects/{blank}") for key in BY_KEY),
        f"{OF_A_PROJECT}/evidence/{{upload_id}}": (upload,),
        f"{OF_A_PROJECT}/options/{{index}}": (f"{demo}/options/0",),
        f"{OF_A_PROJECT}/compare": (f"{demo}/compare?{'&'.join(candidates)}", f"{demo}/compare"),
        f"{OF_A_PROJECT}/what-if": (what_if,),
        f"{OF_A_PROJECT}/sheet/{{number}}": (f"{demo}/sheet/1",),
        "/catalogue/{noun}": tuple(f"/catalogue/{noun}" for noun in NOUNS if noun not in PRICES),
        "/catalogue/{noun}/-/compare": ("/catalogue/gpus/-/compare?row=a100-sxm4-80gb&row=l40s", "/catalogue/gpus/-/compare"),
        "/admin/import/jobs/{job_id}": (f"/admin/import/jobs/{imported['catalogue']}",),
        "/prices/import/jobs/{job_id}": (f"/prices/import/jobs/{imported['prices']}",),
        "/catalogue/{noun}/-/retired": tuple(f"/catalogue/{noun}/-/retired" for noun in NOUNS),
        "/catalogue/{noun}/-/new": tuple(f"/catalogue/{noun}/-/new" for noun in NOUNS),
        "/catalogue/{noun}/{key}": tuple(f"/catalogue/{noun}/{key}" for noun, key in rows.items()),
        "/catalogue/{noun}/{key}/edit": tuple(f"/catalogue/{noun}/{key}/edit" for noun, key in rows.items()),
        "/prices/{kind}": tuple(f"/prices/{kind}" for kind in PRICES),
        "/jobs/{job_id}": (f"/jobs/{job}",),
    }
