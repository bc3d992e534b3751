"""`data export` and `data erase`: which account is meant, what is told, and nothing by accident."""

from __future__ import annotations

import asyncio
import io
from datetime import UTC, datetime

import pytest
import redis
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.db.sign_in_samples import ADDRESS, OTHER_ADDRESS, proven
from tests.operator.conftest import Deployed
from walletmodal.core.clock import SystemClock
from walletmodal.core.errors import AddressError
from walletmodal.db.sign_ins import SignInStore
from walletmodal.operator.accounts import account_of
from walletmodal.services.cache import open_cache
from walletmodal.services.sign_in import open_nonces


@pytest.fixture
def signed_in(deployed: Deployed) -> Deployed:
    """Two visitors are signed in."""

    async def sign_in(engine: AsyncEngine) -> None:
        now = datetime.now(UTC).replace(microsecond=0)
        for number, address in enumerate((ADDRESS, OTHER_ADDRESS)):
            await SignInStore(engine).add(proven(f"nonce000{number}", at=now, accountAddress=address), "browser")

    deployed.write(sign_in)
    return deployed


@pytest.mark.parametrize("command", [("export",), ("erase", "--yes")], ids=["export", "erase"])
def test_half_of_what_a_later_version_has_is_neither_exported_nor_erased(
    signed_in: Deployed, command: tuple[str, ...]
) -> None:
    async def migrate(engine: AsyncEngine) -> None:
        async with engine.begin() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = 'later'"))

    signed_in.write(migrate)
    answer = signed_in.run("data", *command, ADDRESS)
    assert (answer.status, answer.out, "of a later version" in answer.err) == (1, "", True)


@pytest.mark.parametrize("spelled", [ADDRESS, ADDRESS.lower(), f"eip155:137:{ADDRESS.lower()}"])
def test_an_export_is_of_one_account_however_it_is_spelled(signed_in: Deployed, spelled: str) -> None:
    answer = signed_in.run("data", "export", spelled)
    assert (answer.status, answer.json["version"], answer.json["address"]) == (0, 1, ADDRESS)
    (found,) = answer.json["namespaces"]["eip155"]["sign_ins"]
    assert found["address"] == ADDRESS
    assert OTHER_ADDRESS not in answer.out


@pytest.mark.parametrize(
    ("address", "namespace"),
    [
        (ADDRESS, "eip155"),
        ("GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB", "solana"),
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bip122"),
        ("15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5", "polkadot"),
    ],
)
def test_the_namespace_is_told_by_the_address(address: str, namespace: str) -> None:
    assert account_of(address) == (namespace, address)


@pytest.mark.parametrize("wrong", ["nobody", ADDRESS[:-1], ADDRESS[:-1] + "7"])
def test_what_is_no_address_is_said(deployed: Deployed, wrong: str) -> None:
    with pytest.raises(AddressError):
        account_of(wrong)
    assert deployed.run("data", "erase", wrong, "--yes").status == 2


def test_it_is_erased_and_counted(signed_in: Deployed) -> None:
    answer = signed_in.run("data", "erase", ADDRESS, "--yes", "--json")
    assert answer.status == 0
    assert {one["table"]: one["removed"] for one in answer.json} == {"sign_ins": 1, "events": 1}
    assert [one["account"] for one in signed_in.run("sessions", "list", "--json").json] == [f"eip155:1:{OTHER_ADDRESS}"]
    assert "nothing about this account" in signed_in.run("data", "erase", ADDRESS, "--yes").out


@pytest.mark.parametrize(("said", "left"), [("n\n", 2), ("", 2), ("y\n", 1)])
def test_without_yes_it_tells_what_would_go_and_asks(
    signed_in: Deployed, monkeypatch: pytest.MonkeyPatch, said: str, left: int
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(said))
    answer = signed_in.run("data", "erase", ADDRESS)
    assert (answer.status, "sign_ins" in answer.out) == (0 if left == 1 else 1, True)
    assert len(signed_in.run("sessions", "list", "--json").json) == left


def test_a_redis_that_is_away_is_said(signed_in: Deployed) -> None:
    answer = signed_in.run("data", "erase", ADDRESS, "--yes", REDIS_URL="redis://127.0.0.1:1/0")
    assert answer.status == 1
    assert "Redis does not answer" in answer.err


def test_what_redis_keeps_beside_sessions_is_dropped_where_it_names_the_account(
    signed_in: Deployed, redis_url: str
) -> None:
    async def keep() -> None:
        cache, nonces = open_cache(redis_url), open_nonces(redis_url, SystemClock())
        for name, address in (("mine", ADDRESS), ("another's", OTHER_ADDRESS)):
            await cache.set(name, f"the name of {address.lower()}", 60)
            await nonces.keep(name, "nonce0001", f"a message of {address}", 60)
        await cache.close()
        await nonces.close()

    asyncio.run(keep())
    assert signed_in.run("data", "erase", ADDRESS, "--yes", REDIS_URL=redis_url).status == 0
    with redis.Redis.from_url(redis_url) as client:
        left = {key: client.type(key) for key in client.scan_iter()}
        assert sorted(left.values()) == [b"hash", b"string"]
        assert client.get("walletmodal:cache:mine") is None
