"""Small sums move during a hold, all of them together up to the operator's amounts; a passkey or an old device ends the hold."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.patience import eventually
from tests.secure.authenticator import add, begun
from tests.secure.device import Device
from tests.secure.mailbox import Mailbox
from tests.secure.test_deletion_requests import kinds, told
from tests.secure.test_devices import listed, own_id
from tests.secure.test_passwords import proven
from tests.secure.test_recovery import recovered
from tests.secure.test_recovery_hold import DAY, HALF
from tests.secure.transactions import ETHEREUM, FEE, SOLANA, TOKEN, body, lamports, sent, solana_sent, token_transfer
from tests.secure.world import Wallet, World, running_with_escrow
from tests.services.node import Node, answer, node
from walletmodal.secure.encoding import encode

__all__ = ["node"]

HOLD = "/v1/wallet/hold"
LIFT = "/v1/wallet/hold/lift"
RELEASE = "/v1/devices/release"
COIN = 10**18


@pytest_asyncio.fixture
async def small(secure_url: str, tmp_path: Path, mailbox: Mailbox, node: Node) -> AsyncIterator[World]:
    """A site with a recovery service, where a coin, 2 SOL and 100 units of a token may be moved during a hold."""
    above = f"{ETHEREUM}=1,{SOLANA}=2,{ETHEREUM}:{TOKEN}=100"
    nodes = {"networks": f"{ETHEREUM},{SOLANA}", "rpc_urls": f"{ETHEREUM}={node.url},{SOLANA}={node.url}"}
    async with running_with_escrow(secure_url, tmp_path, mailbox, recovery_hold_above=above, **nodes) as world:
        yield world


async def held_device(world: World) -> Device:
    return await recovered(world, await world.wallet())


async def waits(device: Device, asked: dict[str, Any]) -> bool:
    """Whether transactions wait, as the page is told before it asks anyone, and as the half is given out."""
    told = await device.call(HOLD, {name: asked[name] for name in ("chain", "transactions")})
    return told["heldUntil"] is not None


@pytest.mark.parametrize(
    "asked",
    [
        body(sent(COIN - FEE)),
        body(token_transfer(100)),
        body(solana_sent(lamports(10**9)), chain=SOLANA),
        body(solana_sent(lamports(10**9)), solana_sent(lamports(9 * 10**8)), chain=SOLANA),
    ],
    ids=["coins", "a token", "Solana", "several"],
)
async def test_a_small_sum_is_signed_at_once(small: World, asked: dict[str, Any]) -> None:
    device = await held_device(small)
    assert not await waits(device, asked)
    assert (await device.call(HALF, asked))["half"]


@pytest.mark.parametrize(
    "asked",
    [
        body(sent(COIN - FEE + 1)),
        body(token_transfer(101)),
        body(token_transfer(100, chainId=137)),
        body(sent(data="12345678", to=TOKEN)),
        body(solana_sent(lamports(10**9)), solana_sent(lamports(10**9)), chain=SOLANA),
        {"use": "transfer"},
        {"use": "transfer", "chain": ETHEREUM, "transactions": [encode(b"no transaction")]},
    ],
    ids=["coins", "a token", "a network without an amount", "a call", "several", "typed data", "nonsense"],
)
async def test_more_than_that_waits_and_so_does_what_cannot_be_measured(small: World, asked: dict[str, Any]) -> None:
    device = await held_device(small)
    assert await waits(device, {"chain": "", "transactions": [], **asked})
    refused = await device.refused(HALF, asked)
    assert (refused.status, refused.code) == (423, "held")
    assert "small transfers" in refused.error["message"]


async def test_sums_add_up_so_that_splitting_helps_nobody(small: World) -> None:
    device = await held_device(small)
    for nonce in range(2):
        await device.call(HALF, body(sent(COIN // 2 - FEE, nonce=nonce)))
    assert await waits(device, body(sent(1, nonce=2)))
    assert (await device.refused(HALF, body(sent(1, nonce=2)))).code == "held"
    small.clock.advance(DAY)
    assert (await device.call(HALF, body(sent(1, nonce=2))))["half"]


async def test_what_no_longer_counts_is_measured_anew_when_it_is_signed_again(small: World) -> None:
    wallet = await small.wallet()
    device, transaction = await recovered(small, wallet), body(sent(COIN - FEE))
    await device.call(HALF, transaction)
    small.clock.advance(DAY)
    again = await recovered(small, wallet)
    assert (await again.call(HALF, transaction))["half"]
    assert (await again.refused(HALF, body(sent(1, nonce=1)))).code == "held"


async def test_the_sums_of_several_recovered_devices_add_up(small: World) -> None:
    wallet = await small.wallet()
    first = await recovered(small, wallet)
    await first.call(HALF, body(sent(COIN - FEE)))
    small.clock.advance(61)
    second = await recovered(small, wallet)
    assert (await second.refused(HALF, body(sent(1, nonce=1)))).code == "held"


async def test_two_calls_at_once_are_measured_one_after_the_other(small: World) -> None:
    device = await held_device(small)
    asked = [device.raw(HALF, body(sent(COIN // 2, nonce=nonce))) for nonce in range(4)]
    statuses = [response.status_code for response in await asyncio.gather(*asked)]
    assert sorted(statuses) == [200, 423, 423, 423]


async def test_the_same_transaction_counts_once(small: World) -> None:
    device = await held_device(small)
    for _ in range(2):
        assert (await device.call(HALF, body(sent(COIN - FEE))))["half"]


async def test_what_was_measured_is_broadcast_and_nothing_else(small: World, node: Node) -> None:
    device = await held_device(small)
    node.behaviour = answer(result="0x1")
    small_one, other = sent(COIN - FEE), sent(1, nonce=7)
    await device.call(HALF, body(small_one))
    call = {"chain": ETHEREUM, "method": "eth_sendRawTransaction"}
    assert (await device.refused("/v1/rpc", {**call, "params": [other]})).code == "held"
    assert "result" in await device.call("/v1/rpc", {**call, "params": [small_one]})


async def test_without_amounts_everything_waits(escrowed: World) -> None:
    device = await held_device(escrowed)
    assert await waits(device, body(sent(0)))
    assert "small transfers" not in (await device.refused(HALF, body(sent(0)))).error["message"]


async def test_the_page_knows_of_the_hold_before_it_asks_anyone(small: World) -> None:
    wallet = await small.wallet()
    device = await recovered(small, wallet)
    until = (await device.call("/v1/me"))["user"]["heldUntil"]
    assert (await device.call(HOLD))["heldUntil"] == until > 0
    assert (await wallet.device.call("/v1/me"))["user"]["heldUntil"] is None
    assert (await wallet.device.call(HOLD)) == {"heldUntil": None, "passkey": False}


async def test_a_passkey_ends_the_hold_of_the_device_on_which_it_is_used(small: World) -> None:
    wallet = await small.wallet()
    passkey = await add(wallet)
    device = await recovered(small, wallet)
    assert (await device.call(HOLD))["passkey"] is True
    used = passkey.used(await begun(device, "/v1/passkeys/prove"))
    proof = (await device.call("/v1/passkeys/proved", {**used, "purpose": "hold"}))["proof"]
    assert (await device.call(LIFT, {"proof": proof}))["user"]["heldUntil"] is None
    assert (await device.call(HALF, {"use": "transfer"}))["half"]
    assert "hold_lifted" in await kinds(small)
    await eventually(lambda: len(told(small, "A device can move what is in your wallet")) == 1)


async def test_a_code_by_mail_does_not_end_it_for_a_code_has_brought_the_wallet_there(small: World) -> None:
    device = await held_device(small)
    small.clock.advance(61)
    assert (await device.refused("/v1/proof/start", {"purpose": "hold"})).code == "params"
    for purpose in ("delete", "export"):
        proof = await proven(small, device, purpose)
        assert (await device.refused(LIFT, {"proof": proof})).code == "proof"
        small.clock.advance(61)


async def released(small: World) -> tuple[Wallet, Device]:
    """A wallet, and another device of it that has been let move funds by the first."""
    wallet = await small.wallet()
    device = await recovered(small, wallet)
    rows = (await wallet.device.call(RELEASE, {"id": await own_id(device)}))["devices"]
    assert [row["heldUntil"] for row in rows] == [None, None]
    return wallet, device


async def test_an_old_device_lets_the_new_one_move_funds(small: World) -> None:
    _, device = await released(small)
    assert (await device.call(HALF, {"use": "transfer"}))["half"]


async def test_the_owner_and_the_audit_hear_of_that(small: World) -> None:
    await released(small)
    assert "hold_lifted" in await kinds(small)
    await eventually(lambda: len(told(small, "A device can move what is in your wallet")) == 1)
    assert "Device: Chrome on Windows" in told(small, "A device can move what is in your wallet")[0].text


async def test_the_list_says_which_device_waits_until_when(small: World) -> None:
    wallet = await small.wallet()
    device = await recovered(small, wallet)
    until = (await device.call("/v1/me"))["user"]["heldUntil"]
    assert {row["current"]: row["heldUntil"] for row in await listed(device)} == {True: until, False: None}


async def test_a_device_that_waits_itself_lets_nobody(small: World) -> None:
    wallet = await small.wallet()
    first = await recovered(small, wallet)
    small.clock.advance(61)
    second = await recovered(small, wallet)
    for one in (first, second):
        assert (await first.refused(RELEASE, {"id": await own_id(one)})).code == "held"


async def test_a_login_alone_and_another_user_let_nobody(small: World) -> None:
    wallet = await small.wallet()
    device = await recovered(small, wallet)
    held, stranger, eve = await own_id(device), await small.login(), await small.wallet("eve@example.com")
    assert (await stranger.refused(RELEASE, {"id": held})).code == "device_unknown"
    assert (await eve.device.refused(RELEASE, {"id": held})).code == "not_held"
    assert (await device.refused(HALF, {"use": "transfer"})).code == "held"
