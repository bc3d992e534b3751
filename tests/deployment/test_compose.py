"""docs/deployment/compose: what Compose, Caddy, PostgreSQL and our services make of it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

import asyncpg
import pytest
import yaml
from jsonschema import Draft7Validator

from scripts.project import ROOT
from tests.deployment.settings_of_services import KINDS, seconds_to_end, unknown
from tests.services_fixtures import PostgresServer, postgres_server, program

FOLDER = ROOT / "docs" / "deployment" / "compose"
TEXT = (FOLDER / "compose.yaml").read_text("utf-8")
COMPOSE = yaml.safe_load(TEXT)
OURS = {name: service for name, service in COMPOSE["services"].items() if service["image"].startswith("walletmodal:")}
NAMES = dict(re.findall(r"^(\w+)=(.*)$", (FOLDER / "example.env").read_text("utf-8"), re.MULTILINE))
__all__ = ["postgres_server"]


def filled_in(text: str) -> str:
    """A value with the names of `example.env` in it, as Compose reads it."""
    return re.sub(r"\$\{(\w+)(?::[-?]([^}]*))?\}", lambda found: NAMES.get(found[1]) or found[2], str(text))


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `secrets.sh` makes, and the address of a mail relay."""
    folder = tmp_path_factory.mktemp("compose")
    script = folder / "secrets.sh"
    script.write_bytes((FOLDER / "secrets.sh").read_bytes())
    environment = {**os.environ, "WALLETMODAL": sys.executable, "PYTHONPATH": str(ROOT)}
    subprocess.run(["sh", script], check=True, env=environment, capture_output=True)
    (folder / "secrets" / "smtp_url").write_text("smtps://user:password@mail.example.com:465")
    return folder / "secrets"


def test_it_fits_the_specification_of_compose() -> None:
    schema = json.loads(
        files("check_jsonschema.builtin_schemas").joinpath("vendor/compose-spec.json").read_text("utf-8")
    )
    assert [error.message for error in Draft7Validator(schema).iter_errors(COMPOSE)] == []


@pytest.mark.parametrize("name", OURS)
def test_every_name_is_a_setting_of_the_service(name: str) -> None:
    assert unknown(OURS[name]["command"][0], OURS[name]["environment"]) == set()


