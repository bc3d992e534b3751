"""A wallet that is not made by those who make the SDK: pyWalletConnect, whose calls wait and therefore run in threads."""

import asyncio
import socket
import threading
import time
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct
from pywalletconnect import WCClient, client, client_v2irn, websocket
from pywalletconnect.client_v2irn import WCv2Client

from tests.patience import PATIENCE

_STEP: Final = 0.02


class _PlainSocket:
    """The library's connection without its TLS, which the relay of the tests does not speak. `conn` is None when it has ended."""

    def __init__(self, domain: str, port: int) -> None:
        self.conn: socket.socket | None = socket.create_connection((domain, port))
        self.conn.setblocking(False)

    def close(self) -> None:
        """End it."""
        if self.conn is not None:
            self.conn.close()
            self.conn = None

    def send(self, data: bytes) -> None:
        """Send it all."""
        assert self.conn is not None
        self.conn.sendall(data)

    def receive(self) -> bytes:
        """What has come, or nothing."""
        assert self.conn is not None
        try:
            received = self.conn.recv(8192)
        except BlockingIOError:
            return b""
        except ConnectionError:
            received = b""
        if not received:
            self.close()
        return received


class _Connection(websocket.WebSocketClient):  # type: ignore[misc]  # the library is not typed
    """The library's, whose timer reads in a thread of its own, also while the connection is closed beside it."""

    def __init__(self, *args: Any) -> None:
        self._turn = threading.RLock()
        super().__init__(*args)

    def collect_messages(self) -> None:
        """Read, unless it is closed."""
        with self._turn:
            if hasattr(self, "ssocket"):
                super().collect_messages()

    def close(self) -> None:
        """End it between two readings."""
        with self._turn:
            super().close()


class PythonWallet:
    """Speaks with one page at a time, and never answers by itself.

    Args:
        relay: the relay's URL.
        patch: sets the library up for this relay, for as long as it lives.
    """

    def __init__(self, relay: str, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(websocket, "TLSsocket", _PlainSocket)
        for module in (client, client_v2irn):
            patch.setattr(module, "WebSocketClient", _Connection)
        for module in (websocket, client_v2irn):
            patch.setattr(module, "UNIT_WAITING_TIME", _STEP)
            patch.setattr(module, "CYCLES_TIMEOUT", int(PATIENCE / _STEP))
        parts = urlsplit(relay)
        patch.setattr(WCv2Client, "host_relay", f"{parts.netloc}{parts.path}")
        patch.setattr(WCClient, "project_id", "wallet")
        described = {"name": "Python Wallet", "description": "", "url": "http://localhost", "icons": []}
        patch.setattr(WCClient, "wallet_metadata", described)
        self._account = Account.create()
        self.address: str = self._account.address
        self._client: WCv2Client | None = None
        self._proposal: int = 0

    @property
    def _paired(self) -> WCv2Client:
        assert self._client is not None, "no code was scanned"
        return self._client

    async def scan(self, uri: str) -> dict[str, Any]:
        """Scan a code; gives back the networks that are wanted and who asks."""
        return await asyncio.to_thread(self._scan, uri)

    def _scan(self, uri: str) -> dict[str, Any]:
        self._client = WCClient.from_wc_uri(uri)
        self._proposal, chains, proposer = self._paired.open_session()
        return {"chains": chains, "proposer": proposer}

    async def approve(self, chain: str, *, namespace: str = "eip155", address: str = "") -> None:
        """Approve the proposal on one network; `namespace`, `address`: something else in the place of what was asked for."""
        self._paired.wallet_namespace = namespace
        await asyncio.to_thread(self._paired.reply_session_request, self._proposal, chain, address or self.address)

    async def reject(self) -> None:
        """Reject the proposal."""
        await asyncio.to_thread(self._paired.reject_session_request, self._proposal)

    async def sees(self, method: str) -> tuple[int, Any]:
        """Wait for a message of this method; gives back its id and its parameters."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            number, seen, params = await asyncio.to_thread(self._paired.get_message)
            if number is not None and seen == method:
                return number, params
            await asyncio.sleep(_STEP)
        raise AssertionError(f"the wallet saw no {method}")

    async def sign(self, number: int, message: str) -> None:
        """Sign a message, given in hex, as the answer to a request."""
        signed = self._account.sign_message(encode_defunct(hexstr=message)).signature
        await asyncio.to_thread(self._paired.reply, number, "0x" + bytes(signed).hex())

    async def refuse(self, number: int) -> None:
        """Refuse a request."""
        await asyncio.to_thread(self._paired.reject, number)

    async def end(self) -> None:
        """End the session and the connection, if there are any."""
        if self._client is not None:
            await asyncio.to_thread(self._client.close)
