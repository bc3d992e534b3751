"""A restore to an older point: what works again, and what of it must not, on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.db.account_samples import MINE, asked, fill, put
from tests.db.sign_in_samples import ADDRESS, OTHER_ADDRESS, proven
from tests.operator.conftest import Answer, Deployed
from tests.services_fixtures import PostgresServer, database_url, postgres_server
from walletmodal.config import Settings
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import SignInRefusedError
from walletmodal.db.migrations import upgrade
from walletmodal.db.sponsorships import SponsorshipStore
from walletmodal.deployment import Deployment, running

__all__ = ["database_url", "postgres_server"]

Run = Callable[..., Answer]
SECRET = "a-secret-of-the-deployment"


@pytest.fixture
def run(deployed: Deployed, database_url: str) -> Run:
    """Runs commands on a database of either kind, which has its tables."""
    upgrade(database_url)

    def run(*arguments: str | Path, url: str = database_url) -> Answer:
        return deployed.run(*map(str, arguments), DATABASE_URL=url, SECRET_KEY=SECRET)

    return run


def serving(url: str, work: Callable[[Deployment], Awaitable[Any]]) -> Any:
    """Does something on a deployment that is started anew."""

    async def done() -> Any:
        async with running(Deployment(Settings(database_url=url, secret_key=SECRET))) as deployment:  # type: ignore[arg-type]  # pydantic's
            return await work(deployment)

    return asyncio.run(done())


@pytest.fixture
def restored(run: Run, database_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """URL of a fresh database with the state of a backup, after which the deployment has gone on."""
    clock = MovableClock(datetime.now(UTC).replace(microsecond=0))

    async def before(deployment: Deployment) -> None:
        await fill(deployment._engine, clock, ADDRESS)
        await put(deployment._engine, clock, MINE, ADDRESS)
        await deployment.signing_keys.current()

    async def after(deployment: Deployment) -> None:
        await fill(deployment._engine, clock, OTHER_ADDRESS)
        (kid,) = [key.kid for key in await deployment.signing_keys.on_record()]
        await deployment.signing_keys.withdraw(kid)

    serving(database_url, before)
    assert run("backup", tmp_path / "backup").status == 0
    serving(database_url, after)
    if database_url.startswith("sqlite"):
        fresh = f"sqlite:///{tmp_path / 'fresh.db'}"
    else:
        server: PostgresServer = request.getfixturevalue("postgres_server")
        fresh = server.create_database()
    assert run("restore", tmp_path / "backup", url=fresh).status == 0
    return fresh


def test_what_was_restored_by_other_means_ends_by_a_command_of_its_own(
    run: Run, database_url: str, tmp_path: Path
) -> None:
    async def before(deployment: Deployment) -> str:
        clock = MovableClock(datetime.now(UTC).replace(microsecond=0))
        await fill(deployment._engine, clock, ADDRESS)
        await put(deployment._engine, clock, MINE, ADDRESS)
        return (await deployment.signing_keys.current()).kid

    async def after(deployment: Deployment) -> None:
        assert await deployment.sign_ins.listed() == []
        assert await deployment.resume.load(MINE) is None
        assert [(key.kid, bool(key.withdrawn)) for key in await deployment.signing_keys.on_record()] == [(kid, True)]
        assert len(await deployment.audit.latest()) == 1

    assert run("restored", url=f"sqlite:///{tmp_path / 'empty.db'}").status == 1
    kid = serving(database_url, before)
    assert run("restored").status == 0
    serving(database_url, after)


def test_the_deployment_goes_on_from_there(restored: str) -> None:
    async def work(deployment: Deployment) -> None:
        now = deployment.clock.now().replace(microsecond=0)
        (entry,) = await deployment.audit.latest()
        (request,) = await deployment.requests.latest()
        assert (entry.account, request.proposal.sender) == (ADDRESS, ADDRESS)
        session = await deployment.sign_ins.add(proven("nonce0009", at=now), "browser")
        assert await deployment.sign_ins.live(session.id) == session
        await deployment.requests.ask(asked("new", ADDRESS, {"to": ADDRESS}, MovableClock(now)))
        assert (await SponsorshipStore(deployment._engine).totals()).keys() == {"eip155:1"}

    serving(restored, work)


def test_nobody_is_signed_in_who_may_have_signed_out_since(restored: str) -> None:
    async def work(deployment: Deployment) -> None:
        assert await deployment.sign_ins.listed() == []
        now = deployment.clock.now().replace(microsecond=0)
        # The nonce of a proof of before counts no second time.
        with pytest.raises(SignInRefusedError):
            await deployment.sign_ins.add(proven(f"nonce{ADDRESS[-4:]}", at=now), "browser")

    serving(restored, work)


def test_a_key_that_was_withdrawn_since_signs_no_more(restored: str) -> None:
    async def work(deployment: Deployment) -> None:
        (old,) = await deployment.signing_keys.on_record()
        assert old.withdrawn
        assert (await deployment.signing_keys.current()).kid != old.kid

    serving(restored, work)


def test_a_session_goes_on_with_nothing_of_before(restored: str) -> None:
    async def work(deployment: Deployment) -> None:
        assert await deployment.resume.load(MINE) is None

    serving(restored, work)
