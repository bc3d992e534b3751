"""A device of the embedded wallet: a P-256 key that signs calls of the secure site."""

import itertools
import time

from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from walletmodal.secure.calls.device import signed_text
from walletmodal.secure.encoding import encode


class Device:
    """A device with a key of its own; `session`: its token, "" before it has logged in."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self._id, self._nonces, self.session = encode(point), itertools.count(), ""

    def headers(self, path: str, body: bytes, *, now_ms: int | None = None) -> dict[str, str]:
        """Returns the headers of a signed call, with a nonce of its own.

        Args:
            path: of the call.
            body: of the call.
            now_ms: the server's time; the system's where there is none.
        """
        moment = str(round(time.time() * 1000) if now_ms is None else now_ms)
        nonce = encode(next(self._nonces).to_bytes(12, "big"))
        text = signed_text(path, moment, nonce, self.session, body)
        r, s = utils.decode_dss_signature(self._key.sign(text, ec.ECDSA(SHA256())))
        signature = encode(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        headers = {"x-device": self._id, "x-time": moment, "x-nonce": nonce, "x-signature": signature}
        return headers | ({"authorization": f"Bearer {self.session}"} if self.session else {})
