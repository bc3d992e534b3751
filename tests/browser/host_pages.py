"""Host pages of our own making, where the demo page would not do: hostile ones, slow ones, and hosts of other servers.

One small server; `http://localhost:PORT` is an origin that the deployment allows, `http://127.0.0.1:PORT` is one that it does not.
"""

import json
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit


class HostPages:
    """A server of pages that tests put there, in a thread of its own."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._pages: dict[str, str] = {}
        pages = self._pages

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                page = pages.get(urlsplit(self.path).path)
                body = (page or "").encode()
                self.send_response(200 if page is not None else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Requests of tests are no news."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, name="host pages", daemon=True)
        self._thread.start()

    @property
    def allowed(self) -> str:
        """The origin that the deployment allows."""
        return f"http://localhost:{self.port}"

    @property
    def other_site(self) -> str:
        """The same pages on an origin of another site, for the deployments that allow it."""
        return f"http://other.localhost:{self.port}"

    @property
    def refused(self) -> str:
        """The same pages on an origin that the deployment does not allow."""
        return f"http://127.0.0.1:{self.port}"

    def put(self, path: str, html: str) -> None:
        """Serve `html` at `path` (with its leading slash)."""
        self._pages[path] = html

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def embedding_page(modal_url: str, options: Mapping[str, Any] | None = None, body: str = "") -> str:
    """The smallest page that embeds the modal: one script tag, one instance on `window.modal`, one button."""
    chosen = json.dumps({"networks": ["eip155:1", "eip155:137"], **(options or {})}).replace("<", "\\u003c")
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host page</title>
<link rel="icon" href="data:,"><script src="{modal_url}/walletmodal.js"></script>
<script>window.modal = WalletModal.create({chosen});</script></head>
<body><h1>Host page</h1><wallet-modal-button></wallet-modal-button>{body}</body></html>"""


def framing_page(modal_url: str, script: str) -> str:
    """A page that frames the modal itself, without the loader, and runs `script` before the frame loads."""
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Hand-made host</title>
<link rel="icon" href="data:,"><script>
window.received = [];
addEventListener("message", (event) => received.push({{origin: event.origin, data: event.data, ports: event.ports.length}}));
{script}
</script></head><body><iframe title="modal" src="{modal_url}/" width="600" height="600"></iframe></body></html>"""
