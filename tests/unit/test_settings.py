"""Settings come from the environment, and the example names all of them."""

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from app.settings import Settings
from tests.architecture.source import ROOT


def test_example_names_every_setting_with_its_default() -> None:
    lines = re.findall(r"^# (GPUPLAN_[A-Z_]+)=(\S*)", (ROOT / ".env.example").read_text(), re.MULTILINE)
    written = {name.removeprefix("GPUPLAN_").lower(): value for name, value in lines}
    defaults = {name: field.get_default() for name, field in Settings.model_fields.items()}
    assert written == {
        name: "" if value is None else str(value).lower() if isinstance(value, bool) else str(value) for name, value in defaults.items()
    }


@pytest.mark.parametrize(("name", "value", "field"), [("PORT", "9000", "port"), ("GPUPLAN_PORT", "9000", "port")])
def test_plain_names_are_honoured(monkeypatch: pytest.MonkeyPatch, name: str, value: str, field: str) -> None:
    monkeypatch.delenv("PORT", raising=False)
    monkeypatch.setenv(name, value)
    monkeypatch.setenv("DATABASE_URL", "postgresql://x/y")
    settings = Settings()
    assert getattr(settings, field) == 9000
    assert settings.database_url is not None
    assert settings.database_url.get_secret_value() == "postgresql://x/y"
    assert "postgresql" not in repr(settings)


def test_command_line_beats_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "9000")
    assert Settings(port=9001, data_dir=Path("there")).port == 9001


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("0.0.0.0", "http://127.0.0.1:80"),
        ("::", "http://[::1]:80"),
        ("gpu.example", "http://gpu.example:80"),
    ],
)
def test_address_can_be_opened(host: str, site: str) -> None:
    assert Settings(host=host, port=80).site == site


def test_links_name_the_site_as_it_is_known() -> None:
    assert Settings(public_url="https://gpuplan.example.com/").site == "https://gpuplan.example.com"


@pytest.mark.parametrize("port", ["0", "65536", "x"])
def test_impossible_value_is_refused(monkeypatch: pytest.MonkeyPatch, port: str) -> None:
    monkeypatch.setenv("PORT", port)
    with pytest.raises(ValidationError):
        Settings()
