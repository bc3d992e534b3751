"""The site's process is killed (SIGKILL) before its answer arrives, in every step, and started anew: nothing is lost, and the visitor goes on."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest_asyncio
from cryptography.hazmat.primitives.asymmetric import ec

from tests.patience import PATIENCE
from tests.secure.device import Device
from tests.secure.killed import Site
from tests.secure.mailbox import Mailbox
from tests.secure.world import ADA, Wallet, xor
from walletmodal.core.clock import SystemClock
from walletmodal.secure.custody.sealed_box import RECOVERY, open_box, point_of
from walletmodal.secure.encoding import decode, encode


@pytest_asyncio.fixture
async def site(tmp_path: Path, mailbox: Mailbox) -> AsyncIterator[Site]:
    made = Site(tmp_path, mailbox)
    try:
        await asyncio.gather(asyncio.to_thread(made.recovery.start), asyncio.to_thread(made.site.start))
        yield made
    finally:
        made.site.kill()
        made.recovery.kill()


async def test_a_visitor_goes_on_whichever_answer_was_lost(site: Site) -> None:
    """Login, wallet, signature, another device and its recovery in one journey, each step with its answer lost."""
    async with httpx.AsyncClient(base_url=site.url, trust_env=False, timeout=PATIENCE) as client:
        device = Device(client, SystemClock())
        # The mail has gone out, and what the attempt is called was in the answer: who asks again gets it, and when there may be another mail.
        await site.lost(device, "/v1/login/email", {"email": ADA})
        again = await device.call("/v1/login/email", {"email": ADA})
        assert (again["words"] in site.mailbox.last(ADA).text, 0 < again["retryAfter"] <= 30) == (True, True)

        # The code has counted, and the session was in the answer: the visitor is told, and a new code logs in.
        begun = await site.begin(device)
        await site.lost(device, "/v1/login/otp", begun)
        refused = await device.refused("/v1/login/otp", begun)
        assert (refused.status, refused.code) == (400, "invalid_code")
        await site.log_in(device)

        # The wallet is made: the next try finds it, and it is the one whose half the device has kept.
        user = (await device.call("/v1/me"))["user"]["id"]
        wallet = Wallet(device, user)
        await site.lost(device, "/v1/wallet", wallet.body(site.recovery_key))
        again = await device.refused("/v1/wallet", wallet.body(site.recovery_key))
        assert again.error["user"]["wallet"] == {"evm": wallet.evm, "solana": wallet.solana}

        # A signature: its half is asked for once more.
        await site.lost(device, "/v1/wallet/half", {"use": "sign"})
        assert await wallet.joined() == wallet.root

        # Another device: the mail with the recovery code is there, and counts after the restart.
        other = Device(client, SystemClock())
        await site.log_in(other)
        await site.lost(other, "/v1/recovery/start")
        once = ec.generate_private_key(ec.SECP256R1())
        finish = {"code": site.recovery_code(), "key": encode(point_of(once.public_key()))}
        await site.lost(other, "/v1/recovery/finish", finish)
        # The code has counted once. Another can be asked for.
        refused = await other.refused("/v1/recovery/finish", finish)
        assert (refused.status, refused.code) == (400, "invalid_code")
        site.forget_cooldowns()
        await other.call("/v1/recovery/start")
        answer = await other.call("/v1/recovery/finish", finish | {"code": site.recovery_code()})
        half = open_box(decode(answer["recoveryHalf"]), once, purpose=RECOVERY, user=user)
        root, fresh = xor(half, decode(answer["serverHalf"])), os.urandom(16)
        assert root == wallet.root

        # The device's set is there, and the answer that said so is not: a try with the same grant says that it was used, and the set opens.
        await site.lost(other, "/v1/wallet/device", {"deviceHalf": encode(xor(root, fresh)), "grant": answer["grant"]})
        assert (await other.call("/v1/me"))["user"]["device"] is True
        assert xor(fresh, decode((await other.call("/v1/wallet/half", {"use": "sign"}))["half"])) == wallet.root
        assert await wallet.joined() == wallet.root


async def test_what_is_killed_on_its_way_can_be_asked_again(site: Site) -> None:
    """Whether it was carried out, nobody knows: both ways the visitor has one wallet and its half."""
    async with httpx.AsyncClient(base_url=site.url, trust_env=False, timeout=PATIENCE) as client:
        device = Device(client, SystemClock())
        await site.log_in(device)
        wallet = Wallet(device, (await device.call("/v1/me"))["user"]["id"])
        body = wallet.body(site.recovery_key)
        await site.killed_midway(device, "/v1/wallet", body)
        answer = await device.raw("/v1/wallet", body)
        assert answer.status_code in (200, 409), answer.text
        assert (await device.call("/v1/me"))["user"]["wallet"] == {"evm": wallet.evm, "solana": wallet.solana}
        assert await wallet.joined() == wallet.root


async def test_a_wallet_that_comes_with_its_code_is_whole_or_not_there(site: Site) -> None:
    """Killed while its half goes into escrow, while the code is looked at, and before the answer."""
    async with httpx.AsyncClient(base_url=site.url, trust_env=False, timeout=PATIENCE) as client:
        device = Device(client, SystemClock())
        begun = await site.begin(device)
        wallet = Wallet(device, begun["attempt"])
        body = wallet.body(site.recovery_key)
        await site.killed_midway(device, "/v1/login/escrow", {"attempt": begun["attempt"], "escrow": body["escrow"]})
        await device.raw("/v1/login/escrow", {"attempt": begun["attempt"], "escrow": body["escrow"]})
        await site.killed_midway(device, "/v1/login/otp", begun | {"wallet": body})
        assert site.wallets_without_escrow() == set()
        answer = await device.raw("/v1/login/otp", begun | {"wallet": body})
        assert answer.status_code in (200, 400), answer.text
        assert site.wallets_without_escrow() == set()

        await site.log_in(device)
        user = (await device.call("/v1/me"))["user"]
        assert user["id"] == wallet.user_id
        if user["wallet"] is None:
            await device.call("/v1/wallet", body)
        assert site.wallets_without_escrow() == set()
        assert await wallet.joined() == wallet.root
