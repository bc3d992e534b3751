"""Devices of a wallet: listed, and removed by one another."""

from typing import Any

from tests.patience import eventually
from tests.secure.device import Device
from tests.secure.test_recovery import finished, recovered, started
from tests.secure.world import ADA, World, running
from walletmodal.secure.encoding import encode


async def listed(device: Device) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await device.call("/v1/devices"))["devices"]
    return found


async def own_id(device: Device) -> str:
    return next(str(one["id"]) for one in await listed(device) if one["current"])


async def test_devices_are_listed_with_browser_and_times(world: World) -> None:
    wallet = await world.wallet()
    (one,) = await listed(wallet.device)
    assert (one["name"], one["site"], one["current"]) == ("Chrome on Windows", "", True)
    assert one["createdAt"] == one["lastSeenAt"]


async def test_a_device_that_is_removed_has_nothing_any_more(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    other = await recovered(escrowed, wallet)
    assert [one["current"] for one in await listed(other)] == [True, False]
    escrowed.clock.advance(24 * 3600)
    lost = await own_id(wallet.device)
    (rest,) = (await other.call("/v1/devices/revoke", {"id": lost}))["devices"]
    assert rest["current"] is True
    assert (await wallet.device.refused("/v1/wallet/half", {"use": "sign"})).code == "session"
    again = await escrowed.login(ADA, wallet.device)
    assert (await again.refused("/v1/wallet/half", {"use": "sign"})).code == "device_unknown"


async def test_a_device_that_is_removed_does_not_come_back_by_leave_of_before(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    other = await recovered(escrowed, wallet)
    escrowed.clock.advance(60)
    root, answer = await finished(other, await started(escrowed, other), wallet)
    await wallet.device.call("/v1/devices/revoke", {"id": await own_id(other)})
    await escrowed.login(ADA, other)
    body = {"deviceHalf": encode(root), "grant": answer["grant"]}
    assert (await other.refused("/v1/wallet/device", body)).code == "grant"


async def test_the_owner_is_told_which_device_was_removed(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    other = await recovered(escrowed, wallet)
    escrowed.clock.advance(24 * 3600)
    await other.call("/v1/devices/revoke", {"id": await own_id(wallet.device)})

    def told() -> list[str]:
        return [mail.text for mail in escrowed.mailbox.of(ADA) if "A device was removed" in mail.subject]

    await eventually(lambda: len(told()) == 1)
    assert "Removed: Chrome on Windows" in told()[0]


async def test_a_device_removes_itself_where_the_wallet_can_be_recovered(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    assert await wallet.device.call("/v1/devices/revoke", {"id": await own_id(wallet.device)}) == {"devices": []}
    assert (await wallet.device.refused("/v1/me")).code == "session"


async def test_the_last_device_of_a_wallet_that_nothing_else_opens_stays(world: World) -> None:
    wallet = await world.wallet()
    refused = await wallet.device.refused("/v1/devices/revoke", {"id": await own_id(wallet.device)})
    assert (refused.status, refused.code) == (409, "last_way")
    assert await wallet.joined() == wallet.root


async def test_a_code_is_no_way_where_there_is_no_escrow_any_more(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    settings = escrowed.settings.model_copy(update={"secure_escrow": "off"})
    async with running(settings, escrowed.mailbox, clock=escrowed.clock) as site:
        wallet.device.client = site.client
        assert (await wallet.device.call("/v1/recovery/ways"))["ways"] == []
        refused = await wallet.device.refused("/v1/devices/revoke", {"id": await own_id(wallet.device)})
    assert refused.code == "last_way"


async def test_who_has_the_mailbox_alone_removes_nobody(world: World) -> None:
    wallet = await world.wallet()
    other = await world.login()
    refused = await other.refused("/v1/devices/revoke", {"id": await own_id(wallet.device)})
    assert (refused.status, refused.code) == (404, "device_unknown")
    assert await wallet.joined() == wallet.root
