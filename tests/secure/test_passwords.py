"""Recovery passwords at the server: set, opened, tried out, removed; and fresh proofs of who asks for it."""

import os
from typing import Any

import pytest

from tests.patience import eventually
from tests.secure.device import Device
from tests.secure.world import ADA, Wallet, World, xor
from walletmodal.secure.encoding import decode, encode


class Password:
    """A password as the page knows it: salt, what is compared, and the half that its box holds."""

    def __init__(self) -> None:
        self.salt, self.auth, self.half = os.urandom(16), os.urandom(32), os.urandom(16)
        self.box = self.half + os.urandom(28)

    def body(self, wallet: Wallet, proof: str) -> dict[str, Any]:
        half = encode(xor(wallet.root, self.half))
        return {
            "proof": proof,
            "salt": encode(self.salt),
            "auth": encode(self.auth),
            "half": half,
            "box": encode(self.box),
        }


async def code_of_proof(world: World, device: Device, purpose: str = "password", to: str = ADA) -> dict[str, str]:
    """The body that a code by mail is given back with."""
    begun = await device.call("/v1/proof/start", {"purpose": purpose})
    assert begun["action"] == "VERIFY_PROOF"
    world.clock.advance(31)
    return {"attempt": begun["attempt"], "otp": world.mailbox.newest_code(to), "purpose": purpose}


async def proven(world: World, device: Device, purpose: str = "password", to: str = ADA) -> str:
    """A fresh proof by a code."""
    body = await code_of_proof(world, device, purpose, to)
    return str((await device.call("/v1/proof/finish", body))["proof"])


async def with_password(world: World) -> tuple[Wallet, Password]:
    wallet, password = await world.wallet(), Password()
    world.clock.advance(31)
    await wallet.device.call("/v1/password/set", password.body(wallet, await proven(world, wallet.device)))
    return wallet, password


async def ways(device: Device) -> Any:
    return (await device.call("/v1/recovery/ways"))["ways"]


async def opened(device: Device, password: Password) -> Any:
    return await device.call("/v1/password/opened", {"auth": encode(password.auth)})


async def test_a_password_opens_the_wallet_on_a_new_device(world: World) -> None:
    wallet, password = await with_password(world)
    other = await world.login()
    assert await ways(other) == ["password"]
    assert await other.call("/v1/password/open") == {"salt": encode(password.salt)}
    answer = await opened(other, password)
    assert decode(answer["box"]) == password.box
    root = xor(password.half, decode(answer["serverHalf"]))
    assert (root, answer["evm"]) == (wallet.root, wallet.evm)
    fresh = os.urandom(16)
    body = {"deviceHalf": encode(xor(root, fresh)), "grant": answer["grant"]}
    assert (await other.call("/v1/wallet/device", body))["user"]["device"] is True


async def test_the_owner_is_told_of_a_password_and_of_its_use(world: World) -> None:
    _, password = await with_password(world)
    await eventually(lambda: any("password of your wallet was set" in mail.subject for mail in world.mailbox.of(ADA)))
    await opened(await world.login(), password)
    await eventually(lambda: any("opened with its recovery" in mail.subject for mail in world.mailbox.of(ADA)))
    kinds = {kind for (kind,) in await world.sql("SELECT kind FROM audit")}
    assert {"password_set", "password_used"} <= kinds


async def test_a_wrong_password_gets_nothing_and_ten_end_the_day(world: World) -> None:
    _, password = await with_password(world)
    other = await world.login()
    for left in range(9, -1, -1):
        refused = await other.refused("/v1/password/opened", {"auth": encode(os.urandom(32))})
        assert (refused.status, refused.code) == (403, "wrong_password")
        assert f"{left} more tries" in refused.error["message"]
    for auth in (os.urandom(32), password.auth):
        assert (await other.refused("/v1/password/opened", {"auth": encode(auth)})).code == "too_many_tries"
    await eventually(lambda: "tries recovery passwords" in world.mailbox.last(ADA).subject)
    world.clock.advance(86_400)
    assert decode((await opened(other, password))["box"]) == password.box


async def test_a_wrong_password_changes_nothing(world: World) -> None:
    wallet, _ = await with_password(world)
    await wallet.device.refused("/v1/password/opened", {"auth": encode(os.urandom(32))})
    assert await wallet.joined() == wallet.root


async def test_nobody_else_can_try_it(world: World) -> None:
    _, password = await with_password(world)
    eve = await world.login("eve@example.com")
    assert (await eve.refused("/v1/password/opened", {"auth": encode(password.auth)})).code == "no_password"
    assert (await world.device().refused("/v1/password/opened", {"auth": encode(password.auth)})).code == "session"


