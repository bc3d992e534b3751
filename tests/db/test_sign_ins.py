"""Sign-ins on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.db.sign_in_samples import ADDRESS, NOW, ORIGIN, OTHER_ADDRESS, OTHER_ORIGIN, WEEK, proven
from walletmodal.core.chains.caip import parse_account_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import SignInRefusedError, SignInUnavailableError, TooManySignInsError
from walletmodal.db.engine import open_engine
from walletmodal.db.sign_ins import KEPT_AFTER, MAX_OVER, MAX_PER_HOLDER, SignInStore, holder_key

SECRET = "the-secret-of-a-cookie"
BROWSER, OTHER_BROWSER = holder_key(SECRET), holder_key("the-secret-of-another")
ACCOUNT = parse_account_id(f"eip155:1:{ADDRESS}")


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock(NOW)


@pytest.fixture
def store(engine: AsyncEngine, clock: MovableClock) -> SignInStore:
    return SignInStore(engine, clock=clock)


async def test_a_sign_in_is_found_as_it_was_proven(store: SignInStore) -> None:
    made = proven("nonce0001", statement="Sign in ✓", requestId="host-nonce")
    session = await store.add(made, BROWSER)
    assert await store.live(session.id) == session
    assert (session.account, session.origin, session.statement) == (ACCOUNT, ORIGIN, "Sign in ✓")
    assert (session.request_id, session.text, session.signature) == ("host-nonce", made.text, made.signature)
    assert (session.issued_at, session.proven_at, session.expires_at) == (NOW, NOW, NOW + WEEK)


async def test_a_browser_finds_its_own_at_the_page_where_it_signed_in(store: SignInStore) -> None:
    session = await store.add(proven("nonce0001"), BROWSER)
    assert await store.held(BROWSER, ORIGIN) == [session]
    assert await store.of_account(BROWSER, ORIGIN, ACCOUNT) == session


@pytest.mark.parametrize(
    ("browser", "origin"),
    [
        (OTHER_BROWSER, ORIGIN),
        (BROWSER, OTHER_ORIGIN),
        ("", ORIGIN),
        (holder_key(BROWSER), ORIGIN),
        (SECRET, ORIGIN),
        (BROWSER, ""),
    ],
)
async def test_nobody_else_finds_it_and_at_no_other_page(store: SignInStore, browser: str, origin: str) -> None:
    session = await store.add(proven("nonce0001"), BROWSER)
    assert await store.held(browser, origin) == []
    assert await store.of_account(browser, origin, ACCOUNT) is None
    assert await store.sign_out(browser, origin) == 0
    assert await store.live(session.id) == session


def test_who_reads_the_table_finds_no_browsers_secret() -> None:
    assert SECRET not in BROWSER
    assert holder_key("") == ""


async def test_another_account_or_network_has_a_sign_in_of_its_own(store: SignInStore) -> None:
    await store.add(proven("nonce0001"), BROWSER)
    assert await store.of_account(BROWSER, ORIGIN, parse_account_id(f"eip155:1:{OTHER_ADDRESS}")) is None
    assert await store.of_account(BROWSER, ORIGIN, parse_account_id(f"eip155:137:{ADDRESS}")) is None
    await store.add(proven("nonce0002", accountAddress=OTHER_ADDRESS), BROWSER)
    await store.add(proven("nonce0003", chainId="eip155:137"), BROWSER)
    assert len(await store.held(BROWSER, ORIGIN)) == 3


async def test_a_new_sign_in_takes_the_place_of_the_same_accounts_old_one(store: SignInStore) -> None:
    old = await store.add(proven("nonce0001"), BROWSER)
    elsewhere = await store.add(proven("nonce0002"), OTHER_BROWSER)
    new = await store.add(proven("nonce0003"), BROWSER)
    assert await store.live(old.id) is None
    assert await store.held(BROWSER, ORIGIN) == [new]
    assert await store.live(elsewhere.id) == elsewhere


async def test_a_nonce_signs_in_once(store: SignInStore) -> None:
    await store.add(proven("nonce0001"), BROWSER)
    for browser in (BROWSER, OTHER_BROWSER, ""):
        with pytest.raises(SignInRefusedError):
            await store.add(proven("nonce0001"), browser)
    assert len(await store.held(BROWSER, ORIGIN)) == 1


async def test_of_many_who_sign_in_at_once_with_one_nonce_one_does(store: SignInStore) -> None:
    made = await asyncio.gather(
        *(store.add(proven("nonce0001"), holder_key(f"secret {number}")) for number in range(5)), return_exceptions=True
    )
    assert sorted(type(one).__name__ for one in made) == ["SignInRefusedError"] * 4 + ["SignInSession"]


async def test_tabs_that_sign_in_at_once_leave_one_sign_in(store: SignInStore) -> None:
    await asyncio.gather(*(store.add(proven(f"nonce000{number}"), BROWSER) for number in range(5)))
    assert len(await store.held(BROWSER, ORIGIN)) == 1


async def test_a_sign_in_ends_when_the_visitor_signed_that_it_does(store: SignInStore, clock: MovableClock) -> None:
    session = await store.add(proven("nonce0001"), BROWSER)
    clock.advance(WEEK.total_seconds() - 1)
    assert session.is_live(clock.now())
    assert await store.live(session.id) == session
    clock.advance(1)
    assert not session.is_live(clock.now())
    assert await store.live(session.id) is None
    assert await store.held(BROWSER, ORIGIN) == []
    assert not await store.revoke(session.id)


async def test_a_sign_in_without_an_end_is_none(store: SignInStore) -> None:
    with pytest.raises(SignInRefusedError):
        await store.add(proven("nonce0001", expirationTime=None), BROWSER)


async def test_a_revoked_sign_in_counts_no_more(store: SignInStore) -> None:
    session, other = await store.add(proven("nonce0001"), BROWSER), await store.add(proven("nonce0002"), OTHER_BROWSER)
    assert await store.revoke(session.id)
    assert await store.live(session.id) is None
    assert await store.held(BROWSER, ORIGIN) == []
    assert not await store.revoke(session.id)
    assert await store.live(other.id) == other


@pytest.mark.parametrize("guess", ["", "%", "0" * 32, "' OR 1=1 --", "x" * 10_000])
async def test_a_guessed_id_is_nobodys(store: SignInStore, guess: str) -> None:
    await store.add(proven("nonce0001"), BROWSER)
    assert await store.live(guess) is None
    assert not await store.revoke(guess)
    assert len(await store.held(BROWSER, ORIGIN)) == 1


async def test_signing_out_ends_one_account_on_one_network_or_all_of_the_page(store: SignInStore) -> None:
    accounts: list[dict[str, Any]] = [{}, {"chainId": "eip155:137"}, {"accountAddress": OTHER_ADDRESS}]
    for number, fields in enumerate(accounts):
        await store.add(proven(f"nonce000{number}", **fields), BROWSER)
    elsewhere = await store.add(proven("nonce0009", origin=OTHER_ORIGIN), BROWSER)
    assert await store.sign_out(BROWSER, ORIGIN, ACCOUNT) == 1
    left = {str(one.account) for one in await store.held(BROWSER, ORIGIN)}
    assert left == {f"eip155:137:{ADDRESS}", f"eip155:1:{OTHER_ADDRESS}"}
    assert await store.sign_out(BROWSER, ORIGIN) == 2
    assert await store.held(BROWSER, OTHER_ORIGIN) == [elsewhere]


async def test_a_browser_without_a_secret_shares_nothing_with_its_like(store: SignInStore) -> None:
    first, second = await store.add(proven("nonce0001"), ""), await store.add(proven("nonce0002"), "")
    assert await store.held("", ORIGIN) == []
    assert await store.sign_out("", ORIGIN) == 0
    assert [await store.live(first.id), await store.live(second.id)] == [first, second]


async def test_a_browser_is_signed_in_with_so_many_accounts_and_no_more(store: SignInStore) -> None:
    for number in range(MAX_PER_HOLDER):
        await store.add(proven(f"nonce{number:04}", accountAddress=f"0x{number + 1:040x}"), BROWSER)
    with pytest.raises(TooManySignInsError):
        await store.add(proven("nonce9999"), BROWSER)
    # Again with one of them, and at another page, it may.
    await store.add(proven("nonce9998", accountAddress=f"0x{1:040x}"), BROWSER)
    await store.add(proven("nonce9997", origin=OTHER_ORIGIN), BROWSER)


async def test_an_operator_lists_those_that_count(store: SignInStore, clock: MovableClock) -> None:
    first = await store.add(proven("nonce0001"), BROWSER)
    second = await store.add(
        replace(proven("nonce0002", origin=OTHER_ORIGIN, accountAddress=OTHER_ADDRESS), proven_at=NOW + timedelta(1)),
        BROWSER,
    )
    gone = await store.add(proven("nonce0003"), OTHER_BROWSER)
    await store.revoke(gone.id)
    assert await store.listed() == [second, first]
    assert await store.listed(address=ADDRESS) == [first]
    assert await store.listed(origin=OTHER_ORIGIN) == [second]
    assert await store.listed(chain=first.chain, address=ADDRESS) == [first]
    assert await store.listed(chain="eip155:10") == []
    assert await store.count() == 2
    assert await store.listed(limit=1) == [second]


async def test_what_is_over_stays_on_record_for_a_while(store: SignInStore, clock: MovableClock) -> None:
    await store.add(proven("nonce0001"), BROWSER)
    revoked = await store.add(proven("nonce0002"), OTHER_BROWSER)
    await store.revoke(revoked.id)
    assert await store.purge() == 0
    clock.advance(KEPT_AFTER.total_seconds())
    assert await store.purge() == 1
    clock.advance(WEEK.total_seconds())
    assert await store.purge() == 1


async def test_without_the_database_nobody_is_signed_in(clock: MovableClock) -> None:
    engine = open_engine("postgresql://nobody@127.0.0.1:9/none")
    store = SignInStore(engine, clock=clock)
    with pytest.raises(SignInUnavailableError):
        await store.add(proven("nonce0001"), BROWSER)
    with pytest.raises((SQLAlchemyError, OSError)):
        await store.live("x")
    await engine.dispose()


async def test_one_nonce_counts_on_each_network_of_a_pairing(store: SignInStore) -> None:
    networks = ["eip155:1", "eip155:137"]
    added = await store.add_all([proven("nonce0001", chainId=chain) for chain in networks], BROWSER)
    assert [session.chain for session in added] == networks
    assert {session.chain for session in await store.held(BROWSER, ORIGIN)} == set(networks)


@pytest.mark.parametrize("holder", [BROWSER, ""])
async def test_where_one_of_several_is_refused_none_is_on_record(store: SignInStore, holder: str) -> None:
    await store.add(proven("nonce0001"), OTHER_BROWSER)
    with pytest.raises(SignInRefusedError):
        await store.add_all([proven("nonce0001", chainId="eip155:137"), proven("nonce0001")], holder)
    assert [session.chain for session in await store.listed()] == ["eip155:1"]


async def test_of_what_is_over_a_browser_keeps_the_latest(
    store: SignInStore, engine: AsyncEngine, clock: MovableClock
) -> None:
    """It can sign in and out for weeks; what it is signed in with, and what others were, stays."""
    mine = await store.add(proven("alive000", accountAddress=OTHER_ADDRESS), BROWSER)
    others = await store.add(proven("other000"), OTHER_BROWSER)
    await store.revoke(others.id)
    for number in range(MAX_OVER + 5):
        clock.advance(1)
        await store.add(proven(f"nonce{number:04}", at=clock.now()), BROWSER)
        await store.sign_out(BROWSER, ORIGIN, ACCOUNT)
    last = await store.add(proven("nonce9999", at=clock.now()), BROWSER)
    async with engine.connect() as connection:
        rows = (await connection.execute(text("SELECT nonce FROM sign_ins ORDER BY nonce"))).scalars().all()
    assert rows == [
        "alive000",
        *(f"nonce{number:04}" for number in range(5, MAX_OVER + 5)),
        "nonce9999",
        "other000",
    ]
    assert {one.id for one in await store.held(BROWSER, ORIGIN)} == {mine.id, last.id}


async def test_the_check_of_a_contract_is_begun_by_one_of_all_who_would(
    store: SignInStore, clock: MovableClock
) -> None:
    session = await store.add(replace(proven("nonce0001"), by_contract=True), BROWSER)
    assert session.checked_at == NOW
    assert not await store.begin_check(session.id, NOW - timedelta(seconds=1))
    clock.advance(60)
    begun = await asyncio.gather(*(store.begin_check(session.id, NOW) for _ in range(5)))
    assert sorted(begun) == [False] * 4 + [True]
    found = await store.live(session.id)
    assert found is not None
    assert found.checked_at == clock.now()


async def test_no_check_is_begun_of_a_key_or_of_what_is_over(store: SignInStore) -> None:
    key = await store.add(proven("nonce0001"), BROWSER)
    over = await store.add(replace(proven("nonce0002"), by_contract=True), OTHER_BROWSER)
    await store.revoke(over.id)
    assert [await store.begin_check(one.id, NOW + WEEK) for one in (key, over)] == [False, False]
