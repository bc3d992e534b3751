"""Who has nothing here yet makes account, wallet and passkey at once, and logs in by the passkey from then on."""

import os
from typing import Any

import pytest

from tests.secure.authenticator import Passkey, begun
from tests.secure.device import Device
from tests.secure.test_devices import own_id
from tests.secure.world import Wallet, World, xor
from walletmodal.core.clock import MovableClock
from walletmodal.secure.calls.limits import (
    NEWCOMERS_OF_ALL,
    NEWCOMERS_OF_DEVICE,
    NEWCOMERS_OF_NETWORK,
    NEWCOMERS_RESERVE_OF_PROVIDER,
    Limits,
)
from walletmodal.secure.encoding import encode
from walletmodal.secure.errors import CallError

MADE = "/v1/login/passkey/made"


async def new(device: Device, passkey: Passkey, **changed: Any) -> tuple[Wallet, dict[str, Any]]:
    """A wallet that a page has made with a passkey, and the body of the call; `changed` as for `Passkey.made`."""
    asked = await device.call("/v1/login/passkey/new")
    wallet, half = Wallet(device, asked["user"]), os.urandom(16)
    made = passkey.made(asked["challenge"], **changed)
    sealed = {"half": encode(xor(wallet.root, half)), "box": passkey.seal(half)}
    return wallet, {**made, **sealed, "user": asked["user"], "wallet": wallet.body()}


async def newcomer(world: World, passkey: Passkey) -> Wallet:
    """Who has made one, and is logged in."""
    wallet, body = await new(world.device(), passkey)
    answer = await wallet.device.call(MADE, body)
    wallet.device.session, wallet.user = answer["session"], answer["user"]
    return wallet


async def nothing_was_made(world: World) -> bool:
    tables = ("users", "wallets", "halves", "passkeys", "sessions")
    return [await world.sql(f"SELECT 1 FROM {table}") for table in tables] == [[]] * len(tables)


async def test_a_passkey_makes_a_wallet_where_nobody_has_typed_an_address(world: World) -> None:
    wallet = await newcomer(world, Passkey())
    assert (wallet.user["id"], wallet.user["email"], wallet.user["escrow"]) == (wallet.user_id, "", False)
    assert wallet.user["wallet"] == {"evm": wallet.evm, "solana": wallet.solana}
    assert await wallet.joined() == wallet.root


async def test_it_logs_in_and_opens_that_wallet_on_another_device(world: World) -> None:
    passkey = Passkey()
    wallet, other = await newcomer(world, passkey), world.device()
    answer = await other.call("/v1/login/passkey/finish", passkey.used(await begun(other, "/v1/login/passkey")))
    assert (passkey.root(answer), answer["user"]["id"]) == (wallet.root, wallet.user_id)


async def test_what_was_made_once_is_not_made_again(world: World) -> None:
    wallet, body = await new(world.device(), Passkey())
    await wallet.device.call(MADE, body)
    assert (await wallet.device.refused(MADE, body)).code == "challenge"
    assert len(await world.sql("SELECT 1 FROM users")) == 1


async def test_another_device_makes_nothing_of_it(world: World) -> None:
    _, body = await new(world.device(), Passkey())
    assert (await world.device().refused(MADE, body)).code == "challenge"
    assert await nothing_was_made(world)


async def test_no_account_is_made_under_the_name_of_another(world: World) -> None:
    wallet = await newcomer(world, Passkey())
    eve, body = await new(world.device(), Passkey())
    assert (await eve.device.refused(MADE, body | {"user": wallet.user_id})).code == "challenge"


async def test_a_passkey_that_somebody_has_makes_no_account(world: World) -> None:
    passkey = Passkey()
    await newcomer(world, passkey)
    other, body = await new(world.device(), passkey)
    assert (await other.device.refused(MADE, body)).code == "passkey_known"
    assert len(await world.sql("SELECT 1 FROM users")) == 1


async def test_a_removed_passkey_logs_its_owner_in_to_nobody_elses_account(world: World) -> None:
    """Its id and public key are no secret, and nothing shows at the making of a passkey who can use it."""
    passkey, other = Passkey(), world.device()
    await newcomer(world, passkey)
    used = passkey.used(await begun(other, "/v1/login/passkey")) | {"userHandle": encode(os.urandom(16))}
    assert (await other.refused("/v1/login/passkey/finish", used)).code == "passkey_unknown"


async def test_a_passkey_that_says_whose_it_is_logs_them_in(world: World) -> None:
    passkey, other = Passkey(), world.device()
    wallet = await newcomer(world, passkey)
    used = passkey.used(await begun(other, "/v1/login/passkey")) | {"userHandle": wallet.user_id}
    assert (await other.call("/v1/login/passkey/finish", used))["user"]["id"] == wallet.user_id


async def test_a_passkey_of_another_page_makes_nothing(world: World) -> None:
    wallet, body = await new(world.device(), Passkey(), origin="https://evil.example")
    assert (await wallet.device.refused(MADE, body)).code == "passkey"
    assert await nothing_was_made(world)


async def test_addresses_that_are_none_make_nothing(world: World) -> None:
    wallet, body = await new(world.device(), Passkey())
    body["wallet"]["evm"] = "0x12"
    assert (await wallet.device.refused(MADE, body)).code == "params"
    assert await nothing_was_made(world)


async def test_a_recovery_password_is_no_way_for_whom_nothing_else_logs_in(world: World) -> None:
    alone, mailed = await newcomer(world, Passkey()), await world.wallet()
    told = [await wallet.device.call("/v1/recovery/ways") for wallet in (alone, mailed)]
    assert [one["password"] for one in told] == [False, True]


async def test_its_last_passkey_stays_for_nothing_else_logs_in(world: World) -> None:
    wallet = await newcomer(world, Passkey())
    (listed,) = (await wallet.device.call("/v1/passkeys"))["passkeys"]
    refused = await wallet.device.refused("/v1/passkeys/remove", {"id": listed["id"]})
    assert (refused.status, refused.code) == (409, "last_way")
    # The device may go: the passkey brings the wallet back.
    await wallet.device.call("/v1/devices/revoke", {"id": await own_id(wallet.device)})


async def test_a_device_begins_five_and_then_one_in_twelve_minutes(world: World) -> None:
    device = world.device()
    for _ in range(NEWCOMERS_OF_DEVICE.burst):
        await device.call("/v1/login/passkey/new")
    assert (await device.refused("/v1/login/passkey/new")).code == "too_many"
    world.clock.advance(12 * 60)
    await device.call("/v1/login/passkey/new")


async def test_a_network_begins_twenty_whatever_devices_it_has() -> None:
    limits = Limits(None, MovableClock())
    for number in range(NEWCOMERS_OF_NETWORK.burst):
        await limits.newcomer(f"203.0.113.{number}", str(number))
    with pytest.raises(CallError):
        await limits.newcomer("203.0.113.200", "another")
    await limits.newcomer("198.51.100.7", "elsewhere")


async def test_one_providers_networks_leave_the_others_their_accounts() -> None:
    limits = Limits(None, MovableClock())
    most = NEWCOMERS_OF_ALL.burst + NEWCOMERS_RESERVE_OF_PROVIDER.burst
    for number in range(most):
        await limits.newcomer(f"2001:db8:{number:x}::/64", str(number))
    with pytest.raises(CallError):
        await limits.newcomer(f"2001:db8:{most:x}::/64", str(most))
    await limits.newcomer("198.51.100.7", "elsewhere")
