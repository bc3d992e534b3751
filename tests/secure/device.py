"""A small signing client: what the page's script does, with a key of P-256."""

import json
import os
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256

from walletmodal.core.clock import Clock
from walletmodal.db.moments import to_ms
from walletmodal.secure.calls.device import signed_text
from walletmodal.secure.custody.sealed_box import point_of
from walletmodal.secure.encoding import encode

CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"


class CallFailedError(AssertionError):
    """A call was refused."""

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        super().__init__(f"{status} {error}")
        self.status, self.error = status, error

    @property
    def code(self) -> str:
        return str(self.error["code"])


class Device:
    """A device with a key of its own, and a session where it has logged in."""

    def __init__(self, client: httpx.AsyncClient, clock: Clock, key: ec.EllipticCurvePrivateKey | None = None) -> None:
        self.client, self.clock, self.session = client, clock, ""
        self.key = key or ec.generate_private_key(ec.SECP256R1())

    @property
    def point(self) -> str:
        return encode(point_of(self.key.public_key()))

    def sign(self, text: bytes) -> str:
        r, s = utils.decode_dss_signature(self.key.sign(text, ec.ECDSA(SHA256())))
        return encode(r.to_bytes(32, "big") + s.to_bytes(32, "big"))

    def headers(self, path: str, body: bytes, **changed: str) -> dict[str, str]:
        """The headers of a call; `changed`: time, nonce or session other than its own."""
        time = changed.get("time", str(to_ms(self.clock.now())))
        nonce = changed.get("nonce", encode(os.urandom(12)))
        token = changed.get("session", self.session)
        found = {
            "x-device": self.point,
            "x-time": time,
            "x-nonce": nonce,
            "x-signature": self.sign(signed_text(path, time, nonce, token, body)),
            "user-agent": CHROME,
        }
        return found | ({"authorization": f"Bearer {token}"} if token else {})

    async def raw(self, path: str, body: Any = None, **changed: str) -> httpx.Response:
        content = json.dumps({} if body is None else body).encode()
        return await self.client.post(path, content=content, headers=self.headers(path, content, **changed))

    async def call(self, path: str, body: Any = None, **changed: str) -> Any:
        """The answer; raises CallFailedError."""
        response = await self.raw(path, body, **changed)
        if response.status_code != 200:
            raise CallFailedError(response.status_code, response.json()["error"])
        return response.json()

    async def refused(self, path: str, body: Any = None, **changed: str) -> CallFailedError:
        """How a call is refused."""
        try:
            answer = await self.call(path, body, **changed)
        except CallFailedError as failure:
            return failure
        raise AssertionError(f"{path} was answered: {answer}")
