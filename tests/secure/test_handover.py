"""The window of a browser keeps a set of its own, and hands the wallet over to the frame of another site."""

import os
from typing import Any

import pytest

from tests.patience import eventually
from tests.secure.device import Device
from tests.secure.test_devices import listed
from tests.secure.test_recovery import recovered
from tests.secure.world import ADA, EVE, Wallet, World, xor
from walletmodal.secure.encoding import decode, encode

OTHER_BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


async def window_of(world: World, wallet: Wallet) -> tuple[Device, bytes]:
    """The device of the browser's window, which the wallet's own has given a set; its half."""
    window, half = world.device(), os.urandom(16)
    body = {"device": window.point, "deviceHalf": encode(xor(wallet.root, half))}
    assert await wallet.device.call("/v1/handover/window", body) == {}
    return window, half


async def asked(device: Device) -> dict[str, str]:
    """A question to the window."""
    found: dict[str, str] = await device.call("/v1/handover/start")
    return found


async def ways(device: Device) -> list[str]:
    found: list[str] = (await device.call("/v1/recovery/ways"))["ways"]
    return found


async def audited(world: World, kind: str) -> int:
    return len(await world.sql("SELECT 1 FROM audit WHERE kind = ?", (kind,)))


async def test_the_window_gives_another_site_the_wallet(world: World) -> None:
    wallet = await world.wallet()
    window, half = await window_of(world, wallet)
    other = await world.login()
    answer = await window.call("/v1/handover/finish", await asked(other))
    assert xor(half, decode(answer["half"])) == wallet.root
    fresh = os.urandom(16)
    body = {"deviceHalf": encode(xor(wallet.root, fresh)), "grant": answer["grant"], "site": "http://localhost:8700"}
    assert (await other.call("/v1/wallet/device", body))["user"]["device"] is True
    assert xor(fresh, decode((await other.call("/v1/wallet/half", {"use": "transfer"}))["half"])) == wallet.root
    assert await audited(world, "handed_over") == 1


async def test_the_list_tells_the_window_from_the_sites(world: World) -> None:
    wallet = await world.wallet()
    await window_of(world, wallet)
    found = sorted((one["window"], one["name"], one["current"]) for one in await listed(wallet.device))
    assert found == [(False, "Chrome on Windows", True), (True, "Chrome on Windows", False)]


async def test_the_owner_is_told_of_the_window(world: World) -> None:
    wallet = await world.wallet()
    await window_of(world, wallet)

    def told() -> list[str]:
        return [mail.text for mail in world.mailbox.of(ADA) if "for other sites in the same browser" in mail.text]

    await eventually(lambda: len(told()) == 1)
    assert await audited(world, "window_added") == 1


async def test_a_wallet_has_twenty_windows_at_most(world: World) -> None:
    wallet = await world.wallet()
    windows = [await window_of(world, wallet) for _ in range(20)]
    body = {"device": world.device().point, "deviceHalf": encode(os.urandom(16))}
    assert (await wallet.device.refused("/v1/handover/window", body)).code == "windows"
    # One that is kept already may have another set.
    again = {"device": windows[0][0].point, "deviceHalf": encode(os.urandom(16))}
    assert await wallet.device.call("/v1/handover/window", again) == {}


async def test_the_window_is_a_way_in_the_same_browser_alone(world: World) -> None:
    wallet = await world.wallet()
    other = await world.login()
    assert await ways(other) == []
    await window_of(world, wallet)
    assert await ways(other) == ["window"]
    # Who has the wallet here needs no way.
    assert await ways(wallet.device) == []
    body = b"{}"
    headers = other.headers("/v1/recovery/ways", body) | {"user-agent": OTHER_BROWSER}
    response = await other.client.post("/v1/recovery/ways", content=body, headers=headers)
    assert response.json()["ways"] == []


async def test_a_question_is_answered_once(world: World) -> None:
    wallet = await world.wallet()
    window, _ = await window_of(world, wallet)
    question = await asked(await world.login())
    await window.call("/v1/handover/finish", question)
    refused = await window.refused("/v1/handover/finish", question)
    assert (refused.status, refused.code) == (403, "handover")


async def test_a_question_is_over_after_ten_minutes(world: World) -> None:
    wallet = await world.wallet()
    window, _ = await window_of(world, wallet)
    question = await asked(await world.login())
    world.clock.advance(601)
    assert (await window.refused("/v1/handover/finish", question)).code == "handover"


