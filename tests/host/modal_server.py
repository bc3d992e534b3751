"""A modal's server as a host's server meets it."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.host.test_tokens import ADDRESS, HEADER, KEY, NOW, PAGE, SESSION, signed
from tests.patience import PATIENCE
from walletmodal.core.clock import MovableClock
from walletmodal.host import Modal
from walletmodal.services.sign_in import SigningKey

API_KEY = "an-api-key-of-the-deployment"
FOUND = {"id": SESSION.id, "address": f"eip155:1:{ADDRESS}", "chainId": "eip155:1", "origin": PAGE}


class ModalServer:
    """Answers as docs/sign-in.md and the host API say, or as it is told."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, Any]] = {}
        self.asked: list[tuple[str, str | None]] = []
        self.ended: list[tuple[str, str | None]] = []
        self.free = threading.Event()
        self.free.set()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.publish(KEY)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def publish(self, *keys: SigningKey) -> None:
        self.answers["/.well-known/jwks.json"] = 200, {"keys": [key.public for key in keys]}

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append((self.path, self.headers.get("Authorization")))
                server.free.wait(PATIENCE)
                status, body = server.answers.get(self.path, (404, {}))
                raw = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(raw)))
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()
                self.wfile.write(raw)

            def do_DELETE(self) -> None:
                server.ended.append((self.path, self.headers.get("Authorization")))
                found = server.answers.pop(self.path, None)
                self.send_response(404 if found is None else 204)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_args: object) -> None:
                pass

        return Handler


def token(server: ModalServer, key: SigningKey = KEY, at: MovableClock | None = None, **claims: object) -> str:
    now = int((at.now() if at else NOW).timestamp())
    return signed({"iss": server.url, "iat": now, "exp": now + 60, **claims}, {**HEADER, "kid": key.kid}, key.private)


def counts(server: ModalServer) -> None:
    """The modal says that the session counts."""
    server.answers[f"/v1/sessions/{SESSION.id}"] = 200, FOUND


def revoked(server: ModalServer) -> None:
    """The modal knows no such session any more."""
    server.answers.pop(f"/v1/sessions/{SESSION.id}", None)


def host(server: ModalServer, clock: MovableClock, api_key: str | None = API_KEY) -> Modal:
    return Modal(server.url, PAGE, api_key=api_key, clock=clock)