@pytest.mark.parametrize("name", OURS)
def test_a_service_starts_with_what_it_is_given(
    name: str, secrets: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Every value is right, and nothing that it must have is missing."""
    service = OURS[name]
    command = service["command"][0]
    monkeypatch.chdir(tmp_path)
    for variable in os.environ:
        monkeypatch.delenv(variable)
    for variable, value in service["environment"].items():
        monkeypatch.setenv(variable, filled_in(value).replace("/run/secrets", str(secrets)))
    KINDS[command](_env_file=None)


def test_every_secret_that_is_read_is_given_and_made(secrets: Path) -> None:
    made = {file.name for file in secrets.iterdir()}
    assert set(COMPOSE["secrets"]) == made
    for service in COMPOSE["services"].values():
        read = set(re.findall(r"/run/secrets/(\w+)", json.dumps(service)))
        assert read <= set(service.get("secrets", ())) <= made


def test_secrets_that_are_there_stay(secrets: Path) -> None:
    before = {file.name: file.read_text() for file in secrets.iterdir()}
    environment = {**os.environ, "WALLETMODAL": "false"}
    subprocess.run(["sh", secrets.parent / "secrets.sh"], check=True, env=environment, capture_output=True)
    assert {file.name: file.read_text() for file in secrets.iterdir()} == before


def test_no_service_of_ours_has_what_it_does_not_need() -> None:
    for service in OURS.values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert "ports" not in service


@pytest.mark.parametrize("name", OURS)
def test_a_service_is_killed_later_than_it_ends_by_itself(name: str) -> None:
    service = OURS[name]
    given = {key: filled_in(value) for key, value in service["environment"].items()}
    assert int(service["stop_grace_period"].removesuffix("s")) > seconds_to_end(service["command"][0], given)


def test_caddy_understands_its_file() -> None:
    command = [program("caddy"), "adapt", "--config", str(FOLDER / "Caddyfile"), "--adapter", "caddyfile"]
    done = subprocess.run(command, env={**os.environ, **NAMES}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.dumps(json.loads(done.stdout))
    assert all(NAMES[name] in told for name in COMPOSE["services"]["caddy"]["environment"])


def test_no_log_of_caddy_names_a_session() -> None:
    """Not that of requests, and not that of a server which it does not reach."""
    command = [program("caddy"), "adapt", "--config", str(FOLDER / "Caddyfile"), "--adapter", "caddyfile"]
    done = subprocess.run(command, env={**os.environ, **NAMES}, capture_output=True, check=True)
    logs = json.loads(done.stdout)["logging"]["logs"]
    assert "default" in logs
    assert {json.dumps(one["encoder"].get("fields")) for one in logs.values()} == {
        json.dumps({"request>uri": {"filter": "delete"}})
    }


async def _ask(url: str, question: str) -> Any:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(question)
    finally:
        await connection.close()


class Databases:
    """What `databases.sh` has made at a server."""

    def __init__(self, server: PostgresServer, secrets: Path) -> None:
        self._server = server
        reached = {"PGHOST": "127.0.0.1", "PGPORT": str(server.port), "SECRETS": str(secrets)}
        self._environment = {**os.environ, **reached, "PATH": f"{os.environ['PATH']}:{Path(program('psql')).parent}"}
        self.run(["sh", str(FOLDER / "databases.sh")])

    def run(self, command: list[str], given: IO[bytes] | None = None) -> bytes:
        """What a program of PostgreSQL's says, as its superuser."""
        done = subprocess.run(command, stdin=given, stdout=subprocess.PIPE, check=True, env=self._environment)
        return done.stdout

    def ask(self, database: str, question: str, *, user: str = "") -> Any:
        return asyncio.run(_ask(f"postgresql://{user or database}@127.0.0.1:{self._server.port}/{database}", question))


@pytest.fixture(scope="module")
def databases(secrets: Path, postgres_server: PostgresServer) -> Databases:
    return Databases(postgres_server, secrets)


def test_each_service_has_a_database_that_the_others_cannot_open(
    secrets: Path, databases: Databases, postgres_server: PostgresServer
) -> None:
    for name in ("modal", "secure", "recovery"):
        given = (secrets / f"{name}_database_url").read_text()
        assert given.endswith(f"@postgres/{name}")
        assert databases.ask(name, "SELECT has_schema_privilege('public', 'CREATE')")
        kept = f"SELECT rolpassword LIKE 'SCRAM-SHA-256%' FROM pg_authid WHERE rolname = '{name}'"
        assert asyncio.run(_ask(postgres_server.url("postgres"), kept))
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        databases.ask("secure", "SELECT 1", user="modal")


def test_a_database_that_is_brought_back_is_that_of_the_backup(databases: Databases, tmp_path: Path) -> None:
    """By the commands of docs/deployment.md: no table of a later release stays, and nobody else may open it."""
    page = (ROOT / "docs" / "deployment.md").read_text("utf-8")
    dump, restore = re.findall(r"^docker compose exec -T postgres (pg_.*?) [<>] modal.backup$", page, re.MULTILINE)
    databases.ask("modal", "CREATE TABLE kept AS SELECT 1")
    (tmp_path / "backup").write_bytes(databases.run(_found(dump)))
    databases.ask("modal", "ALTER TABLE kept RENAME TO later")
    with (tmp_path / "backup").open("rb") as file:
        databases.run(_found(restore), file)
    tables = "SELECT string_agg(tablename || ' of ' || tableowner, ', ') FROM pg_tables WHERE schemaname = 'public'"
    assert databases.ask("modal", tables) == "kept of modal"
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        databases.ask("modal", "SELECT 1", user="secure")


def _found(command: str) -> list[str]:
    name, *arguments = command.split()
    return [program(name), *arguments]
