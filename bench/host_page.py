"""A host page of the bench on an origin of its own, in a thread."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from scripts.processes import LOOPBACK

PAGES = Path(__file__).parent / "pages"
PRELOADS = ("none", "auto", "eager")


def _page(modal: str, preload: str) -> bytes:
    text = (PAGES / "host.html").read_text(encoding="utf-8")
    wallet = (PAGES / "wallet.js").read_text(encoding="utf-8")
    return text.replace("__WALLET__", wallet).replace("__MODAL__", modal).replace("__PRELOAD__", preload).encode()


@contextmanager
def host_pages(port: int, modal: str) -> Iterator[str]:
    """Serve `/none`, `/auto` and `/eager`, one page for each `preload`; yields their origin. `modal`: the modal's origin."""
    pages = {f"/{preload}": _page(modal, preload) for preload in PRELOADS}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Answer with the page."""
            body = pages.get(self.path)
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
            """Say nothing."""

    server = ThreadingHTTPServer((LOOPBACK, port), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="host pages", daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
