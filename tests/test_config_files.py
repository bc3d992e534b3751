"""Settings in files: read like any other, and what is wrong with a file is told without a word of it."""

import os
from pathlib import Path

import pytest
from pydantic import SecretStr

from walletmodal.config import SETTING_NAMES, load_settings
from walletmodal.core.errors import SettingsError
from walletmodal.operator.start_checks import misspelt_settings
from walletmodal.secure.recovery.settings import RecoverySettings
from walletmodal.secure.settings import Settings as SiteSettings
from walletmodal.secure.settings import load_settings as load_service

SECRET = "hunter2-is-at-least-24-characters"
SITE = {"SMTP_URL": "smtp://mail.example:25?starttls=1", "MAIL_FROM": "login@example.com", "SECURE_ESCROW": "off"}


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in os.environ:
        if name.removesuffix("_FILE") in SETTING_NAMES:
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "secret"
    file.write_text(f"{SECRET}\n")
    return file


def _problems(monkeypatch: pytest.MonkeyPatch, **values: str) -> str:
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as wrong:
        load_settings()
    return str(wrong.value)


def test_a_secret_is_read_from_the_file_that_is_named(monkeypatch: pytest.MonkeyPatch, secret: Path) -> None:
    monkeypatch.setenv("SECRET_KEY_FILE", str(secret))
    assert load_settings().lasting_secret == SECRET


def test_any_setting_may_lie_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "nodes").write_text("eip155:1=https://node.example/key\r\n")
    (tmp_path / ".env").write_text("RPC_URLS_FILE=nodes\n")
    assert load_settings().rpc_urls == {"eip155:1": ("https://node.example/key",)}


def test_what_a_file_holds_is_checked_like_any_value(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "database").write_text("mysql://root:hunter2@host/name")
    told = _problems(monkeypatch, DATABASE_URL_FILE=str(tmp_path / "database"))
    assert "DATABASE_URL: must be" in told
    assert "hunter2" not in told


def test_a_setting_and_its_file_are_not_given_together(monkeypatch: pytest.MonkeyPatch, secret: Path) -> None:
    told = _problems(monkeypatch, SECRET_KEY=SECRET, SECRET_KEY_FILE=str(secret))
    assert "SECRET_KEY_FILE: SECRET_KEY is set too" in told
    assert "hunter2" not in told


def test_the_environment_wins_over_a_file_that_dotenv_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("SECRET_KEY_FILE=/nowhere/secret\n")
    monkeypatch.setenv("SECRET_KEY", SECRET)
    assert load_settings().lasting_secret == SECRET


def test_a_file_that_the_environment_names_wins_over_dotenv(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, secret: Path
) -> None:
    (tmp_path / ".env").write_text("SECRET_KEY=the-one-of-before-with-24-characters\n")
    monkeypatch.setenv("SECRET_KEY_FILE", str(secret))
    assert load_settings().lasting_secret == SECRET


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "cannot be read (No such file or directory)"),
        (b"\n", "is empty"),
        (b"hunter2\xff", "is no text in UTF-8"),
        (b"hunter2" * 10_000, "is too large"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_without_what_it_holds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None, told: str
) -> None:
    file = tmp_path / "key"
    if content is not None:
        file.write_bytes(content)
    said = _problems(monkeypatch, API_KEY_FILE=str(file))
    assert f"API_KEY_FILE: {file} {told} (example: API_KEY_FILE=/run/secrets/api_key)" in said
    assert "hunter2" not in said


def test_a_secret_in_the_place_of_a_path_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told = _problems(monkeypatch, SECRET_KEY_FILE=SECRET, API_KEY_FILE=SECRET)
    assert ("SECRET_KEY_FILE" in told, "API_KEY_FILE" in told, "hunter2" in told) == (True, True, False)


def test_the_services_of_the_embedded_wallet_read_files_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, secret: Path
) -> None:
    (tmp_path / "mail").write_text(f"{SITE['SMTP_URL']}\n")
    named = {"SMTP_URL_FILE": str(tmp_path / "mail"), "RECOVERY_TOKEN_FILE": str(secret)}
    chosen = SITE | named | {"EMBEDDED_KEK_FILE": "/run/secrets/kek", "RECOVERY_KEY": "A" * 42 + "E"}
    for name, value in chosen.items():
        monkeypatch.setenv(name, "" if name == "SMTP_URL" else value)
    site, recovery = load_service(SiteSettings), load_service(RecoverySettings)
    assert site.smtp_url == recovery.smtp_url == SecretStr(SITE["SMTP_URL"])
    assert site.recovery_token == recovery.recovery_token == SecretStr(SECRET)


def test_a_name_that_is_nearly_that_of_a_file_is_told_of() -> None:
    assert misspelt_settings({"SECRET_KEY_FILES": "x", "SECRET_KEY_FILE": "x"}, "none") == [
        "SECRET_KEY_FILES: did you mean SECRET_KEY_FILE?"
    ]
