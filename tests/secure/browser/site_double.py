"""The secure site as its contract has it, answered within the browser: device signatures are checked, halves are kept, no mail is sent."""

import base64
import json
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Request, Route

CODE = "123456"
RECOVERY_CODE = "12345678"

Answer = dict[str, Any]


def unb64(text: str) -> bytes:
    """Bytes of base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def b64(data: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def raw_point(key: ec.EllipticCurvePublicKey) -> bytes:
    """A P-256 point, uncompressed."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class RefusedError(Exception):
    """What a call is refused with."""

    def __init__(self, status: int, code: str, **more: Any) -> None:
        self.status, self.error = status, {"code": code, "message": f"Refused: {code}", **more}


class SiteDouble:
    """Everything that the page asks of its own origin, for one test.

    Attributes:
        calls: the paths that were called, in order.
        lost: paths whose next answer never arrives, though the call is carried out.
        clock: seconds that the server is ahead.
        held_until: until when transfers wait, on every device.
        node: answers to a chain's methods; an exception of this class is a node's refusal.
    """

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.bodies: list[Answer] = []
        self.lost: list[str] = []
        self.unsigned: list[str] = []
        self.clock = 0.0
        self.held_until: int | None = None
        self.node: dict[str, Callable[[list[Any]], Any] | Any] = {}
        self.rpc: list[tuple[str, list[Any]]] = []
        self.before: Callable[[str], None] = lambda _path: None
        self.escrow_key = ec.generate_private_key(ec.SECP256R1())
        self._nonces: set[str] = set()
        self._sessions: dict[str, tuple[str, str]] = {}
        self._attempts: dict[str, str] = {}
        self.wallets: dict[str, Answer] = {}
        self._grants: dict[str, str] = {}
        self._windows: set[str] = set()
        self._handovers: dict[str, tuple[str, str]] = {}

    def handle(self, route: Route) -> None:
        """Answer one call."""
        path = route.request.url.split("/", 3)[3]
        path = f"/{path}"
        self.calls.append(path)
        self.before(path)
        try:
            status, body = 200, self._answer(path, route.request)
        except RefusedError as refused:
            status, body = refused.status, {"error": refused.error}
        if path in self.lost:
            self.lost.remove(path)
            route.abort("connectionreset")
            return
        route.fulfill(status=status, content_type="application/json", body=json.dumps(body))

    def _answer(self, path: str, request: Request) -> Answer:
        device, session = self._caller(path, request)
        body = json.loads(request.post_data or "{}")
        self.bodies.append(body)
        handlers: Mapping[str, Callable[[Answer, str, str], Answer]] = {
            "/v1/login/email": self._email,
            "/v1/login/resend": lambda *_: self._sent(body["attempt"]),
            "/v1/login/escrow": lambda *_: {},
            "/v1/login/otp": self._otp,
            "/v1/me": lambda *_: {"user": self._user(session, device)},
            "/v1/wallet": self._wallet,
            "/v1/wallet/half": self._half,
            "/v1/wallet/device": self._new_device,
            "/v1/wallet/hold": lambda *_: {"heldUntil": self.held_until, "passkey": False},
            "/v1/recovery/ways": lambda *_: {"ways": ["code"], "escrow": True, "holdHours": 24},
            "/v1/recovery/start": lambda *_: {"sent": True, "retryAfter": 60},
            "/v1/recovery/finish": self._recover,
            "/v1/devices": self._devices,
            "/v1/handover/window": self._add_window,
            "/v1/handover/start": self._ask_window,
            "/v1/handover/finish": self._hand_over,
            "/v1/rpc": self._rpc,
            "/v1/logout": lambda *_: self._logout(request),
        }
        return handlers[path](body, session, device)

    def _caller(self, path: str, request: Request) -> tuple[str, str]:
        headers = request.headers
        device, stamp, nonce = headers["x-device"], headers["x-time"], headers["x-nonce"]
        token = headers.get("authorization", "").removeprefix("Bearer ")
        text = "\n".join(["POST", path, stamp, nonce, token, request.post_data or ""])
        signature = unb64(headers["x-signature"])
        half = len(signature) // 2
        der = encode_dss_signature(int.from_bytes(signature[:half]), int.from_bytes(signature[half:]))
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(device))
        try:
            point.verify(der, text.encode(), ec.ECDSA(hashes.SHA256()))
        except InvalidSignature as error:
            self.unsigned.append(path)
            raise RefusedError(401, "device_signature") from error
        now = (time.time() + self.clock) * 1000
        if abs(now - int(stamp)) > 60_000:
            raise RefusedError(401, "clock", now=now)
        if nonce in self._nonces or len(unb64(nonce)) != 12:
            raise RefusedError(401, "replayed")
        self._nonces.add(nonce)
        user, owner = self._sessions.get(token, ("", ""))
        if not path.startswith("/v1/login/") and path != "/v1/handover/finish" and owner != device:
            raise RefusedError(401, "session")
        return device, user

    def end_sessions(self) -> None:
        """End every session at the server."""
        self._sessions.clear()

    def _email(self, body: Answer, _session: str, _device: str) -> Answer:
        if "@" not in body["email"]:
            raise RefusedError(400, "invalid_email")
        attempt = f"attempt-{len(self._attempts)}"
        self._attempts[attempt] = body["email"]
        return self._sent(attempt)

    @staticmethod
    def _sent(attempt: str) -> Answer:
        return {"attempt": attempt, "action": "VERIFY_OTP", "words": "amber fjord", "retryAfter": 30}

    def _otp(self, body: Answer, _session: str, device: str) -> Answer:
        if body["otp"] != CODE:
            raise RefusedError(400, "invalid_code")
        email = self._attempts[body["attempt"]]
        token = f"session-{len(self._sessions)}"
        self._sessions[token] = (email, device)
        return {"session": token, "user": self._user(email, device)}

    def _user(self, user: str, device: str) -> Answer:
        wallet = self.wallets.get(user)
        return {
            "id": f"id-{user}",
            "email": user,
            "wallet": wallet and {"evm": wallet["evm"], "solana": wallet["solana"]},
            "device": bool(wallet and device in wallet["halves"]),
            "escrow": bool(wallet and wallet["escrow"]),
            "frozenUntil": None,
            "heldUntil": self.held_until,
        }

    def _wallet(self, body: Answer, user: str, device: str) -> Answer:
        if user in self.wallets:
            raise RefusedError(409, "wallet_exists", user=self._user(user, device))
        assert len(unb64(body["deviceHalf"])) == len(unb64(body["recoveryHalf"])) == 16
        self.wallets[user] = {**body, "halves": {device: body["deviceHalf"]}}
        return {"user": self._user(user, device)}

    def _half(self, _body: Answer, user: str, device: str) -> Answer:
        if device not in self.wallets[user]["halves"]:
            raise RefusedError(404, "device_unknown")
        return {"half": self.wallets[user]["halves"][device]}

    def _new_device(self, body: Answer, user: str, device: str) -> Answer:
        if self._grants.pop(body["grant"], None) != device:
            raise RefusedError(403, "grant")
        self.wallets[user]["halves"][device] = body["deviceHalf"]
        return {"user": self._user(user, device)}

    def _recover(self, body: Answer, user: str, device: str) -> Answer:
        if body["code"] != RECOVERY_CODE:
            raise RefusedError(400, "invalid_code")
        wallet = self.wallets[user]
        context = f"id-{user}".encode()
        half = self._open(unb64(wallet["escrow"]), b"walletmodal escrow 1", context)
        grant = f"grant-{len(self.calls)}"
        self._grants[grant] = device
        return {
            "recoveryHalf": b64(_seal(unb64(body["key"]), half, b"walletmodal recovery 1", context)),
            "serverHalf": wallet["recoveryHalf"],
            "grant": grant,
            "evm": wallet["evm"],
            "solana": wallet["solana"],
        }

    def _add_window(self, body: Answer, user: str, device: str) -> Answer:
        assert device in self.wallets[user]["halves"]
        halves = self.wallets[user]["halves"]
        halves[body["device"]] = body.get("deviceHalf") or halves[body["device"]]
        self._windows.add(body["device"])
        return {}

    def _devices(self, _body: Answer, user: str, _device: str) -> Answer:
        return {"devices": [{"id": sha256(unb64(one)).hexdigest()} for one in self.wallets[user]["halves"]]}

    def _ask_window(self, _body: Answer, user: str, device: str) -> Answer:
        token = f"handover-{len(self._handovers)}"
        self._handovers[token] = (user, device)
        return {"handover": token}

    def _hand_over(self, body: Answer, _session: str, window: str) -> Answer:
        user, device = self._handovers.pop(body["handover"])
        half = self.wallets[user]["halves"].get(window)
        if half is None or window not in self._windows:
            raise RefusedError(404, "device_unknown")
        grant = f"grant-{len(self.calls)}"
        self._grants[grant] = device
        return {"half": half, "grant": grant}

    def _open(self, box: bytes, purpose: bytes, context: bytes) -> bytes:
        ephemeral = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), box[:65])
        key = _derived(self.escrow_key.exchange(ec.ECDH(), ephemeral), box[:65], purpose)
        return AESGCM(key).decrypt(box[65:77], box[77:], context)

    def _rpc(self, body: Answer, _user: str, _device: str) -> Answer:
        self.rpc.append((body["method"], body["params"]))
        answer = self.node.get(body["method"])
        if callable(answer):
            answer = answer(body["params"])
        if answer is None:
            return {"rpcError": {"code": -32601, "message": "no such method"}}
        return {"result": answer}

    def _logout(self, request: Request) -> Answer:
        self._sessions.pop(request.headers["authorization"].removeprefix("Bearer "))
        return {}


def _derived(shared: bytes, salt: bytes, purpose: bytes) -> bytes:
    return HKDF(hashes.SHA256(), 32, salt, purpose).derive(shared)


def _seal(point: bytes, secret: bytes, purpose: bytes, context: bytes) -> bytes:
    own = ec.generate_private_key(ec.SECP256R1())
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    ephemeral, iv = raw_point(own.public_key()), b"\7" * 12
    key = _derived(own.exchange(ec.ECDH(), theirs), ephemeral, purpose)
    return ephemeral + iv + AESGCM(key).encrypt(iv, secret, context)
