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
from typing import Any

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
PAGE = (ROOT / "docs" / "deployment.md").read_text("utf-8")
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


def test_each_service_has_a_database_that_the_others_cannot_open(
    secrets: Path, postgres_server: PostgresServer
) -> None:
    server = {"PGHOST": "127.0.0.1", "PGPORT": str(postgres_server.port), "SECRETS": str(secrets)}
    environment = {**os.environ, **server, "PATH": f"{os.environ['PATH']}:{Path(program('psql')).parent}"}
    subprocess.run(["sh", FOLDER / "databases.sh"], check=True, env=environment, capture_output=True)

    def url(user: str, database: str) -> str:
        return f"postgresql://{user}@127.0.0.1:{postgres_server.port}/{database}"

    for name in ("modal", "secure", "recovery"):
        given = (secrets / f"{name}_database_url").read_text()
        assert given.endswith(f"@postgres/{name}")
        assert asyncio.run(_ask(url(name, name), "SELECT has_schema_privilege('public', 'CREATE')"))
        kept = f"SELECT rolpassword LIKE 'SCRAM-SHA-256%' FROM pg_authid WHERE rolname = '{name}'"
        assert asyncio.run(_ask(postgres_server.url("postgres"), kept))
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        asyncio.run(_ask(url("modal", "secure"), "SELECT 1"))

    # The backup of before an update, brought back as docs/deployment.md says.
    backup = secrets.parent / "modal.backup"
    asyncio.run(_ask(url("modal", "modal"), "CREATE TABLE kept AS SELECT 1"))
    lines = re.findall(r"^docker compose exec -T postgres (pg_\w+) (.*?)( [<>] modal.backup)$", PAGE, re.MULTILINE)
    assert [line[0] for line in lines] == ["pg_dump", "pg_restore"]
    for line in lines:
        words = [program(line[0]), *line[1].split()]
        with backup.open("rb" if "<" in line[2] else "wb") as file:
            way = {"stdin": file} if "<" in line[2] else {"stdout": file}
            subprocess.run(words, check=True, env=environment, **way)
        if line[0] == "pg_dump":
            asyncio.run(_ask(url("modal", "modal"), "CREATE TABLE later AS SELECT 1"))
            asyncio.run(_ask(url("modal", "modal"), "DROP TABLE kept"))
    tables = "SELECT string_agg(tablename || tableowner, ' ') FROM pg_tables WHERE schemaname = 'public'"
    assert asyncio.run(_ask(url("modal", "modal"), tables)) == "keptmodal"
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        asyncio.run(_ask(url("secure", "modal"), "SELECT 1"))
