"""The counters of the secure site, and who may read them."""

import re

import httpx
import pytest

from tests.secure.mailbox import Mailbox
from tests.secure.world import ADA, ORIGIN, World


async def figures(world: World) -> dict[str, float]:
    """What `/metrics` says, by name and labels."""
    answer = await world.client.get("/metrics")
    assert answer.status_code == 200
    rows = re.findall(r"^(walletmodal_secure_\S+) (\S+)$", answer.text, re.MULTILINE)
    return {name: float(value) for name, value in rows}


async def test_a_login_and_a_signature_are_counted(world: World) -> None:
    before = await figures(world)
    wallet = await world.wallet()
    await wallet.joined()
    after = await figures(world)
    expected = {
        "walletmodal_secure_logins_begun_total": 1,
        'walletmodal_secure_events_total{kind="login"}': 1,
        'walletmodal_secure_events_total{kind="wallet_created"}': 1,
        'walletmodal_secure_halves_total{use="sign"}': 1,
    }
    assert {name: after[name] - before.get(name, 0) for name in expected} == expected


async def test_mails_are_counted_by_what_became_of_them(world: World, mailbox: Mailbox) -> None:
    before = await figures(world)
    for _ in range(9):
        await world.begin()
        world.clock.advance(30)
    mailbox.answer = "554 no"
    await world.device().refused("/v1/login/email", {"email": "eve@example.com"})
    mailbox.answer = "250 ok"
    device = world.device()
    for number in range(11):
        await device.raw("/v1/login/email", {"email": f"a{number}@example.com"})
    after = await figures(world)
    counted = {
        outcome: after[name] - before.get(name, 0)
        for outcome in ("sent", "withheld", "failed", "limited")
        if (name := f'walletmodal_secure_mails_total{{outcome="{outcome}"}}') in after
    }
    assert counted == {"sent": 18, "withheld": 1, "failed": 1, "limited": 1}


async def test_no_figure_names_anybody(world: World) -> None:
    wallet = await world.wallet()
    text = (await world.client.get("/metrics")).text
    assert not any(secret in text for secret in (ADA, wallet.user_id, wallet.device.point, wallet.evm))


@pytest.mark.parametrize(
    "headers", [{"x-forwarded-for": "203.0.113.1"}, {"forwarded": "for=203.0.113.1"}, {"host": "wallet.example.com"}]
)
async def test_visitors_do_not_read_them(world: World, headers: dict[str, str]) -> None:
    assert (await world.client.get("/metrics", headers=headers)).status_code == 403


async def test_another_machine_does_not_read_them(world: World) -> None:
    transport = httpx.ASGITransport(world.app, client=("203.0.113.1", 1))
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        assert (await client.get("/metrics")).status_code == 403
