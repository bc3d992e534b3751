"""A secure site for tests: a database of its own, a clock that moves, a real SMTP server, and devices."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import base58
import httpx
from eth_utils.address import to_checksum_address
from starlette.applications import Starlette

from tests.patience import eventually
from tests.secure.device import Device
from tests.secure.mailbox import Mailbox
from walletmodal.core.clock import MovableClock
from walletmodal.secure.app import create
from walletmodal.secure.custody.sealed_box import ESCROW, seal
from walletmodal.secure.db.upgrade import upgrade
from walletmodal.secure.encoding import decode, encode
from walletmodal.secure.recovery import app as recovery_app
from walletmodal.secure.recovery.keys import RecoveryKeys, new_private_key
from walletmodal.secure.recovery.settings import RecoverySettings
from walletmodal.secure.settings import Settings

ORIGIN = "http://localhost:8701"
ADA = "ada@example.com"
EVE = "eve@example.com"
TOKEN = "a-token-of-the-recovery-service"


class Wallet:
    """A wallet as the page that has made it knows it: the root, and its halves.

    Attributes:
        root: 16 bytes that nobody but the page has.
        user: what the site says of the user.
    """

    def __init__(self, device: Device, user_id: str) -> None:
        self.device, self.user_id = device, user_id
        self.root, self.device_half, self.recovery_half = os.urandom(16), os.urandom(16), os.urandom(16)
        self.evm = to_checksum_address(os.urandom(20))
        self.solana = base58.b58encode(os.urandom(32)).decode()
        self.user: dict[str, Any] = {}

    def body(self, recovery_key: bytes = b"") -> dict[str, Any]:
        """The body of `/v1/wallet`."""
        found = {
            "evm": self.evm,
            "solana": self.solana,
            "deviceHalf": encode(xor(self.root, self.device_half)),
            "recoveryHalf": encode(xor(self.root, self.recovery_half)),
        }
        if recovery_key:
            found["escrow"] = encode(seal(self.recovery_half, recovery_key, purpose=ESCROW, user=self.user_id))
        return found

    async def joined(self) -> bytes:
        """The root, out of the two halves of the device's set."""
        return xor(self.device_half, decode((await self.device.call("/v1/wallet/half", {"use": "sign"}))["half"]))


def xor(one: bytes, other: bytes) -> bytes:
    """A half of a half."""
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


OF_SITE: Final = 2
OF_BOTH: Final = 3
"""How many works begin again every minute at a site, and at one with its recovery service."""


@dataclass
class World:
    """What a test has."""

    settings: Settings
    clock: MovableClock
    mailbox: Mailbox
    app: Starlette
    client: httpx.AsyncClient

    def device(self) -> Device:
        return Device(self.client, self.clock)

    async def sql(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """Change or read the site's database behind its back; the rows that were found."""

        def carried_out() -> list[tuple[Any, ...]]:
            with closing(sqlite3.connect(self.settings.secure_database_url.removeprefix("sqlite:///"))) as database:
                found = database.execute(statement, values).fetchall()
                database.commit()
                return found

        # In a thread: the site writes on this event loop, and a lock that it holds is given back by nothing else.
        return await asyncio.to_thread(carried_out)

    async def settled(self, works: int = OF_SITE) -> None:
        """Return once those works are done that begin as a site starts and again every minute."""
        await eventually(lambda: len(self.clock.sleepers) >= works, step=0.001)

    async def begin(self, email: str = ADA, device: Device | None = None) -> tuple[Device, dict[str, Any]]:
        """A login up to its mail."""
        device = device or self.device()
        return device, await device.call("/v1/login/email", {"email": email})

    async def login(self, email: str = ADA, device: Device | None = None) -> Device:
        """A device that is logged in."""
        device, begun = await self.begin(email, device)
        otp = self.mailbox.newest_code(email)
        answer = await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": otp})
        device.session = answer["session"]
        self.clock.advance(31)
        return device

    async def wallet(self, email: str = ADA, device: Device | None = None) -> Wallet:
        """A device that is logged in and has made the wallet, as the page does."""
        device = await self.login(email, device)
        user = (await device.call("/v1/me"))["user"]
        wallet = Wallet(device, user["id"])
        key = decode(self.settings.recovery_public_key) if self.settings.recovery_public_key else b""
        wallet.user = (await device.call("/v1/wallet", wallet.body(key)))["user"]
        return wallet


def settings_for(database_url: str, smtp_url: str, **changed: Any) -> Settings:
    """Settings of a site; `changed`: by their names."""
    values = {
        "secure_database_url": database_url,
        "smtp_url": smtp_url,
        "mail_from": "login@wallet.example",
        "mail_name": "Example",
        "embedded_kek": f"1:{encode(os.urandom(32))}",
        "secure_escrow": "off",
        "allowed_origins": "http://localhost:8700",
    }
    return Settings(_env_file=None, **(values | changed))


@asynccontextmanager
async def running(settings: Settings, mailbox: Mailbox, **parts: Any) -> AsyncIterator[World]:
    """A site that runs; `parts`: further arguments of `create`."""
    clock = parts.pop("clock", None) or MovableClock()
    app = create(settings, clock=clock, **parts)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.router.lifespan_context(app))
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        client = await stack.enter_async_context(httpx.AsyncClient(transport=transport, base_url=ORIGIN))
        yield World(settings, clock, mailbox, app, client)


def new_database(empty: bytes, folder: Path) -> str:
    """URL of a database that has its tables and nothing in them."""
    file = folder / "secure.db"
    file.write_bytes(empty)
    return f"sqlite:///{file}"


@cache
def _empty_recovery_database() -> bytes:
    """The file of a recovery service's database that has its tables and nothing in them."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "empty.db")
        upgrade(f"sqlite:///{path}", folder=recovery_app.MIGRATIONS)
        return path.read_bytes()


def recovery_settings(database_url: str, smtp_url: str, locales: str = "") -> RecoverySettings:
    """Settings of a recovery service with a key of its own."""
    values = {
        "recovery_database_url": database_url,
        "smtp_url": smtp_url,
        "mail_from": "recovery@wallet.example",
        "mail_name": "Example",
        "recovery_key": new_private_key(),
        "recovery_token": TOKEN,
        "locales": locales,
    }
    return RecoverySettings.model_validate(values)


@asynccontextmanager
async def running_with_escrow(
    secure_url: str, folder: Path, mailbox: Mailbox, recovery_url: str = "", **changed: Any
) -> AsyncIterator[World]:
    """A site, and a recovery service with a database of its own in the same process: `recovery.db` in the folder, or `recovery_url`, which has its tables."""
    file, clock = folder / "recovery.db", MovableClock()
    if not recovery_url:
        file.write_bytes(_empty_recovery_database())
    settings = recovery_settings(recovery_url or f"sqlite:///{file}", mailbox.url, changed.get("locales", ""))
    service = recovery_app.create(settings, clock=clock)
    site = settings_for(
        secure_url,
        mailbox.url,
        secure_escrow="on",
        recovery_url="http://localhost:8702",
        recovery_token=TOKEN,
        recovery_public_key=RecoveryKeys(settings.recovery_key.get_secret_value()).public,
        **changed,
    )
    transport = httpx.ASGITransport(service)
    async with (
        service.router.lifespan_context(service),
        running(site, mailbox, clock=clock, recovery=transport) as world,
    ):
        yield world
