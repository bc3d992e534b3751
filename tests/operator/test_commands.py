"""`python -m walletmodal`: what is asked, what is told, and what the status says."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.db.sign_in_samples import ADDRESS, OTHER_ADDRESS, OTHER_ORIGIN, proven
from tests.operator.conftest import Deployed
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.db.sign_ins import SignInStore
from walletmodal.db.signing_keys import SigningKeys

UNKNOWN = "0123456789abcdef0123456789abcdef"
SECRET = "hunter2-of-the-database"


@pytest.fixture
def signed_in(deployed: Deployed) -> list[SignInSession]:
    """Two visitors, the first one before the second."""

    async def sign_in(engine: AsyncEngine) -> list[SignInSession]:
        store, now = SignInStore(engine), datetime.now(UTC).replace(microsecond=0)
        first = proven("nonce0001", at=now - timedelta(hours=1), statement="I agree")
        second = proven("nonce0002", at=now, origin=OTHER_ORIGIN, accountAddress=OTHER_ADDRESS)
        return [await store.add(first, "one"), await store.add(second, "two")]

    return deployed.write(sign_in)


def test_sessions_are_listed_for_people(deployed: Deployed, signed_in: list[SignInSession]) -> None:
    answer = deployed.run("sessions", "list")
    assert answer.status == 0
    assert answer.lines[0].split() == ["id", "account", "origin", "issued", "at", "expires", "at", "statement"]
    assert [line.split()[:3] for line in answer.lines[1:]] == [
        [one.id, str(one.account), one.origin] for one in reversed(signed_in)
    ]


def test_sessions_are_listed_for_machines(deployed: Deployed, signed_in: list[SignInSession]) -> None:
    second, first = deployed.run("sessions", "list", "--json").json
    assert first.keys() == {"id", "account", "origin", "issued_at", "expires_at", "statement"}
    assert (second["id"], second["account"]) == (signed_in[1].id, f"eip155:1:{OTHER_ADDRESS}")
    assert datetime.fromisoformat(first["expires_at"]) == signed_in[0].expires_at


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--address", ADDRESS], [0]),
        (["--address", ADDRESS.lower()], [0]),
        (["--address", ADDRESS.upper()], [0]),
        (["--address", f"eip155:1:{ADDRESS.lower()}"], [0]),
        (["--address", f"eip155:10:{ADDRESS}"], []),
        (["--origin", OTHER_ORIGIN], [1]),
        (["--origin", f"{OTHER_ORIGIN}/"], [1]),
        (["--origin", OTHER_ORIGIN, "--address", ADDRESS], []),
        (["-n", "1"], [1]),
    ],
)
def test_sessions_are_chosen(
    deployed: Deployed, signed_in: list[SignInSession], arguments: list[str], found: list[int]
) -> None:
    listed = deployed.run("sessions", "list", "--json", *arguments).json
    assert [one["id"] for one in listed] == [signed_in[n].id for n in found]


@pytest.mark.parametrize("address", ["0x12", "eip155:1", "eip155:1:0xzz", ADDRESS[:-1] + "0", "nobody"])
def test_what_is_no_address_is_not_understood(deployed: Deployed, address: str) -> None:
    answer = deployed.run("sessions", "list", "--address", address)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("error: ")


def test_nobody_signed_in_is_no_failure(deployed: Deployed) -> None:
    assert (deployed.run("sessions", "list").status, deployed.run("sessions", "list", "--json").json) == (0, [])


def test_a_session_is_revoked_once(deployed: Deployed, signed_in: list[SignInSession]) -> None:
    session_id = signed_in[0].id
    assert deployed.run("sessions", "revoke", session_id, "--json").json == {"id": session_id, "revoked": True}
    assert [one["id"] for one in deployed.run("sessions", "list", "--json").json] == [signed_in[1].id]
    again = deployed.run("sessions", "revoke", session_id)
    assert again.status == 1
    assert "does not count" in again.out


@pytest.mark.parametrize("session_id", [UNKNOWN, "x", "\x00", "' OR 1=1 --"])
def test_what_is_no_session_is_not_revoked(deployed: Deployed, signed_in: list[SignInSession], session_id: str) -> None:
    answer = deployed.run("sessions", "revoke", session_id, signed_in[1].id)
    assert answer.status == 1
    assert len(deployed.run("sessions", "list", "--json").json) == 1


def test_keys_are_listed_replaced_and_withdrawn(deployed: Deployed) -> None:
    assert deployed.run("keys", "list", "--json").json == []

    async def first(engine: AsyncEngine) -> str:
        return (await SigningKeys(engine).current()).kid

    kid = deployed.write(first)
    made = deployed.run("keys", "replace", "--json").json["kid"]
    listed = deployed.run("keys", "list", "--json").json
    assert [(one["kid"], one["signs"], one["published"]) for one in listed] == [(kid, True, True), (made, False, True)]
    assert deployed.run("keys", "withdraw", kid).status == 0
    assert [one["withdrawn"] for one in deployed.run("keys", "list", "--json").json] == [True, False]
    assert deployed.run("keys", "withdraw", kid).status == 1


def test_no_key_is_shown_with_its_private_part(deployed: Deployed) -> None:
    async def private(engine: AsyncEngine) -> str:
        await SigningKeys(engine).current()
        async with engine.connect() as connection:
            return str((await connection.execute(text("SELECT private FROM signing_keys"))).scalar_one())

    pem = deployed.write(private)
    shown = deployed.run("keys", "list").out + deployed.run("keys", "list", "--json").out
    assert "PRIVATE" not in shown
    assert pem.splitlines()[1] not in shown


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["sessions"],
        ["sessions", "revoke"],
        ["sessions", "list", "-n", "0"],
        ["requests", "tail", "-n", "501"],
        ["nonsense"],
    ],
)
def test_what_is_not_understood_is_told_with_status_2(deployed: Deployed, arguments: list[str]) -> None:
    answer = deployed.run(*arguments)
    assert (answer.status, answer.out) == (2, "")


def test_wrong_settings_are_named(deployed: Deployed) -> None:
    answer = deployed.run("sessions", "list", WORKERS="0", DATABASE_URL=f"mysql://user:{SECRET}@localhost/x")
    assert answer.status == 2
    assert "WORKERS" in answer.err
    assert SECRET not in answer.err


@pytest.mark.parametrize(
    "arguments", [["sessions", "list"], ["requests", "tail"], ["keys", "list"], ["keys", "replace"]]
)
@pytest.mark.parametrize(
    "url", ["sqlite:///{folder}/missing.db", f"postgresql://user:{SECRET}@127.0.0.1:1/x", "sqlite:///{folder}/empty.db"]
)
def test_a_database_that_is_away_or_empty_is_told_and_not_made(
    deployed: Deployed, tmp_path: Path, arguments: list[str], url: str
) -> None:
    (tmp_path / "empty.db").touch()
    answer = deployed.run(*arguments, DATABASE_URL=url.format(folder=tmp_path))
    assert (answer.status, answer.out) == (1, "")
    assert "DATABASE_URL" in answer.err
    assert "Traceback" not in answer.err
    assert SECRET not in answer.err
    assert not (tmp_path / "missing.db").exists()


def test_it_brings_no_reflex(deployed: Deployed) -> None:
    code = "import sys, walletmodal.operator; sys.exit('reflex' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0


def test_a_reader_that_has_seen_enough_is_no_failure(deployed: Deployed, signed_in: list[SignInSession]) -> None:
    command = f"{sys.executable} -m walletmodal sessions list --json | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command],
        check=False,
        cwd=Path(__file__).parents[2],
        env={"DATABASE_URL": deployed.url, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert (done.stdout.strip(), done.stderr) == ("0", "")
