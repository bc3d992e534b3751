"""What a process does by itself while it runs, such as to delete what has expired, and what it shares with others."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from tests.patience import patience
from tests.services.node import http, send
from tests.services.outside import Outside
from tests.services.pictures import PNG
from walletmodal.config import Settings
from walletmodal.core.chains.caip import AccountId, ChainId
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import SignInUncheckedError
from walletmodal.db.engine import open_engine
from walletmodal.db.migrations import upgrade
from walletmodal.db.resume import RECORD_LIFETIME, ResumeStore
from walletmodal.deployment import Deployment, running

RESUME_ID = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'purge.db'}"


@pytest.fixture
def migrated(url: str, empty_database: bytes) -> str:
    """URL of a database that has its tables."""
    Path(url.removeprefix("sqlite:///")).write_bytes(empty_database)
    return url


def deploy(url: str, clock: MovableClock) -> Deployment:
    """A deployment on this database whose records age by this clock."""
    deployment = Deployment(Settings(database_url=url))
    deployment.resume = ResumeStore(deployment._engine, clock=clock)
    return deployment


async def expire(store: ResumeStore, clock: MovableClock) -> None:
    """Writes a record and lets its time pass."""
    store.put(RESUME_ID, {})
    await store.flush(RESUME_ID)
    clock.advance(RECORD_LIFETIME.total_seconds())


async def until_empty(url: str) -> None:
    """Returns once no record is left, whether expired or not."""
    engine = open_engine(url)
    async with patience():
        while True:
            async with engine.connect() as connection:
                if (await connection.execute(text("SELECT count(*) FROM resume"))).scalar_one() == 0:
                    break
            await asyncio.sleep(0.005)
    await engine.dispose()


async def test_what_has_expired_is_deleted_at_the_start(migrated: str) -> None:
    clock = MovableClock()
    deployment = deploy(migrated, clock)
    await expire(deployment.resume, clock)
    async with running(deployment):
        await until_empty(migrated)


async def test_what_expires_while_it_runs_is_deleted(migrated: str) -> None:
    clock = MovableClock()
    async with running(deploy(migrated, clock), purge_seconds=0.01) as deployment:
        await until_empty(migrated)
        await expire(deployment.resume, clock)
        await until_empty(migrated)


async def test_a_database_that_fails_is_asked_again(url: str) -> None:
    clock = MovableClock()
    async with running(deploy(url, clock), purge_seconds=0.01) as deployment:
        with pytest.raises(SQLAlchemyError):
            await deployment.resume.purge_expired()
        upgrade(url)
        await expire(deployment.resume, clock)
        await until_empty(url)


async def test_stopping_does_not_wait_for_the_next_hour(migrated: str) -> None:
    async with patience(), running(deploy(migrated, MovableClock())):
        pass


async def test_a_contract_of_a_network_that_is_not_its_own_signs_nothing(migrated: str) -> None:
    deployment = Deployment(Settings(database_url=migrated, networks=("eip155:137",)))
    account = "0x" + "fe" * 20
    async with running(deployment):
        assert not await deployment.proofs.is_signed(AccountId(ChainId("eip155", "31337"), account), "Hello", "0x01")
        # On its own only the contract could tell, and there is no node here.
        with pytest.raises(SignInUncheckedError):
            await deployment.proofs.is_signed(AccountId(ChainId("eip155", "137"), account), "Hello", "0x01")


async def test_what_host_pages_ask_waits_in_no_batch_of_ours(migrated: str) -> None:
    async with running(Deployment(Settings(database_url=migrated, rpc_url="http://localhost:1/rpc"))) as held:
        chain = ChainId("eip155", "1")
        assert held.rpc.transport(chain) is not held.host_rpc.transport(chain)


@pytest.mark.parametrize("shared", [True, False], ids=["with Redis", "without"])
async def test_workers_fetch_a_picture_of_the_directory_once_where_they_share_a_redis(
    migrated: str, redis_url: str, shared: bool
) -> None:
    path = "/public/getTokenImage/USDC"
    async with Outside({path: send(http(PNG))}).running() as directory, AsyncExitStack() as workers:
        settings = Settings(database_url=migrated, directory_url=directory.url, redis_url=redis_url if shared else None)
        for _ in range(2):
            worker = await workers.enter_async_context(running(Deployment(settings)))
            assert (await worker.services.images.from_directory("token", "USDC")).content == PNG
    assert len(directory.paths(path)) == (1 if shared else 2)
