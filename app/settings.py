"""Typed configuration from the environment: `GPUPLAN_…`, and plain `DATABASE_URL` and `PORT` as hosting platforms set them."""

from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Built once by the command that starts a process, then handed on."""

    model_config = SettingsConfigDict(env_prefix="GPUPLAN_", frozen=True, extra="forbid", populate_by_name=True, env_ignore_empty=True)

    host: str = "127.0.0.1"
    port: int = Field(8000, ge=1, le=65535, validation_alias=AliasChoices("GPUPLAN_PORT", "PORT"))
    data_dir: Path = Path("var")
    database_url: SecretStr | None = Field(None, validation_alias=AliasChoices("GPUPLAN_DATABASE_URL", "DATABASE_URL"))
    database_pool_size: int = Field(20, ge=2, le=500)
    """Connections a web process may hold; its thread pool gets as many threads, so that nobody queues for a connection."""
    secure_cookies: bool = False
    """Set when the site is served over HTTPS; an https `public_url` does so as well."""
    public_url: str | None = None
    """The site's address as browsers see it (https://gpuplan.example.com); the company's sign-in sends people back there."""
    oidc_issuer: str | None = None
    """OpenID Connect: the issuer, whose discovery document is below it. With the client's id and secret it adds a button to the sign-in page."""
    oidc_client_id: str | None = None
    oidc_client_secret: SecretStr | None = None
    oidc_new_users: Literal["requester", "procurement"] = "requester"
    """The role of somebody who comes by the company's sign-in for the first time. Who may come at all, the company's sign-in decides."""
    form_limit_bytes: int = Field(2_000_000, ge=10_000)
    upload_limit_bytes: int = Field(4_000_000_000, ge=1_000_000)
    worker_concurrency: int = Field(1, ge=1, le=64)
    log_json: bool = False
    log_level: str = "INFO"

    @property
    def has_secure_cookies(self) -> bool:
        """Whether cookies travel over HTTPS only."""
        return self.secure_cookies or (self.public_url or "").startswith("https://")

    @property
    def site(self) -> str:
        """The address to open in a browser: as the site is known, else on this machine."""
        if self.public_url is not None:
            return self.public_url.rstrip("/")
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 -- named to be replaced
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"
