"""Who is sponsored: the operator's function first, then the limits, and no where anything fails."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy.ext.asyncio import AsyncEngine

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors.operations import SponsorshipError
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.smart_accounts.sponsorship import Beneficiary, SponsorLimits
from walletmodal.db.engine import open_engine
from walletmodal.db.sponsorships import SponsorshipStore
from walletmodal.services.policy import Policy, PolicyFile
from walletmodal.sponsorship import Sponsorships

ACCOUNT = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
ME = Beneficiary("eip155:1", ACCOUNT, "browser", "203.0.113.7")
LIMITS = {"eip155:1": SponsorLimits(visitor=10**12, everybody=10**15)}
REQUEST = HostedRequest("wallet_sendCalls", parse_chain_id("eip155:1"), ACCOUNT, "https://app.example")
HEAD = "from walletmodal.policy import Allow, Confirm, Deny, Sponsorship\ndef decide(request): return Allow()\n"


@pytest_asyncio.fixture
async def engine(empty_database: bytes, tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    path = tmp_path / "test.db"
    path.write_bytes(empty_database)
    engine = open_engine(f"sqlite:///{path}")
    yield engine
    await engine.dispose()


def sponsorships(engine: AsyncEngine, tmp_path: Path, body: str = "") -> Sponsorships:
    path = tmp_path / "policy.py"
    path.write_text(HEAD + body, "utf-8")
    return Sponsorships(Policy(PolicyFile(path), seconds=60.0), SponsorshipStore(engine), LIMITS)


async def refusal(found: Sponsorships, cost: int = 10**9) -> str | None:
    """Why nothing is paid; None where it is."""
    try:
        await found.authorize(0, REQUEST, ME, cost)
    except SponsorshipError as error:
        return error.reason
    return None


async def test_within_the_limits_everything_is_paid_where_nobody_decides(engine: AsyncEngine) -> None:
    assert await refusal(Sponsorships(Policy(), SponsorshipStore(engine), LIMITS)) is None


async def test_the_operators_function_decides(engine: AsyncEngine, tmp_path: Path) -> None:
    body = "def sponsor(sponsorship): return Deny('members only')"
    assert await refusal(sponsorships(engine, tmp_path, body)) == "members only"


async def test_it_sees_the_request_the_cost_and_what_was_spent(engine: AsyncEngine, tmp_path: Path) -> None:
    body = "def sponsor(s: Sponsorship): return Deny(f'{s.request.method} {s.cost} {s.spent_by_visitor} {s.spent}')"
    await refusal(sponsorships(engine, tmp_path), cost=5 * 10**9)
    found = await refusal(sponsorships(engine, tmp_path, body), cost=7)
    assert found == "wallet_sendCalls 7 5000000000 5000000000"


@pytest.mark.parametrize("answer", ["raise RuntimeError", "return None", "return True", "return Confirm()"])
async def test_a_function_that_fails_pays_for_nothing(engine: AsyncEngine, tmp_path: Path, answer: str) -> None:
    assert await refusal(sponsorships(engine, tmp_path, f"def sponsor(sponsorship): {answer}")) == ""


async def test_a_function_cannot_pay_beyond_the_limits(engine: AsyncEngine, tmp_path: Path) -> None:
    found = await refusal(sponsorships(engine, tmp_path, "def sponsor(sponsorship): return Allow()"), cost=10**13)
    assert found == "the limit of the day is reached"


async def test_a_function_changes_nothing_of_the_request(engine: AsyncEngine, tmp_path: Path) -> None:
    request = replace(REQUEST, params=[{"calls": [{"to": ACCOUNT}]}])
    body = "def sponsor(sponsorship): return sponsorship.request.params.clear() or Allow()"
    await sponsorships(engine, tmp_path, body).authorize(0, request, ME, 1)
    assert request.params == [{"calls": [{"to": ACCOUNT}]}]


async def test_on_a_network_without_limits_nothing_is_paid(engine: AsyncEngine) -> None:
    found = Sponsorships(Policy(), SponsorshipStore(engine), {})
    assert (found.is_offered("eip155:1"), await refusal(found)) == (False, "nothing is paid on this network")


async def test_what_it_has_cost_is_settled(engine: AsyncEngine, tmp_path: Path) -> None:
    found, store = sponsorships(engine, tmp_path), SponsorshipStore(engine)
    await found.authorize(0, REQUEST, ME, 9 * 10**9)
    await found.settle(ME.chain, ME.account, 0, 10**9)
    assert (await store.spent(ME)).visitor == 10**9


async def test_a_chain_that_says_more_than_is_ever_promised_is_not_believed(
    engine: AsyncEngine, tmp_path: Path
) -> None:
    found, store = sponsorships(engine, tmp_path), SponsorshipStore(engine)
    await found.authorize(0, REQUEST, ME, 9 * 10**9)
    for said in (2**255, 10**9, 2**255):
        await found.settle(ME.chain, ME.account, 0, said)
    assert (await store.spent(ME)).visitor == LIMITS[ME.chain].visitor


async def test_a_database_that_is_away_pays_for_nothing() -> None:
    away = SponsorshipStore(open_engine("postgresql://nobody@127.0.0.1:1/none"))
    assert await refusal(Sponsorships(Policy(), away, LIMITS)) == ""
