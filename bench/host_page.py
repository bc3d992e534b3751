"""A host page of the bench on an origin of its own, in a thread."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from walletmodal.commands.processes import LOOPBACK

PAGES = Path(__file__).parent / "pages"
PRELOADS = ("none", "auto", "eager")
EVERYWHERE = "everywhere"
"""A page that offers every network of the deployment, its frame preloaded."""
_TWO_NETWORKS = '["eip155:1", "eip155:137"]'


def _page(modal: str, preload: str, networks: str = _TWO_NETWORKS) -> bytes:
    text = (PAGES / "host.html").read_text(encoding="utf-8")
    wallet = (PAGES / "wallet.js").read_text(encoding="utf-8")
    filled = {"__WALLET__": wallet, "__MODAL__": modal, "__PRELOAD__": preload, "__NETWORKS__": networks}
    for place, value in filled.items():
        text = text.replace(place, value)
    return text.encode()


@contextmanager
def host_pages(port: int, modal: str) -> Iterator[str]:
    """Serve `/none`, `/auto` and `/eager`, one page for each `preload`, and `/everywhere`; yields their origin.

    Args:
        port: of the pages.
        modal: the modal's origin.
    """
    pages = {f"/{preload}": _page(modal, preload) for preload in PRELOADS}
    pages[f"/{EVERYWHERE}"] = _page(modal, "eager", networks="[]")

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
