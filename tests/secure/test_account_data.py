"""What the site tells users of themselves: everything that it holds, and no secret."""

import json

from tests.secure.world import ADA, EVE, World
from walletmodal.secure.encoding import encode


async def test_a_user_gets_what_is_held_of_them(world: World) -> None:
    wallet = await world.wallet()
    data = (await wallet.device.call("/v1/account/data"))["data"]
    (held,), (device,) = data["wallets"], data["devices"]
    assert (data["email"], held["evm"], held["solana"]) == (ADA, wallet.evm, wallet.solana)
    assert [(data["language"],)] == await world.sql("SELECT language FROM users")
    assert (device["name"], len(data["sessions"]), data["recoveryByCode"]) == ("Chrome on Windows", 1, False)
    assert [event["kind"] for event in data["events"]] == ["wallet_created", "login"]


async def test_no_secret_is_in_it(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    text = json.dumps(await wallet.device.call("/v1/account/data"))
    half = (await wallet.device.call("/v1/wallet/half", {"use": "sign"}))["half"]
    assert half not in text
    assert wallet.device.session not in text
    assert encode(wallet.recovery_half) not in text


async def test_nothing_of_others_is_in_it(world: World) -> None:
    await world.wallet()
    eve = await world.login(EVE)
    data = (await eve.call("/v1/account/data"))["data"]
    assert (data["email"], data["wallets"], [event["kind"] for event in data["events"]]) == (EVE, [], ["login"])
    assert ADA not in json.dumps(data)