async def test_leave_is_given_to_the_device_that_has_asked_alone(world: World) -> None:
    wallet = await world.wallet()
    window, _ = await window_of(world, wallet)
    other, third = await world.login(), await world.login()
    grant = (await window.call("/v1/handover/finish", await asked(other)))["grant"]
    body = {"deviceHalf": encode(os.urandom(16)), "grant": grant}
    assert (await third.refused("/v1/wallet/device", body)).code == "grant"


@pytest.mark.parametrize("who", ["a stranger", "another user's window"])
async def test_nobody_else_answers_a_question(world: World, who: str) -> None:
    wallet = await world.wallet()
    window, _ = await window_of(world, wallet)
    answering = world.device() if who == "a stranger" else (await window_of(world, await world.wallet(EVE)))[0]
    question = await asked(await world.login())
    refused = await answering.refused("/v1/handover/finish", question)
    assert (refused.status, refused.code) == (404, "device_unknown")
    # It was not used up by that.
    assert await window.call("/v1/handover/finish", question)


async def test_a_device_of_one_site_hands_nothing_over_and_stays_a_device(world: World) -> None:
    """A frame of the secure site's own site has the window's storage: to forget its half there would lose the device."""
    wallet = await world.wallet()
    refused = await wallet.device.refused("/v1/handover/finish", await asked(await world.login()))
    assert (refused.status, refused.code) == (409, "not_kept")
    assert await wallet.joined() == wallet.root


async def test_a_window_that_was_removed_hands_nothing_over(world: World) -> None:
    wallet = await world.wallet()
    window, _ = await window_of(world, wallet)
    lost = next(one["id"] for one in await listed(wallet.device) if one["window"])
    await wallet.device.call("/v1/devices/revoke", {"id": lost})
    other = await world.login()
    assert await ways(other) == []
    assert (await window.refused("/v1/handover/finish", await asked(other))).code == "device_unknown"


async def test_what_waits_in_the_window_waits_on_the_other_site(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    window, _ = await window_of(escrowed, wallet)
    until = 9_000_000_000_000
    await escrowed.sql("UPDATE halves SET held_until = ? WHERE own_window", (until,))
    other = await escrowed.login()
    grant = (await window.call("/v1/handover/finish", await asked(other)))["grant"]
    await other.call("/v1/wallet/device", {"deviceHalf": encode(os.urandom(16)), "grant": grant})
    refused = await other.refused("/v1/wallet/half", {"use": "transfer"})
    assert (refused.code, refused.error["heldUntil"]) == ("held", until)


async def test_a_device_that_was_recovered_lately_keeps_no_window(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    other = await recovered(escrowed, wallet)
    body = {"device": escrowed.device().point, "deviceHalf": encode(os.urandom(16))}
    assert (await other.refused("/v1/handover/window", body)).code == "held"


async def test_a_device_without_the_wallet_keeps_no_window(world: World) -> None:
    await world.wallet()
    other = await world.login()
    body = {"device": world.device().point, "deviceHalf": encode(os.urandom(16))}
    assert (await other.refused("/v1/handover/window", body)).code == "device_unknown"


async def test_a_frame_that_has_the_windows_storage_keeps_its_set(world: World) -> None:
    wallet = await world.wallet()
    await wallet.device.call("/v1/handover/window", {"device": wallet.device.point})
    assert await wallet.joined() == wallet.root
    assert [one["window"] for one in await listed(wallet.device)] == [True]
    answer = await wallet.device.call("/v1/handover/finish", await asked(await world.login()))
    assert xor(wallet.device_half, decode(answer["half"])) == wallet.root


@pytest.mark.parametrize("half", [None, "", "AAAA", 7])
async def test_a_window_without_a_half_is_refused(world: World, half: Any) -> None:
    wallet = await world.wallet()
    body = {"device": world.device().point, "deviceHalf": half}
    assert (await wallet.device.refused("/v1/handover/window", body)).code == "params"


async def test_a_deleted_account_leaves_no_question_behind(world: World) -> None:
    wallet = await world.wallet()
    await asked(wallet.device)
    begun = await wallet.device.call("/v1/proof/start", {"purpose": "delete"})
    proven = {"purpose": "delete", "attempt": begun["attempt"], "otp": world.mailbox.newest_code(ADA)}
    proof = (await wallet.device.call("/v1/proof/finish", proven))["proof"]
    await wallet.device.call("/v1/account/delete", {"proof": proof})
    assert await world.sql("SELECT 1 FROM handovers") == []
