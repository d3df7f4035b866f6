"""Composes the web application: settings, database, templates, middleware, error handlers, routers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio.to_thread import current_default_thread_limiter
from fastapi import Depends, FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from app import SHIPPED
from app.db.engine import Database, connect
from app.settings import Settings
from app.web import problems
from app.web.api import agents as agents_api
from app.web.api import catalogue as catalogue_api
from app.web.api import estimates as estimates_api
from app.web.api import intake as intake_api
from app.web.api import jobs as jobs_api
from app.web.api import plans as plans_api
from app.web.api import prices as prices_api
from app.web.api import projects as projects_api
from app.web.api import sheets as sheets_api
from app.web.api import tco as tco_api
from app.web.api import telemetry as telemetry_api
from app.web.documents import json_only
from app.web.locale import LocaleMiddleware
from app.web.metrics import Metrics, MetricsMiddleware
from app.web.routes import (
    accounts,
    agent_file,
    audit,
    catalogue,
    catalogue_compare,
    catalogue_edit,
    catalogue_import,
    costs,
    evidence,
    health,
    help_page,
    jobs,
    methodology,
    options,
    options_compare,
    policy,
    preferences,
    prices,
    projects,
    sheets,
    sign_in,
    users,
    workload,
    workload_estimate,
)
from app.web.security import GuardMiddleware, HeadersMiddleware, HeadMiddleware
from app.web.templating import KeptStaticFiles, Templates

PAGES = (
    health,
    preferences,
    sign_in,
    accounts,
    users,
    audit,
    catalogue,
    catalogue_compare,
    catalogue_edit,
    catalogue_import,
    prices,
    projects,
    jobs,
    agent_file,
    evidence,
    options,
    options_compare,
    policy,
    costs,
    sheets,
    workload_estimate,
    workload,
    methodology,
    help_page,
)
API = (
    agents_api,
    catalogue_api,
    estimates_api,
    intake_api,
    jobs_api,
    plans_api,
    prices_api,
    projects_api,
    sheets_api,
    tco_api,
    telemetry_api,
)

UPLOAD_PATHS = (
    r"/admin/import",
    r"/prices/import",
    r"/projects/[^/]+/evidence(/.*)?",
    r"/api/v1/projects/[^/]+/telemetry",
    r"/api/v1/agents/[^/]+/chunks",
)
"""Addresses that take whole logs; everywhere else a body is a form."""


def create_app(settings: Settings, database: Database | None = None) -> FastAPI:
    """The application. Without a database it connects to the one that the settings name."""
    if database is None:
        assert settings.database_url is not None, "no database: start with `gpuplan serve`, or set DATABASE_URL"
        database = connect(settings.database_url.get_secret_value(), pool_size=settings.database_pool_size)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = settings.database_pool_size
        yield
        database.close()

    metrics = Metrics()
    app = FastAPI(
        title="GPU Plan",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # both viewers load scripts from other sites, which our content policy forbids
        redoc_url=None,
        lifespan=lifespan,
        middleware=[
            Middleware(MetricsMiddleware, metrics=metrics),
            Middleware(HeadMiddleware),
            Middleware(HeadersMiddleware),
            # Compressed text gives away secrets that stand beside what an attacker may choose (BREACH); ours has none that comes twice.
            Middleware(GZipMiddleware, minimum_size=1400, compresslevel=5),
            Middleware(LocaleMiddleware),
            Middleware(problems.RequestMiddleware),
            Middleware(
                GuardMiddleware,
                respond=problems.refuse,
                form_limit_bytes=settings.form_limit_bytes,
                upload_limit_bytes=settings.upload_limit_bytes,
                upload_paths=UPLOAD_PATHS,
            ),
        ],
    )
    app.state.settings = settings
    app.state.database = database
    app.state.metrics = metrics
    app.state.templates = Templates(SHIPPED / "templates", SHIPPED / "static")
    problems.install(app)
    app.mount("/static", KeptStaticFiles(directory=SHIPPED / "static"), name="static")
    for module in PAGES:
        app.include_router(module.router, include_in_schema=False)
    for module in API:
        app.include_router(module.router, prefix="/api/v1", dependencies=[Depends(json_only)])
    return app
