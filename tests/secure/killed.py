"""A secure site and its recovery service as processes that are killed (SIGKILL) and started anew."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

from tests.patience import PATIENCE
from tests.ports import free_ports
from tests.secure.device import Device
from tests.secure.mailbox import Mailbox
from tests.secure.test_serving import TOKEN, environment
from tests.secure.world import ADA
from tests.services_fixtures import wait_until
from walletmodal.secure.encoding import decode, encode
from walletmodal.secure.recovery.keys import RecoveryKeys, new_private_key


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
    """Both, as processes of their own; `values`: settings of the site."""

    def __init__(self, folder: Path, mailbox: Mailbox, **values: str) -> None:
        private = new_private_key()
        self.recovery_key = decode(RecoveryKeys(private).public)
        port, other = free_ports(), free_ports()
        self.folder, self.mailbox, self.url = folder, mailbox, f"http://127.0.0.1:{port}"
        mails = {"SMTP_URL": mailbox.url}
        recovery = {"RECOVERY_PORT": str(other), "RECOVERY_KEY": private, "RECOVERY_TOKEN": TOKEN, **mails}
        own = {
            "SECURE_PORT": str(port), "SECURE_ESCROW": "on", "RECOVERY_URL": f"http://127.0.0.1:{other}",
            "RECOVERY_TOKEN": TOKEN, "RECOVERY_PUBLIC_KEY": encode(self.recovery_key), **mails, **values,
        }  # fmt: skip
        self.recovery = Process("walletmodal.secure.recovery", folder, other, recovery)
        self.site = Process("walletmodal.secure", folder, port, own)

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

    def wallets_without_escrow(self) -> set[str]:
        """Boxes that wallets have, and the recovery service does not."""
        found = []
        for name, statement in (("secure", "SELECT box FROM wallets"), ("recovery", "SELECT id FROM boxes")):
            with closing(sqlite3.connect(self.folder / f"{name}.db")) as database:
                found.append({row[0] for row in database.execute(statement)})
        return found[0] - found[1]

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
