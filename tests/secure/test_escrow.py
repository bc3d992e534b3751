"""Escrow is turned off where there is another way, and on again."""

import asyncio
import os
from pathlib import Path

import pytest

from tests.patience import eventually
from tests.secure.authenticator import add
from tests.secure.device import CallFailedError
from tests.secure.test_deletion import gone
from tests.secure.test_email_update import change
from tests.secure.test_loose_boxes import boxes
from tests.secure.test_passwords import Password, proven, ways
from tests.secure.test_recovery import finished, started
from tests.secure.world import ADA, OF_BOTH, Wallet, World, xor
from walletmodal.secure.custody.recovery_client import RecoveryClient
from walletmodal.secure.custody.sealed_box import ESCROW, seal
from walletmodal.secure.encoding import decode, encode


async def owner(world: World) -> Wallet:
    """A wallet in escrow that has a password too."""
    wallet = await world.wallet()
    world.clock.advance(31)
    await wallet.device.call("/v1/password/set", Password().body(wallet, await proven(world, wallet.device)))
    return wallet


async def off(world: World, wallet: Wallet) -> None:
    proof = await proven(world, wallet.device, "escrow")
    assert (await wallet.device.call("/v1/escrow/off", {"proof": proof}))["user"]["escrow"] is False


def on_body(world: World, wallet: Wallet, proof: str) -> dict[str, str]:
    half, key = os.urandom(16), decode(world.settings.recovery_public_key or "")
    sealed = seal(half, key, purpose=ESCROW, user=wallet.user_id)
    return {"proof": proof, "recoveryHalf": encode(xor(wallet.root, half)), "escrow": encode(sealed)}


async def test_who_has_a_password_can_do_without_escrow(escrowed: World) -> None:
    wallet = await owner(escrowed)
    assert await ways(wallet.device) == ["password", "code"]
    await off(escrowed, wallet)
    assert await ways(wallet.device) == ["password"]
    other = await escrowed.login()
    assert (await other.refused("/v1/recovery/start")).code == "no_escrow"
    assert await wallet.joined() == wallet.root
    told = "Your wallet can no longer be recovered with a code: Example"
    await eventually(lambda: told in [mail.subject for mail in escrowed.mailbox.of(ADA)])


async def test_neither_half_is_left(escrowed: World) -> None:
    wallet = await owner(escrowed)
    await off(escrowed, wallet)
    assert await escrowed.sql("SELECT half, box FROM wallets") == [(b"", "")]


