r"""The signature that every call carries: ECDSA P-256 with a key that the device's browser does not give away.

Over `POST\n<path>\n<time>\n<nonce>\n<session token or "">\n<body>`, in the headers X-Device, X-Time, X-Nonce and X-Signature.
"""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from starlette.datastructures import Headers

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.db.moments import to_ms
from walletmodal.secure.calls.nonces import Nonces
from walletmodal.secure.encoding import decode
from walletmodal.secure.errors import CallError

CLOCK_MS: Final = 60_000
"""By how much a device's clock may differ."""
_NONCE_SECONDS: Final = 2 * CLOCK_MS / 1000 + 1
"""For so long a signature could be shown again."""
_TIME: Final = re.compile(r"[0-9]{1,15}")
_ECDSA: Final = ec.ECDSA(SHA256())


@dataclass(frozen=True, slots=True)
class Device:
    """A device that has signed a call.

    Attributes:
        id: SHA-256 of its key, in hex.
    """

    id: str


def signed_text(path: str, time: str, nonce: str, token: str, body: bytes) -> bytes:
    """What a device signs."""
    return f"POST\n{path}\n{time}\n{nonce}\n{token}\n".encode() + body


class DeviceCheck:
    """Checks the signatures of calls.

    Args:
        nonces: those that were used.
        clock: what the device's time is compared with.
    """

    def __init__(self, nonces: Nonces, clock: Clock) -> None:
        self._nonces, self._clock = nonces, clock

    async def __call__(self, path: str, headers: Headers, token: str, body: bytes) -> Device:
        """The device that has signed a call.

        Args:
            path: that was asked.
            headers: of the request.
            token: of the session, or "".
            body: as it came.

        Raises:
            CallError: 401 `device_signature`, `clock` or `replayed`.
        """
        time, nonce = headers.get("x-time", ""), headers.get("x-nonce", "")
        try:
            point, signature = decode(headers.get("x-device", ""), 65), decode(headers.get("x-signature", ""), 64)
            decode(nonce, 12)
        except ValueError:
            raise _unsigned() from None
        if not _TIME.fullmatch(time):
            raise _unsigned()
        now = to_ms(self._clock.now())
        # A process that has been started anew takes nothing of before: it would count a second time.
        if abs(now - int(time)) > CLOCK_MS or int(time) < self._nonces.since:
            raise CallError(401, "clock", _("The clock of this device is wrong."), now=now)
        _verify(point, signature, signed_text(path, time, nonce, token, body))
        device = Device(sha256(point).hexdigest())
        # After the signature: nobody uses up another's.
        if not await self._nonces.use(f"{device.id}:{nonce}", _NONCE_SECONDS):
            raise CallError(401, "replayed", _("This request was made before."))
        return device


def _verify(point: bytes, signature: bytes, text: bytes) -> None:
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    try:
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        key.verify(utils.encode_dss_signature(r, s), text, _ECDSA)
    except (InvalidSignature, ValueError):
        raise _unsigned() from None


def _unsigned() -> CallError:
    return CallError(401, "device_signature", _("This request was not signed by the device."))
