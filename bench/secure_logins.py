"""What logins leave behind in the memory of the secure site."""

import asyncio
import gc
import json
import os
import re
import tempfile
import tracemalloc
from contextlib import AsyncExitStack
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import base58
import httpx
from aiosmtpd.smtp import SMTP, Envelope, Session
from eth_utils.address import to_checksum_address

from bench.figures import Figure, Floor, figure
from bench.secure_device import Device
from walletmodal.commands.project import CommandError, say
from walletmodal.core.clock import MovableClock
from walletmodal.db.moments import to_ms
from walletmodal.secure.app import create
from walletmodal.secure.db.upgrade import upgrade
from walletmodal.secure.encoding import encode
from walletmodal.secure.settings import Settings

LOGINS = 1000
_WARM_UP = 200
_ORIGIN = "http://localhost:8701"


class _Mailbox:
    """Keeps the newest code alone: what mails take is not the site's."""

    def __init__(self) -> None:
        self.code = ""

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        content = envelope.content
        mail = message_from_bytes(
            content if isinstance(content, bytes) else b"", _class=EmailMessage, policy=policy.default
        )
        found = re.match(r"\d{6}\b", str(mail["Subject"]))
        self.code = found[0] if found else self.code
        return "250 ok"


def memory_of_logins() -> list[Figure]:
    """The figure of what the site still holds after as many people have logged in and made a wallet.

    Raises:
        CommandError: a login did not come about.
    """
    say(f"logins: {LOGINS:,} people log in by email and make a wallet")
    left = asyncio.run(_measure())
    title = f"memory of the secure site that {LOGINS:,} logins leave behind"
    return [figure("login_memory_kb", title, "kB", [left / 1000], floor=Floor(1000))]


async def _measure() -> int:
    """Returns the bytes that Python has allocated since the first logins, garbage collected."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="walletmodal-")))
        mailbox, loop = _Mailbox(), asyncio.get_running_loop()
        server = await loop.create_server(lambda: SMTP(mailbox, loop=loop), "127.0.0.1", 0)
        stack.callback(server.close)
        url = f"sqlite:///{folder / 'secure.db'}"
        await asyncio.to_thread(upgrade, url)
        values: dict[str, Any] = {
            "secure_database_url": url,
            "smtp_url": f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}",
            "mail_from": "login@wallet.example",
            "embedded_kek": f"1:{encode(os.urandom(32))}",
            "secure_escrow": "off",
        }
        clock = MovableClock()
        app = create(Settings(_env_file=None, **values), clock=clock)
        await stack.enter_async_context(app.router.lifespan_context(app))
        client = await stack.enter_async_context(
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=_ORIGIN)
        )
        tracemalloc.start()
        stack.callback(tracemalloc.stop)
        for number in range(_WARM_UP):
            await _log_in(client, clock, mailbox, number)
        before = _allocated()
        for number in range(_WARM_UP, _WARM_UP + LOGINS):
            await _log_in(client, clock, mailbox, number)
        return _allocated() - before


def _allocated() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


async def _log_in(client: httpx.AsyncClient, clock: MovableClock, mailbox: _Mailbox, number: int) -> None:
    device = Device()

    async def call(path: str, body: dict[str, str]) -> dict[str, Any]:
        content = json.dumps(body).encode()
        headers = device.headers(path, content, now_ms=to_ms(clock.now()))
        answer = await client.post(path, content=content, headers=headers)
        if answer.status_code != 200:
            raise CommandError(f"logins: {path} was refused: {answer.text}")
        found: dict[str, Any] = answer.json()
        return found

    begun = await call("/v1/login/email", {"email": f"visitor{number}@example.org"})
    entered = await call("/v1/login/otp", {"attempt": begun["attempt"], "otp": mailbox.code})
    device.session = entered["session"]
    halves = {"deviceHalf": encode(os.urandom(16)), "recoveryHalf": encode(os.urandom(16))}
    addresses = {
        "evm": to_checksum_address(os.urandom(20)),
        "solana": base58.b58encode(os.urandom(32)).decode(),
    }
    await call("/v1/wallet", {**addresses, **halves})
    # At the pace at which the site's limits let everybody in.
    clock.advance(1)
