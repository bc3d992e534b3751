"""What a visitor does with a wallet that is there, whose site is killed (SIGKILL) in every step: hand-over, export, recovery password, devices, deletion."""

import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from typing import Any

import httpx
import pytest_asyncio

from tests.patience import PATIENCE, eventually
from tests.secure.device import Device
from tests.secure.killed import Site
from tests.secure.test_killed import site
from tests.secure.test_passwords import Password
from tests.secure.world import ADA, Wallet, xor
from walletmodal.core.clock import SystemClock
from walletmodal.secure.encoding import decode, encode

__all__ = ["site"]


class Owner:
    """A visitor with a wallet, at a site that is killed."""

    def __init__(self, site: Site, client: httpx.AsyncClient, wallet: Wallet) -> None:
        self.site, self.client, self.wallet, self.device = site, client, wallet, wallet.device

    def other(self) -> Device:
        """Another device."""
        return Device(self.client, SystemClock())

    async def code(self, purpose: str) -> dict[str, str]:
        """The body that a code by mail is given back with."""
        self.site.forget_cooldowns()
        begun = await self.device.call("/v1/proof/start", {"purpose": purpose})
        return {"attempt": begun["attempt"], "otp": self.site.mailbox.newest_code(ADA), "purpose": purpose}

    async def proof(self, purpose: str) -> str:
        return str((await self.device.call("/v1/proof/finish", await self.code(purpose)))["proof"])

    async def killed(self, path: str, body: Any) -> httpx.Response:
        """The answer to a call that is asked again after its site was killed in the middle of it: whether it was carried out, nobody knows."""
        await self.site.killed_midway(self.device, path, body)
        return await self.device.raw(path, body)

    def rows(self, database: str, query: str) -> list[Any]:
        with closing(sqlite3.connect(self.site.folder / f"{database}.db", timeout=PATIENCE)) as connection:
            return connection.execute(query).fetchall()

    def told(self, kind: str) -> bool:
        """Whether the owner is mailed of something: a notice that is written down is sent by whatever process comes."""
        return (kind,) in self.rows("secure", "SELECT kind FROM notices")

    async def keeps_the_wallet(self) -> None:
        assert await self.wallet.joined() == self.wallet.root


@pytest_asyncio.fixture
async def owner(site: Site) -> AsyncIterator[Owner]:
    async with httpx.AsyncClient(base_url=site.url, trust_env=False, timeout=PATIENCE) as client:
        device = Device(client, SystemClock())
        await site.log_in(device)
        wallet = Wallet(device, (await device.call("/v1/me"))["user"]["id"])
        await device.call("/v1/wallet", wallet.body(site.recovery_key))
        yield Owner(site, client, wallet)


def code_of(answer: httpx.Response) -> str:
    """How a call has ended: `ok`, or the code of its refusal."""
    return "ok" if answer.status_code == 200 else str(answer.json()["error"]["code"])


async def test_a_wallet_is_handed_over_wherever_the_site_was_killed(owner: Owner) -> None:
    site, wallet, window, other = owner.site, owner.wallet, owner.other(), owner.other()
    half = os.urandom(16)
    kept = {"device": window.point, "deviceHalf": encode(xor(wallet.root, half))}
    # The window keeps the same set, whether it was stored the first time or not.
    assert code_of(await owner.killed("/v1/handover/window", kept)) == "ok"
    await site.lost(owner.device, "/v1/handover/window", kept)
    await site.log_in(other)
    # A question counts once, and another is begun where its answer is lost.
    await site.lost(other, "/v1/handover/start")
    asked = await other.call("/v1/handover/start")
    await site.lost(window, "/v1/handover/finish", asked)
    assert (await window.refused("/v1/handover/finish", asked)).code == "handover"
    asked = await other.call("/v1/handover/start")
    await site.killed_midway(window, "/v1/handover/finish", asked)
    answer = await window.raw("/v1/handover/finish", asked)
    if code_of(answer) == "handover":
        answer = await window.raw("/v1/handover/finish", await other.call("/v1/handover/start"))
    given, fresh = answer.json(), os.urandom(16)
    assert xor(half, decode(given["half"])) == wallet.root
    # The device's set is there, or the same leave still counts.
    body = {"deviceHalf": encode(xor(wallet.root, fresh)), "grant": given["grant"]}
    await site.killed_midway(other, "/v1/wallet/device", body)
    if not (await other.call("/v1/me"))["user"]["device"]:
        await other.call("/v1/wallet/device", body)
    assert xor(fresh, decode((await other.call("/v1/wallet/half", {"use": "sign"}))["half"])) == wallet.root
    assert owner.told("new_device")
    await owner.keeps_the_wallet()


