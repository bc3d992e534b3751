"""Who has got the wallet by a code from a mail signs messages at once, and moves nothing for a day."""

from pathlib import Path
from typing import Any

import pytest

from tests.secure.authenticator import add
from tests.secure.mailbox import Mailbox
from tests.secure.test_devices import own_id
from tests.secure.test_passwords import proven
from tests.secure.test_recovery import recovered
from tests.secure.world import World, running_with_escrow

HALF = "/v1/wallet/half"
DAY = 86_400
SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"


async def test_messages_are_signed_at_once(escrowed: World) -> None:
    device = await recovered(escrowed, await escrowed.wallet())
    assert (await device.call(HALF, {"use": "sign"}))["half"]


async def test_transfers_wait_for_a_day_and_the_visitor_reads_until_when(escrowed: World) -> None:
    device = await recovered(escrowed, await escrowed.wallet())
    refused = await device.refused(HALF, {"use": "transfer"})
    assert (refused.status, refused.code) == (423, "held")
    assert "UTC" in refused.error["message"]
    assert refused.error["heldUntil"] > 0
    escrowed.clock.advance(DAY)
    assert (await device.call(HALF, {"use": "transfer"}))["half"]


async def test_a_device_of_before_does_not_wait(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    await recovered(escrowed, wallet)
    assert (await wallet.device.call(HALF, {"use": "transfer"}))["half"]


async def test_nothing_is_broadcast_meanwhile(secure_url: str, mailbox: Mailbox, tmp_path: Path) -> None:
    async with running_with_escrow(secure_url, tmp_path, mailbox, networks=f"eip155:1,{SOLANA}") as world:
        device = await recovered(world, await world.wallet())
        for chain, method in (("eip155:1", "eth_sendRawTransaction"), (SOLANA, "sendTransaction")):
            body = {"chain": chain, "method": method, "params": ["0x02"]}
            assert (await device.refused("/v1/rpc", body)).code == "held"


async def test_a_deployment_may_do_without(secure_url: str, mailbox: Mailbox, tmp_path: Path) -> None:
    async with running_with_escrow(secure_url, tmp_path, mailbox, recovery_hold_hours=0) as world:
        device = await recovered(world, await world.wallet())
        assert (await device.call(HALF, {"use": "transfer"}))["half"]


@pytest.mark.parametrize(("path", "purpose"), [("/v1/account/delete", "delete"), ("/v1/wallet/export", "export")])
async def test_the_wallet_is_neither_exported_nor_deleted_meanwhile(escrowed: World, path: str, purpose: str) -> None:
    device = await recovered(escrowed, await escrowed.wallet())
    escrowed.clock.advance(61)
    body: dict[str, Any] = {"proof": await proven(escrowed, device, purpose)}
    assert (await device.refused(path, body)).code == "held"


async def test_nothing_is_taken_from_the_owner_meanwhile(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    await add(wallet)
    device = await recovered(escrowed, wallet)
    (passkey,) = (await device.call("/v1/passkeys"))["passkeys"]
    taken: dict[str, dict[str, Any]] = {
        "/v1/devices/revoke": {"id": await own_id(wallet.device)},
        "/v1/passkeys/remove": {"id": passkey["id"]},
        "/v1/password/remove": {"proof": ""},
    }
    assert [(await device.refused(path, body)).code for path, body in taken.items()] == ["held"] * 3


async def test_the_device_that_waits_may_go(escrowed: World) -> None:
    device = await recovered(escrowed, await escrowed.wallet())
    assert len((await device.call("/v1/devices/revoke", {"id": await own_id(device)}))["devices"]) == 1


async def test_no_passkey_that_would_not_wait_is_added_meanwhile(escrowed: World) -> None:
    device = await recovered(escrowed, await escrowed.wallet())
    assert (await device.refused("/v1/passkeys/add")).code == "held"
