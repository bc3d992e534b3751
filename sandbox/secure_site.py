"""The secure site of the embedded wallet in this process, with the recovery service behind it and keys that are worth nothing."""

import json
import os
import secrets
import tempfile
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final, Self

import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pydantic import SecretStr
from starlette.types import ASGIApp, Receive, Scope, Send

from walletmodal.sandbox.chains import CHAINS
from walletmodal.sandbox.clock import SandboxClock
from walletmodal.sandbox.settings import LOOPBACK, SandboxSettings
from walletmodal.sandbox.social import social_settings
from walletmodal.sandbox.solana.world import CHAIN as SOLANA
from walletmodal.secure import app as site
from walletmodal.secure.db.upgrade import upgrade
from walletmodal.secure.recovery import app as recovery
from walletmodal.secure.recovery.settings import RecoverySettings, read_private_key
from walletmodal.secure.settings import Settings

_KEYS: Final = ("kek", "recovery_key", "recovery_token")
_SENDER: Final = {"mail_from": "wallet@sandbox.example", "mail_name": "Sandbox Wallet"}
_COMPANIONS: Final = ("", "-wal", "-shm")


class SecureSite:
    """The site as an ASGI application that can begin anew.

    Args:
        settings: where it listens, and where it keeps its databases and keys.
        clock: what it measures times with.
        smtp_port: where its mails are taken, on loopback.
    """

    def __init__(self, settings: SandboxSettings, clock: SandboxClock, smtp_port: int) -> None:
        self._settings, self._clock, self._smtp_port = settings, clock, smtp_port
        self._app: ASGIApp | None = None
        self._folder = Path()
        self._empty: dict[str, bytes] = {}
        self._used = False
        self._running, self._opened = AsyncExitStack(), AsyncExitStack()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if self._app is None:
            raise RuntimeError("the secure site does not run")
        self._used = self._used or scope["path"].startswith("/v1/")
        await self._app(scope, receive, send)

    async def __aenter__(self) -> Self:
        """Open databases and keys.

        Raises:
            OSError: the folder cannot be used.
            StartError: what is kept there does not fit together.
        """
        kept = self._settings.state_folder
        self._folder = kept or Path(self._running.enter_context(tempfile.TemporaryDirectory(prefix="walletmodal-")))
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        await self._open()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close them."""
        await self._opened.aclose()
        await self._running.aclose()

    async def reset(self) -> None:
        """Forget everybody; nothing to do when nobody was there."""
        if not self._used:
            return
        await self._opened.aclose()
        for name in self._empty:
            for companion in _COMPANIONS:
                (self._folder / f"{name}{companion}").unlink(missing_ok=True)
        await self._open()

    async def _open(self) -> None:
        keys = self._keys()
        sending: dict[str, Any] = {"smtp_url": f"smtp://{LOOPBACK}:{self._smtp_port}", **_SENDER, "_env_file": None}
        social: dict[str, Any] = {name.lower(): value for name, value in social_settings(self._sandbox_url).items()}
        behind = RecoverySettings(
            recovery_database_url=self._database("recovery.db", recovery.MIGRATIONS),
            recovery_key=SecretStr(keys["recovery_key"]),
            recovery_token=SecretStr(keys["recovery_token"]),
            **sending,
        )
        own = Settings(
            secure_port=self._settings.secure_port,
            secure_public_url=f"http://localhost:{self._settings.secure_port}",
            secure_modal_origins=self._settings.secure_modals,
            allowed_origins=tuple({*self._settings.demo_origins, *self._settings.hosts}),
            secure_client_origins=self._settings.secure_clients,
            secure_database_url=self._database("secure.db"),
            secure_redis_url=None,
            secure_workers=1,
            embedded_kek=SecretStr(f"1:{keys['kek']}"),
            networks=(*(chain.caip2 for chain in CHAINS), SOLANA),
            rpc_url=f"{self._sandbox_url}/rpc",
            secure_escrow="on",
            secure_smart_accounts=self._settings.secure_smart_accounts,
            recovery_url="http://recovery.localhost",
            recovery_token=SecretStr(keys["recovery_token"]),
            recovery_public_key=_point(keys["recovery_key"]),
            **sending,
            **social,
        )
        recovery_app = recovery.create(behind, clock=self._clock)
        app = site.create(own, clock=self._clock, recovery=httpx.ASGITransport(recovery_app))
        for each in (recovery_app, app):
            await self._opened.enter_async_context(each.router.lifespan_context(each))
        self._app, self._used = app, False

    @property
    def _sandbox_url(self) -> str:
        return f"http://localhost:{self._settings.sandbox_port}"

    def _database(self, name: str, migrations: Path | None = None) -> str:
        """The URL of a database, migrated."""
        file = self._folder / name
        url = f"sqlite:///{file}"
        if name in self._empty and not file.exists():
            file.write_bytes(self._empty[name])
            file.chmod(0o600)
            return url
        fresh = not file.exists()
        upgrade(url) if migrations is None else upgrade(url, folder=migrations)
        if fresh:
            self._empty[name] = file.read_bytes()
        return url

    def _keys(self) -> Mapping[str, str]:
        file = self._folder / "secure-keys.json"
        if file.exists():
            kept: dict[str, str] = json.loads(file.read_text("utf-8"))
            return kept
        made = {name: _encoded(secrets.token_bytes(32)) for name in _KEYS}
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            json.dump(made, out)
        return made


def _encoded(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def _point(private: str) -> str:
    """The public key of the recovery service."""
    public: ec.EllipticCurvePublicKey = read_private_key(private).public_key()
    return _encoded(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
