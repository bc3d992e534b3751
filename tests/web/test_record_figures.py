"""What `/metrics` tells of sign-ins and keys."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from prometheus_client import REGISTRY
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.db.sign_in_samples import NOW, proven
from tests.web import served
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import SignInRefusedError, SignInUnavailableError, SignInUncheckedError
from walletmodal.core.smart_accounts.sponsorship import Beneficiary, SponsorLimits
from walletmodal.db.deliveries import DeliveryCounts
from walletmodal.db.engine import open_engine
from walletmodal.db.sign_ins import SignInStore
from walletmodal.db.signing_keys import KeyOnRecord, SigningKeys
from walletmodal.db.sponsorships import SponsorshipStore, Totals
from walletmodal.services.metrics import counted_failure
from walletmodal.services.policy import Policy
from walletmodal.sponsorship import Sponsorships
from walletmodal.web.metrics import FOLDER_SETTING, exposition
from walletmodal.web.record_figures import KEPT_SECONDS, RecordFigures


@pytest.fixture
def engine(tmp_path: Path, empty_database: bytes) -> AsyncEngine:
    path = tmp_path / "test.db"
    path.write_bytes(empty_database)
    return open_engine(f"sqlite:///{path}")


def values(told: bytes) -> dict[str, float]:
    lines = (line for line in told.decode().splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


async def test_who_is_signed_in_and_which_keys_there_are(engine: AsyncEngine) -> None:
    clock = MovableClock(NOW)
    sessions, keys = SignInStore(engine, clock=clock), SigningKeys(engine, clock=clock)
    await keys.current()
    await sessions.add(proven("nonce0001"), "one")
    over = await sessions.add(proven("nonce0002"), "two")
    await sessions.revoke(over.id)
    clock.advance(60)
    told = values(await RecordFigures(lambda: sessions, lambda: keys, _Counted, clock=clock)())
    assert told == {
        "walletmodal_record_up": 1,
        "walletmodal_signed_in": 1,
        'walletmodal_signing_keys{state="published"}': 1,
        'walletmodal_signing_keys{state="unreadable"}': 0,
        'walletmodal_signing_keys{state="withdrawn"}': 0,
        "walletmodal_signing_key_age_seconds": 60,
    }
    await engine.dispose()


async def test_what_the_deployment_pays_for_visitors_and_what_it_has_promised(engine: AsyncEngine) -> None:
    clock, gwei, others = MovableClock(NOW), 10**9, _Counted()
    limits = SponsorLimits(visitor=100 * gwei, everybody=1000 * gwei)
    store = SponsorshipStore(engine, clock=clock)
    paid = Sponsorships(Policy(), store, {"eip155:1": limits, "eip155:137": limits})
    visitor = Beneficiary("eip155:1", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "browser", "203.0.113.7")
    for nonce in range(2):
        await store.promise(nonce, visitor, 40 * gwei, limits)
    await paid.settle("eip155:1", visitor.account, 0, 7 * gwei)
    told = values(await RecordFigures(lambda: others, lambda: others, lambda: paid, clock=clock)())
    assert {name: value for name, value in told.items() if "sponsored" in name} == {
        'walletmodal_sponsored_gwei{network="eip155:1",state="paid"}': 7,
        'walletmodal_sponsored_gwei{network="eip155:1",state="promised"}': 40,
        'walletmodal_sponsored_gwei{network="eip155:137",state="paid"}': 0,
        'walletmodal_sponsored_gwei{network="eip155:137",state="promised"}': 0,
    }
    await engine.dispose()


@pytest.mark.parametrize(("waiting", "oldest", "age"), [(2, NOW - timedelta(minutes=1), 60), (0, None, 0)])
async def test_events_that_the_host_has_not_heard(waiting: int, oldest: datetime | None, age: float) -> None:
    class Deliveries:
        async def count(self) -> DeliveryCounts:
            return DeliveryCounts(waiting, 3, oldest)

    others = _Counted()
    figures = RecordFigures(*([lambda: others] * 3), deliveries=Deliveries, clock=MovableClock(NOW))
    assert {name: value for name, value in values(await figures()).items() if "webhook" in name} == {
        'walletmodal_webhook_events{state="waiting"}': waiting,
        'walletmodal_webhook_events{state="failed"}': 3,
        "walletmodal_webhook_oldest_seconds": age,
    }


class _Counted:
    """A database that counts how often it is asked, and may be away."""

    asked = 0
    away = False

    async def count(self) -> int:
        self.asked += 1
        if self.away:
            raise ConnectionRefusedError
        return 3

    async def on_record(self) -> list[KeyOnRecord]:
        return []

    async def totals(self) -> dict[str, Totals]:
        return {}


async def test_the_database_is_asked_now_and_then_however_often_somebody_looks() -> None:
    clock, database = MovableClock(), _Counted()
    figures = RecordFigures(lambda: database, lambda: database, lambda: database, clock=clock)
    for _ in range(5):
        await figures()
    assert database.asked == 1
    clock.advance(KEPT_SECONDS)
    await figures()
    assert database.asked == 2


async def test_a_database_that_is_away_is_told_of_and_takes_no_other_figure_along(tmp_path: Path) -> None:
    database = _Counted()
    database.away = True
    figures = RecordFigures(lambda: database, lambda: database, lambda: database)
    assert values(await figures()) == {"walletmodal_record_up": 0}
    async with served.client(served.app(tmp_path, figures=figures)) as client:
        told = (await client.get("/metrics")).text
    assert "walletmodal_record_up 0.0" in told
    assert "walletmodal_rpc_seconds" in told


def _counted(outcome: str) -> float:
    return REGISTRY.get_sample_value("walletmodal_sign_ins_total", {"outcome": outcome}) or 0.0


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (SignInRefusedError("not_signed"), "not_signed"),
        (SignInRefusedError("another_page"), "another_page"),
        (SignInUncheckedError(), "unchecked"),
        (SignInUnavailableError(), "unavailable"),
    ],
)
def test_sign_ins_that_fail_are_counted_by_why(error: Exception, outcome: str) -> None:
    before = _counted(outcome)
    with pytest.raises(type(error)), counted_failure():
        raise error
    assert _counted(outcome) == before + 1


async def test_a_sign_in_is_counted_once_it_is_on_record(engine: AsyncEngine) -> None:
    before = _counted("signed_in")
    store = SignInStore(engine, clock=MovableClock(NOW))
    await store.add(proven("nonce0001"), "one")
    with pytest.raises(SignInRefusedError):
        await store.add(proven("nonce0001"), "one")
    assert _counted("signed_in") == before + 1
    await engine.dispose()


def test_a_killed_workers_sockets_are_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each worker writes a file; one that is killed leaves its own behind."""
    worker = (
        "import sys; from prometheus_client import Gauge; "
        "Gauge('walletmodal_open_sockets', 'Pages.', multiprocess_mode='livesum').inc(); print('open', flush=True); sys.stdin.read()"
    )
    monkeypatch.setenv(FOLDER_SETTING, str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", worker], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"open\n"
        assert b"walletmodal_open_sockets 1.0" in exposition()
        process.kill()
    assert b"walletmodal_open_sockets 1.0" not in exposition()