async def test_who_has_no_other_way_keeps_it(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    escrowed.clock.advance(31)
    proof = await proven(escrowed, wallet.device, "escrow")
    assert (await wallet.device.refused("/v1/escrow/off", {"proof": proof})).code == "last_way"
    assert await ways(wallet.device) == ["code"]


async def test_without_a_fresh_proof_of_that_nothing_changes(escrowed: World) -> None:
    wallet = await owner(escrowed)
    proof = await proven(escrowed, wallet.device, "password")
    assert (await wallet.device.refused("/v1/escrow/off", {"proof": proof})).code == "proof"
    assert await ways(wallet.device) == ["password", "code"]


async def test_only_a_device_with_the_wallet_can_turn_it_off(escrowed: World) -> None:
    await owner(escrowed)
    other = await escrowed.login()
    proof = await proven(escrowed, other, "escrow")
    assert (await other.refused("/v1/escrow/off", {"proof": proof})).code == "device_unknown"


async def test_it_can_be_turned_on_again(escrowed: World) -> None:
    wallet = await owner(escrowed)
    await off(escrowed, wallet)
    body = on_body(escrowed, wallet, await proven(escrowed, wallet.device, "escrow"))
    assert (await wallet.device.call("/v1/escrow/on", body))["user"]["escrow"] is True
    other = await escrowed.login()
    root, _ = await finished(other, await started(escrowed, other), wallet)
    assert root == wallet.root


async def test_turned_on_twice_the_first_half_stays(escrowed: World) -> None:
    wallet = await owner(escrowed)
    body = on_body(escrowed, wallet, await proven(escrowed, wallet.device, "escrow"))
    assert (await wallet.device.refused("/v1/escrow/on", body)).code == "escrow_on"
    other = await escrowed.login()
    root, _ = await finished(other, await started(escrowed, other), wallet)
    assert root == wallet.root


async def test_it_is_not_turned_on_for_an_address_that_may_change_back(escrowed: World) -> None:
    wallet = await owner(escrowed)
    await off(escrowed, wallet)
    await change(escrowed, wallet.device, "new@example.com")
    escrowed.clock.advance(31)
    body = on_body(escrowed, wallet, await proven(escrowed, wallet.device, "escrow", "new@example.com"))
    assert (await wallet.device.refused("/v1/escrow/on", body)).code == "held"


async def test_the_last_way_is_not_removed(escrowed: World) -> None:
    wallet = await owner(escrowed)
    await off(escrowed, wallet)
    proof = await proven(escrowed, wallet.device)
    assert (await wallet.device.refused("/v1/password/remove", {"proof": proof})).code == "last_way"


async def test_of_passkeys_too_the_last_one_stays(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    for _ in range(2):
        await add(wallet)
    escrowed.clock.advance(31)
    await off(escrowed, wallet)
    first, last = [one["id"] for one in (await wallet.device.call("/v1/passkeys"))["passkeys"]]
    await wallet.device.call("/v1/passkeys/remove", {"id": first})
    refused = await wallet.device.refused("/v1/passkeys/remove", {"id": last})
    assert refused.code == "last_way"
    await wallet.device.call("/v1/password/set", Password().body(wallet, await proven(escrowed, wallet.device)))
    assert (await wallet.device.call("/v1/passkeys/remove", {"id": last}))["passkeys"] == []


async def test_of_two_ways_that_are_given_up_at_once_one_stays(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    await add(wallet)
    (passkey,) = (await wallet.device.call("/v1/passkeys"))["passkeys"]
    escrowed.clock.advance(31)
    proof = await proven(escrowed, wallet.device, "escrow")
    done = await asyncio.gather(
        wallet.device.call("/v1/passkeys/remove", {"id": passkey["id"]}),
        wallet.device.call("/v1/escrow/off", {"proof": proof}),
        return_exceptions=True,
    )
    assert [one.code for one in done if isinstance(one, CallFailedError)] == ["last_way"]


async def test_what_the_recovery_service_cannot_forget_right_away_it_forgets_later(
    escrowed: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_given: object) -> None:
        raise OSError

    wallet = await owner(escrowed)
    with monkeypatch.context() as away:
        away.setattr("walletmodal.secure.recovery.boxes.Boxes.delete", fails)
        await off(escrowed, wallet)
        assert await ways(wallet.device) == ["password"]
        # The sweep, which may just be coming round, fails as well.
        assert len(await boxes(tmp_path)) == 1
    await gone(escrowed, lambda: boxes(tmp_path))


async def test_who_takes_a_half_back_does_not_wait_for_those_of_others(
    escrowed: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wallet = await owner(escrowed)
    escrowed.clock.advance(31)
    proof = await proven(escrowed, wallet.device, "escrow")
    # What comes round is done, with the service's own; nothing moves the clock from here on.
    await escrowed.settled(OF_BOTH)
    asked = []
    delete = RecoveryClient.delete

    async def counted(client: RecoveryClient, box: str) -> None:
        asked.append(box)
        await delete(client, box)

    await escrowed.sql(f"INSERT INTO loose_boxes (id, due_at) VALUES {', '.join(f'({n}, {n})' for n in range(1, 41))}")
    monkeypatch.setattr(RecoveryClient, "delete", counted)
    await wallet.device.call("/v1/escrow/off", {"proof": proof})
    assert (len(asked) < 10, await boxes(tmp_path)) == (True, [])