async def test_a_frozen_account_opens_for_no_password(world: World) -> None:
    _, password = await with_password(world)
    other = await world.login()
    await world.begin(ADA)
    await world.client.post(world.mailbox.last(ADA).link("/not-me"))
    assert (await other.refused("/v1/password/opened", {"auth": encode(password.auth)})).code == "frozen"


async def test_only_a_device_with_the_wallet_can_set_one(world: World) -> None:
    wallet = await world.wallet()
    other = await world.login()
    body = Password().body(wallet, await proven(world, other))
    assert (await other.refused("/v1/password/set", body)).code == "device_unknown"


async def test_another_password_replaces_it(world: World) -> None:
    wallet, former = await with_password(world)
    fresh = Password()
    await wallet.device.call("/v1/password/set", fresh.body(wallet, await proven(world, wallet.device)))
    other = await world.login()
    assert (await other.refused("/v1/password/opened", {"auth": encode(former.auth)})).code == "wrong_password"
    assert decode((await opened(other, fresh))["box"]) == fresh.box


async def test_a_removed_password_opens_nothing(world: World) -> None:
    wallet, password = await with_password(world)
    await wallet.device.call("/v1/password/remove", {"proof": await proven(world, wallet.device)})
    assert await ways(wallet.device) == []
    assert (await wallet.device.refused("/v1/password/opened", {"auth": encode(password.auth)})).code == "no_password"


async def test_who_has_the_mailbox_alone_takes_no_password_away(world: World) -> None:
    wallet, password = await with_password(world)
    other = await world.login()
    refused = await other.refused("/v1/password/remove", {"proof": await proven(world, other)})
    assert (refused.status, refused.code) == (404, "device_unknown")
    assert decode((await opened(wallet.device, password))["box"]) == password.box


@pytest.mark.parametrize("path", ["/v1/password/set", "/v1/password/remove"])
async def test_nothing_changes_without_a_fresh_proof(world: World, path: str) -> None:
    wallet, password = await with_password(world)
    other_purpose = await proven(world, wallet.device, "escrow")
    late = await proven(world, wallet.device)
    world.clock.advance(10 * 60)
    fresh = Password()
    for proof in ("", "guessed", other_purpose, late):
        assert (await wallet.device.refused(path, fresh.body(wallet, proof))).code == "proof"
    assert decode((await opened(wallet.device, password))["box"]) == password.box


async def test_a_proof_counts_once_and_on_its_device(world: World) -> None:
    wallet, _ = await with_password(world)
    of_another = await proven(world, await world.login())
    assert (await wallet.device.refused("/v1/password/remove", {"proof": of_another})).code == "proof"
    world.clock.advance(31)
    proof = await proven(world, wallet.device)
    await wallet.device.call("/v1/password/set", Password().body(wallet, proof))
    assert (await wallet.device.refused("/v1/password/remove", {"proof": proof})).code == "proof"


async def test_a_code_of_a_proof_says_what_it_is_for_and_counts_for_nothing_else(world: World) -> None:
    wallet = await world.wallet()
    world.clock.advance(31)
    body = await code_of_proof(world, wallet.device)
    mail = world.mailbox.last(ADA)
    assert len(body["otp"]) == 8
    assert "changes the recovery password of your wallet" in mail.text
    assert "It logs nobody in" in mail.text
    for path in ("/v1/login/otp", "/v1/email/primary", "/v1/email/secondary"):
        assert (await wallet.device.refused(path, body)).code == "invalid_code"
    assert (await wallet.device.refused("/v1/proof/finish", {**body, "purpose": "escrow"})).code == "invalid_code"
    await wallet.device.call("/v1/proof/finish", body)


async def test_five_wrong_codes_end_a_proof_and_ten_minutes_do(world: World) -> None:
    wallet = await world.wallet()
    world.clock.advance(31)
    body = await code_of_proof(world, wallet.device)
    wrong = {**body, "otp": f"{(int(body['otp']) + 1) % 10**8:08d}"}
    codes = [(await wallet.device.refused("/v1/proof/finish", one)).code for one in [wrong] * 5 + [body]]
    assert codes[-1] == "too_many_tries"
    body = await code_of_proof(world, wallet.device)
    world.clock.advance(10 * 60)
    assert (await wallet.device.refused("/v1/proof/finish", body)).code == "expired_code"
