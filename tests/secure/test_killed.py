"""The site's process is killed (SIGKILL) before its answer arrives, in every step, and started anew: nothing is lost, and the visitor goes on."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest_asyncio
from cryptography.hazmat.primitives.asymmetric import ec

from secure.custody.sealed_box import RECOVERY, open_box, point_of
from secure.encoding import decode, encode
from secure.recovery.keys import RecoveryKeys, new_private_key
from tests.patience import PATIENCE
from tests.ports import free_ports
from tests.secure.device import Device
from tests.secure.mailbox import Mailbox
from tests.secure.test_serving import TOKEN, environment
from tests.secure.world import ADA, Wallet, xor
from tests.services_fixtures import wait_until
from walletmodal.core.clock import SystemClock


class Process:
    """A service that is killed and started anew."""

    def __init__(self, module: str, folder: Path, port: int, values: dict[str, str]) -> None:
        self._module, self._folder, self._port, self._values = module, folder, port, values
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", self._module]
        self._process = subprocess.Popen(command, cwd=self._folder, env=environment(self._folder, **self._values))
        wait_until(self._answers, self._module)

    def kill(self) -> None:
        """Its workers too: granian's first process alone would leave them."""
        if self._process is None:
            return
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        self._process.kill()
        for child in children:
            os.kill(int(child), 9)
        self._process.wait(PATIENCE)
        self._process = None

    def _answers(self) -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{self._port}/_health").status_code == 200
        except httpx.HTTPError:
            return False


class Site:
    """A secure site and its recovery service as processes of their own."""

    def __init__(self, folder: Path, mailbox: Mailbox) -> None:
        private = new_private_key()
        self.recovery_key = decode(RecoveryKeys(private).public)
        port, other = free_ports(), free_ports()
        self.folder, self.mailbox, self.url = folder, mailbox, f"http://127.0.0.1:{port}"
        mails = {"SMTP_URL": mailbox.url}
        recovery = {"RECOVERY_PORT": str(other), "RECOVERY_KEY": private, "RECOVERY_TOKEN": TOKEN, **mails}
        own = {
            "SECURE_PORT": str(port), "SECURE_ESCROW": "on", "RECOVERY_URL": f"http://127.0.0.1:{other}",
            "RECOVERY_TOKEN": TOKEN, "RECOVERY_PUBLIC_KEY": encode(self.recovery_key), **mails,
        }  # fmt: skip
        self.recovery = Process("secure.recovery", folder, other, recovery)
        self.site = Process("secure", folder, port, own)

    def forget_cooldowns(self) -> None:
        """Half a minute, or a minute, passes."""
        for name, statement in (
            ("secure", "UPDATE addresses SET asked_at = 0"),
            ("recovery", "UPDATE boxes SET asked_at = 0"),
        ):
            with closing(sqlite3.connect(self.folder / f"{name}.db")) as database:
                database.execute(statement)
                database.commit()

    async def begin(self, device: Device) -> dict[str, Any]:
        """A login up to its mail; the attempt and the code."""
        self.forget_cooldowns()
        begun = await device.call("/v1/login/email", {"email": ADA})
        return {"attempt": begun["attempt"], "otp": self.mailbox.newest_code(ADA)}

    async def log_in(self, device: Device) -> None:
        """A session for a device."""
        device.session = (await device.call("/v1/login/otp", await self.begin(device)))["session"]

    def recovery_code(self) -> str:
        """Of the newest mail of the recovery service."""
        return next(mail.code for mail in reversed(self.mailbox.of(ADA)) if "recovers your wallet" in mail.subject)

    async def lost(self, device: Device, path: str, body: Any = None) -> None:
        """A call that is carried out, and whose answer never arrives: the process is killed first."""
        answer = await device.raw(path, body)
        assert answer.status_code == 200, answer.text
        await self.restart()

    async def killed_midway(self, device: Device, path: str, body: Any = None) -> None:
        """A call during which the process is killed, carried out or not."""
        calling = asyncio.ensure_future(device.raw(path, body))
        await asyncio.wait([calling], timeout=0.005)
        self.site.kill()
        await asyncio.gather(calling, return_exceptions=True)
        await asyncio.to_thread(self.site.start)

    async def restart(self) -> None:
        """Killed, and started anew."""
        self.site.kill()
        await asyncio.to_thread(self.site.start)


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
    async with httpx.AsyncClient(base_url=site.url, trust_env=False) as client:
        device = Device(client, SystemClock())
        # The mail has gone out, and what the attempt is called was in the answer: the visitor is told how long to wait, and asks again.
        await site.lost(device, "/v1/login/email", {"email": ADA})
        refused = await device.refused("/v1/login/email", {"email": ADA})
        assert (refused.status, refused.code, 0 < refused.error["retryAfter"] <= 30) == (429, "cooldown", True)

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
        # The code has counted once. Another can be asked for after a minute.
        refused = await other.refused("/v1/recovery/finish", finish)
        assert (refused.status, refused.code) == (400, "invalid_code")
        assert (await other.refused("/v1/recovery/start")).code == "cooldown"
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
    async with httpx.AsyncClient(base_url=site.url, trust_env=False) as client:
        device = Device(client, SystemClock())
        await site.log_in(device)
        wallet = Wallet(device, (await device.call("/v1/me"))["user"]["id"])
        body = wallet.body(site.recovery_key)
        await site.killed_midway(device, "/v1/wallet", body)
        answer = await device.raw("/v1/wallet", body)
        assert answer.status_code in (200, 409), answer.text
        assert (await device.call("/v1/me"))["user"]["wallet"] == {"evm": wallet.evm, "solana": wallet.solana}
        assert await wallet.joined() == wallet.root
