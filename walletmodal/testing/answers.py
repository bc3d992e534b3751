"""What the fake modal answers over HTTP: its published keys, and whether a session counts."""

import hmac
import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from walletmodal.core.sign_in.token_claims import KEYS_PATH, KeyDocument

SESSIONS_PATH = "/v1/sessions/"


class AnsweringServer:
    """A server on a free port of loopback, in a thread of its own.

    Args:
        keys: the document of published keys, as it is now.
        session: what the host API tells of a session (docs/sign-in.md), or None.
        end_session: ends one; whether there was one.
        api_key: what the host API asks for.

    Attributes:
        url: its origin.
        away: whether every question is answered with 503.
        asked: `"GET /path"` of each question, the oldest first.
    """

    def __init__(
        self,
        *,
        keys: Callable[[], KeyDocument],
        session: Callable[[str], dict[str, str] | None],
        end_session: Callable[[str], bool],
        api_key: str,
    ) -> None:
        self.away = False
        self.asked: list[str] = []
        self._keys, self._session, self._end_session, self._api_key = keys, session, end_session, api_key
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, name="fake modal", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, method: str, target: str, authorization: str) -> tuple[int, object]:
        """Status and JSON of the answer to a question; None for no body."""
        self.asked.append(f"{method} {target}")
        path = urlsplit(target).path
        if self.away:
            return 503, _problem("the fake modal was told to be away")
        if method == "GET" and path == KEYS_PATH:
            return 200, self._keys()
        if not path.startswith(SESSIONS_PATH):
            return 404, _problem("not found")
        if not hmac.compare_digest(authorization.encode(), f"Bearer {self._api_key}".encode()):
            return 401, _problem("the API key is missing or wrong")
        session_id = unquote(path.removeprefix(SESSIONS_PATH))
        if method == "DELETE":
            return (204, None) if self._end_session(session_id) else (404, _problem("no such session"))
        found = self._session(session_id)
        return (200, found) if found is not None else (404, _problem("no such session"))


def _problem(message: str) -> dict[str, dict[str, str]]:
    return {"error": {"message": message}}


def _handler(server: AnsweringServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer("GET")

        def do_DELETE(self) -> None:
            self._answer("DELETE")

        def _answer(self, method: str) -> None:
            status, value = server.answer(method, self.path, self.headers.get("Authorization", ""))
            body = b"" if value is None else json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            if status == 401:
                self.send_header("WWW-Authenticate", "Bearer")
            if status != 204:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: object) -> None:
            """The host's tests are asked, not told."""

    return Handler
