"""A blockchain service in the bench's own process, which counts what it is asked."""

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from walletmodal.commands.processes import LOOPBACK


@dataclass
class Service:
    """A running service; `asked`: how often each path was, with its query."""

    url: str = ""
    asked: Counter[str] = field(default_factory=Counter)


@contextmanager
def blockchain_service(answer: Callable[[str], bytes], *, at_once: int) -> Iterator[Service]:
    """Serve for the length of the block.

    Args:
        answer: the JSON body for a path with its query.
        at_once: how many connections may wait.
    """
    service = Service()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Answer."""
            service.asked[self.path] += 1
            body = answer(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = at_once

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that has given up is no news."""
            if not isinstance(sys.exception(), ConnectionError):
                super().handle_error(request, client_address)

    server = Server((LOOPBACK, 0), Handler)
    service.url = f"http://{LOOPBACK}:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, name="blockchain service", daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
