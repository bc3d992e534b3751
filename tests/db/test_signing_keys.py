"""The keys of sign-in tokens, on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.db.sign_in_samples import NOW, ORIGIN, proven
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import SignInUnavailableError, TokenError
from walletmodal.db.engine import open_engine
from walletmodal.db.signing_keys import (
    KEPT_AFTER,
    PUBLISHED_AFTER,
    PUBLISHED_AHEAD,
    READ_EVERY,
    REPLACED_AFTER,
    SigningKeys,
)
from walletmodal.host import PublishedKeys, SignedIn, read_token
from walletmodal.services.sign_in import SignInTokens, keys

MODAL = "https://modal.example"
HOUR = PUBLISHED_AHEAD.total_seconds()
MONTH = REPLACED_AFTER.total_seconds()

Worker = Callable[..., SigningKeys]


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock(NOW)


@pytest.fixture
def worker(engine: AsyncEngine, clock: MovableClock) -> Worker:
    """Makes a worker of its own, or one after a restart."""
    return lambda secret=None: SigningKeys(engine, secret=secret, clock=clock)


async def kids(keys: SigningKeys) -> list[str]:
    return [key["kid"] for key in (await keys.document())["keys"]]


async def test_all_workers_sign_with_one_key_also_after_a_restart(worker: Worker) -> None:
    first = (await worker().current()).kid
    assert {(await worker().current()).kid for _ in range(3)} == {first}
    assert await kids(worker()) == [first]


async def test_workers_that_make_the_first_key_at_once_agree_on_it(worker: Worker) -> None:
    workers = [worker() for _ in range(4)]
    assert len({key.kid for key in await asyncio.gather(*(one.current() for one in workers))}) == 1
    assert len(await kids(worker())) == 1


async def test_what_is_published_has_no_private_part(worker: Worker) -> None:
    (key,) = (await worker().document())["keys"]
    assert key.keys() == {"kty", "crv", "x", "y", "kid", "alg", "use"}
    assert (key["kty"], key["crv"], key["alg"], key["use"]) == ("EC", "P-256", "ES256", "sig")


async def test_a_key_is_replaced_in_time_and_announced_before(worker: Worker, clock: MovableClock) -> None:
    keys = worker()
    old = (await keys.current()).kid
    clock.advance(MONTH)
    assert (await keys.current()).kid == old
    published = await kids(keys)
    assert published[0] == old
    assert len(published) == 2
    clock.advance(HOUR - 1)
    assert (await keys.current()).kid == old
    clock.advance(1)
    assert (await keys.current()).kid == published[1]
    assert await kids(keys) == published
    clock.advance(PUBLISHED_AFTER.total_seconds())
    assert await kids(keys) == [published[1]]


async def test_workers_that_replace_a_key_at_once_make_one(worker: Worker, clock: MovableClock) -> None:
    workers = [worker() for _ in range(4)]
    for one in workers:
        await one.current()
    clock.advance(MONTH)
    await asyncio.gather(*(one.current() for one in workers))
    assert len(await kids(worker())) == 2


async def test_a_host_believes_every_token_while_the_key_is_replaced(worker: Worker, clock: MovableClock) -> None:
    """It reads the published keys every ten minutes; tokens are as old as they may be."""
    keys = worker()
    tokens = SignInTokens(keys, MODAL, clock=clock)
    await keys.current()
    clock.advance(MONTH - 1800)
    session = proven("nonce0001", at=clock.now()).session()
    signers = set()
    for _ in range(24):
        published = PublishedKeys(await keys.document())
        for _ in range(2):
            token = (await tokens.mint(session)).token
            clock.advance(290)
            signed_in: SignedIn = read_token(token, keys=published, issuer=MODAL, audience=ORIGIN, now=clock.now())
            assert signed_in.session_id == session.id
        signers.add((await keys.current()).kid)
    assert len(signers) == 2


async def test_a_key_is_replaced_early_when_an_operator_says_so(worker: Worker, clock: MovableClock) -> None:
    keys = worker()
    old = (await keys.current()).kid
    await keys.replace()
    assert (await keys.current()).kid == old
    assert len(await kids(keys)) == 2
    clock.advance(HOUR)
    assert (await keys.current()).kid != old


async def test_a_withdrawn_key_signs_nothing_and_is_believed_by_nobody(
    worker: Worker, clock: MovableClock, engine: AsyncEngine
) -> None:
    keys, another = worker(), worker()
    stolen = (await keys.current()).kid
    token = (await SignInTokens(another, MODAL, clock=clock).mint(proven("nonce0001").session())).token
    assert await keys.withdraw(stolen)
    assert not await keys.withdraw(stolen)
    fresh = (await keys.current()).kid
    assert fresh != stolen
    assert await kids(keys) == [fresh]
    clock.advance(READ_EVERY.total_seconds())
    assert (await another.current()).kid == fresh
    with pytest.raises(TokenError) as refused:
        read_token(token, keys=PublishedKeys(await keys.document()), issuer=MODAL, audience=ORIGIN, now=clock.now())
    assert refused.value.fault == "key"
    async with engine.connect() as connection:
        rows = (await connection.execute(text("SELECT kid, private FROM signing_keys"))).all()
    assert {row.kid: row.private for row in rows}[stolen] == ""


async def test_a_key_that_nobody_has_is_not_withdrawn(worker: Worker) -> None:
    keys = worker()
    kid = (await keys.current()).kid
    assert not await keys.withdraw("nobody's")
    assert (await keys.current()).kid == kid


async def test_with_a_secret_who_reads_the_table_signs_nothing(worker: Worker, engine: AsyncEngine) -> None:
    kid = (await worker("secret of the deployment").current()).kid
    async with engine.connect() as connection:
        (pem,) = (await connection.execute(text("SELECT private FROM signing_keys"))).scalars()
    assert "ENCRYPTED" in pem
    assert (await worker("secret of the deployment").current()).kid == kid


@pytest.mark.parametrize("secret", [None, "another secret of it"])
async def test_after_another_secret_a_new_key_signs_and_the_old_one_stays_published(
    worker: Worker, secret: str | None
) -> None:
    old = (await worker("secret of the deployment").current()).kid
    keys = worker(secret)
    new = (await keys.current()).kid
    assert new != old
    assert await kids(keys) == [old, new]


async def test_a_key_from_before_there_was_a_secret_goes_on(worker: Worker) -> None:
    kid = (await worker().current()).kid
    assert (await worker("secret of the deployment").current()).kid == kid


async def test_without_the_database_there_is_no_key(clock: MovableClock) -> None:
    engine = open_engine("postgresql://nobody@127.0.0.1:9/none")
    keys = SigningKeys(engine, clock=clock)
    for asked in (keys.current, keys.document, keys.replace):
        with pytest.raises(SignInUnavailableError):
            await asked()
    with pytest.raises(SignInUnavailableError):
        await keys.withdraw("x")
    await engine.dispose()


async def test_a_key_leaves_the_record_a_month_after_it_was_followed(worker: Worker, clock: MovableClock) -> None:
    keys = worker()
    old = (await keys.current()).kid
    await keys.replace()
    clock.advance(HOUR + KEPT_AFTER.total_seconds() - 1)
    assert await keys.purge() == 0
    clock.advance(2)
    assert await keys.purge() == 1
    assert old not in {key.kid for key in await worker().on_record()}


async def test_the_only_key_stays_however_old_it_is_and_withdrawn_too(worker: Worker, clock: MovableClock) -> None:
    keys = worker()
    assert await keys.withdraw((await keys.current()).kid)
    clock.advance(10 * MONTH)
    assert await keys.purge() == 0


async def test_a_key_that_another_secret_would_follow_stays(worker: Worker, clock: MovableClock) -> None:
    first = (await worker("a" * 24).current()).kid
    await worker("b" * 24).current()
    clock.advance(10 * MONTH)
    keys = worker("a" * 24)
    assert await keys.purge() == 0
    assert (await keys.current()).kid == first


async def test_operators_see_which_key_signs_and_which_does_not(worker: Worker, clock: MovableClock) -> None:
    keys = worker("a" * 24)
    first = (await keys.current()).kid
    await keys.replace()
    other = worker("b" * 24)
    assert [(key.readable, key.signs, key.published) for key in await other.on_record()] == [(False, False, True)] * 2
    assert [(key.readable, key.signs, key.published) for key in await keys.on_record()] == [
        (True, True, True),
        (True, False, True),
    ]
    await keys.withdraw(first)
    assert [(key.kid == first, key.withdrawn, key.published) for key in await keys.on_record()] == [
        (True, True, False),
        (False, False, True),
    ]


async def test_looking_at_the_record_makes_no_key(worker: Worker) -> None:
    assert await worker().on_record() == []
    assert await worker().on_record() == []


async def test_a_failing_statement_is_told_without_what_it_writes(engine: AsyncEngine) -> None:
    with pytest.raises(SQLAlchemyError) as failed:
        async with engine.begin() as connection:
            await connection.execute(
                text("INSERT INTO signing_keys (kid, private) VALUES ('a', :key)"), {"key": "-----SECRET"}
            )
    assert "SECRET" not in str(failed.value)


def test_the_name_of_a_key_does_not_read_as_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    made = keys.new_key()
    names = iter(["-option", "name"])
    monkeypatch.setattr(keys, "_pair", lambda _private: replace(made, public={**made.public, "kid": next(names)}))
    assert keys.new_key().kid == "name"