async def test_a_wallet_is_exported_wherever_the_site_was_killed(owner: Owner) -> None:
    site = owner.site
    # A code has counted, and the proof was in the answer: another is had.
    code = await owner.code("export")
    await site.lost(owner.device, "/v1/proof/finish", code)
    assert (await owner.device.refused("/v1/proof/finish", code)).code == "invalid_code"
    # The same of a proof, and no half is given out that the owner is not told of.
    used = {"proof": await owner.proof("export")}
    await site.lost(owner.device, "/v1/wallet/export", used)
    assert owner.told("exported")
    assert (await owner.device.refused("/v1/wallet/export", used)).code == "proof"
    answer = await owner.killed("/v1/wallet/export", {"proof": await owner.proof("export")})
    if code_of(answer) == "proof":
        answer = await owner.device.raw("/v1/wallet/export", {"proof": await owner.proof("export")})
    assert xor(owner.wallet.device_half, decode(answer.json()["half"])) == owner.wallet.root


async def test_a_password_is_the_former_or_the_new_one_wherever_the_site_was_killed(owner: Owner) -> None:
    site, wallet, former, fresh = owner.site, owner.wallet, Password(), Password()
    await site.lost(owner.device, "/v1/password/set", former.body(wallet, await owner.proof("password")))
    assert owner.told("password_set")
    body = fresh.body(wallet, await owner.proof("password"))
    assert code_of(await owner.killed("/v1/password/set", body)) in ("ok", "proof")
    other = owner.other()
    await site.log_in(other)
    salt = (await other.call("/v1/password/open"))["salt"]
    # Set once more with the same proof it was carried out now or before: the new one opens, and the former does not.
    assert salt == encode(fresh.salt)
    assert (await other.refused("/v1/password/opened", {"auth": encode(former.auth)})).code == "wrong_password"
    await site.lost(other, "/v1/password/opened", {"auth": encode(fresh.auth)})
    answer = await other.call("/v1/password/opened", {"auth": encode(fresh.auth)})
    assert xor(decode(answer["box"])[:16], decode(answer["serverHalf"])) == wallet.root

    removing = {"proof": await owner.proof("password")}
    assert code_of(await owner.killed("/v1/password/remove", removing)) in ("ok", "no_password", "proof")
    assert (await other.refused("/v1/password/open")).code == "no_password"
    await owner.keeps_the_wallet()


async def test_a_device_is_removed_wherever_the_site_was_killed(owner: Owner) -> None:
    site, gone = owner.site, []
    for _ in range(2):
        window = owner.other()
        body = {"device": window.point, "deviceHalf": encode(os.urandom(16))}
        await owner.device.call("/v1/handover/window", body)
        listed = (await owner.device.call("/v1/devices"))["devices"]
        gone.append({"id": next(one["id"] for one in listed if not one["current"] and {"id": one["id"]} not in gone)})
    await site.lost(owner.device, "/v1/devices/revoke", gone[0])
    assert owner.told("device_removed")
    assert (await owner.device.refused("/v1/devices/revoke", gone[0])).code == "device_unknown"
    assert code_of(await owner.killed("/v1/devices/revoke", gone[1])) in ("ok", "device_unknown")
    assert [one["current"] for one in (await owner.device.call("/v1/devices"))["devices"]] == [True]
    await owner.keeps_the_wallet()


async def test_an_account_is_deleted_as_a_whole_wherever_the_site_was_killed(owner: Owner) -> None:
    site = owner.site
    answer = await owner.killed("/v1/account/delete", {"proof": await owner.proof("delete")})
    # A session of a deleted account is none.
    assert code_of(answer) in ("ok", "session")
    assert owner.told("account_deleted")
    assert (
        owner.rows("secure", "SELECT 1 FROM wallets UNION ALL SELECT 1 FROM halves UNION ALL SELECT 1 FROM users") == []
    )
    # The half in escrow is taken back by whatever process comes.
    await site.restart()

    await eventually(lambda: owner.rows("recovery", "SELECT id FROM boxes") == [])
    # The same visitor begins anew.
    await site.log_in(owner.device)
    user = (await owner.device.call("/v1/me"))["user"]
    assert (user["wallet"], user["id"] == owner.wallet.user_id) == (None, False)
    again = Wallet(owner.device, user["id"])
    await owner.device.call("/v1/wallet", again.body(site.recovery_key))
    assert await again.joined() == again.root


async def test_a_deletion_that_was_asked_for_can_be_stopped_wherever_the_site_was_killed(owner: Owner) -> None:
    site, stranger = owner.site, owner.other()
    await site.log_in(stranger)
    site.forget_cooldowns()
    begun = await stranger.call("/v1/proof/start", {"purpose": "delete"})
    code = {"attempt": begun["attempt"], "otp": site.mailbox.newest_code(ADA), "purpose": "delete"}
    proof = {"proof": (await stranger.call("/v1/proof/finish", code))["proof"]}
    await site.killed_midway(stranger, "/v1/account/delete/request", proof)
    assert code_of(await stranger.raw("/v1/account/delete/request", proof)) in ("ok", "proof")
    assert owner.told("deletion_requested")
    # Whoever uses the wallet has not lost every device.
    await site.lost(owner.device, "/v1/wallet/half", {"use": "sign"})
    assert owner.told("deletion_stopped")
    assert owner.rows("secure", "SELECT user FROM deletion_requests") == []
    await owner.keeps_the_wallet()
