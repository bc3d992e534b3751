"""What `make serve` tells before the first visitor would: names that are nearly a setting's, origins that cannot work, Redis that is away."""

from pathlib import Path
from typing import Any

import pytest

from tests.ports import free_ports
from walletmodal.config import SETTING_NAMES, Settings
from walletmodal.operator.start_checks import misspelt_settings, redis_failure, unwise_origins


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SETTING_NAMES:
        monkeypatch.delenv(name, raising=False)


def _settings(**chosen: Any) -> Settings:
    return Settings(_env_file=None, **chosen)


@pytest.mark.parametrize("name", ["ALOWED_ORIGINS", "ALLOWED_ORIGIN", "allowed_orgins"])
def test_a_name_that_is_nearly_a_settings_is_told_of_in_the_file_and_in_the_environment(
    tmp_path: Path, name: str
) -> None:
    file = tmp_path / ".env"
    file.write_text(f"WORKERS=1\n{name}=https://app.example\n")
    told = [f"{name}: did you mean ALLOWED_ORIGINS?"]
    assert misspelt_settings({}, file) == misspelt_settings({name: "x"}, tmp_path / "none") == told
    assert misspelt_settings({name: "x"}, file) == told


def test_names_of_settings_and_of_others_are_not_told_of(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    others = ("WALLETMODAL_URL", "WALLETMODAL_AUDIENCE", "WALLETMODAL_BACKEND_PORT", "SANDBOX_KEEP", "COMPOSE_FILE")
    file.write_text("".join(f"{name}=x\n" for name in (*SETTING_NAMES, *others)))
    environment = dict.fromkeys((*SETTING_NAMES, *others, "TOKEN", "NETWORK", "API_TOKEN", "PATH", "HOSTNAME"), "x")
    assert misspelt_settings(environment, file) == []


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({}, "ALLOWED_ORIGINS is not set"),
        ({"allowed_origins": "https://app.example"}, "PUBLIC_URL is not set"),
        ({"allowed_origins": "https://app.example", "public_url": "http://localhost:3000"}, "PUBLIC_URL is http"),
        ({"allowed_origins": "https://app.example", "public_url": "https://modal.example"}, None),
        ({"allowed_origins": "http://localhost:5173"}, None),
    ],
)
def test_origins_that_leave_visitors_without_the_modal_are_told_of(chosen: dict[str, str], told: str | None) -> None:
    found = unwise_origins(_settings(**chosen))
    assert [one.startswith(str(told)) for one in found] == ([] if told is None else [True])


def test_redis_that_answers_or_is_not_wanted_is_no_failure(redis_url: str) -> None:
    assert redis_failure(_settings()) is None
    assert redis_failure(_settings(redis_url=redis_url)) is None


def test_redis_that_is_away_is_a_failure_that_tells_no_password() -> None:
    failure = redis_failure(_settings(redis_url=f"redis://:hunter2@127.0.0.1:{free_ports()}/0"))
    assert failure == "REDIS_URL: Redis does not answer (ConnectionError)"
