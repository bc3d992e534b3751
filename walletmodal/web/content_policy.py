"""The content security policy of our documents (CSP level 3)."""

import base64
import hashlib
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit


class _InlineScripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[str] = []
        self._parts: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script" and not any(name == "src" for name, _ in attrs):
            self._parts = []

    def handle_data(self, data: str) -> None:
        if self._parts is not None:
            self._parts.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self._parts is not None:
            self.found.append("".join(self._parts))
            self._parts = None


def script_hashes(document: str) -> list[str]:
    """The CSP sources of the inline scripts of an HTML document, `'sha256-…'`, in order of appearance and each once."""
    parser = _InlineScripts()
    parser.feed(document.replace("\r\n", "\n").replace("\r", "\n"))
    parser.close()
    digests = (hashlib.sha256(script.encode()).digest() for script in parser.found)
    return list(dict.fromkeys(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests))


class BuiltScripts:
    """The inline scripts that the built documents carry, read again only when a new build has replaced them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._built_at: int | None = None
        self._hashes: tuple[str, ...] = ()

    def hashes(self) -> tuple[str, ...]:
        """Their CSP sources; none when nothing is built, as under the development server."""
        try:
            built_at = (self._folder / "index.html").stat().st_mtime_ns
        except OSError:
            return ()
        if built_at != self._built_at:
            documents = sorted(self._folder.rglob("*.html"))
            found = (script_hashes(document.read_text(encoding="utf-8")) for document in documents)
            self._hashes = tuple(dict.fromkeys(source for sources in found for source in sources))
            self._built_at = built_at
        return self._hashes


def origin_of(url: str | None) -> list[str]:
    """The source that allows a URL: its scheme, host and port, for what is asked of it has many paths."""
    if url is None:
        return []
    parts = urlsplit(url)
    return [f"{parts.scheme}://{parts.netloc}"]


def content_policy(
    *,
    scripts: Sequence[str],
    ancestors: Sequence[str],
    own_host: str | None,
    loopback_images: bool,
    relay_url: str | None = None,
    verify_url: str | None = None,
    secure_site_url: str | None = None,
) -> str:
    """The value of `Content-Security-Policy` for a document of ours.

    Args:
        scripts: sources of the inline scripts that may run, `'sha256-…'`.
        ancestors: origins of host pages that may frame us, besides our own.
        own_host: host and port as the browser asked for them; names our socket for browsers whose 'self' leaves sockets out.
        loopback_images: whether pictures may come from this machine, as the sandbox's do.
        relay_url: the relay that pairings go through, a websocket URL; None: none.
        verify_url: the host that attests a pairing's origin, shown in a hidden frame; None: none.
        secure_site_url: the page of the embedded wallet, shown in a frame; None: none.
    """
    sockets = [f"ws://{own_host}", f"wss://{own_host}"] if own_host else []
    local = ["http://localhost:*", "http://127.0.0.1:*"] if loopback_images else []
    directives: dict[str, Sequence[str]] = {
        "default-src": ["'none'"],
        "script-src": ["'self'", *scripts],
        # The document's colour scheme, and what the animation library writes to keep the place of a view that leaves.
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:", "https:", *local],
        "font-src": ["'self'"],
        "connect-src": ["'self'", *sockets, *origin_of(relay_url)],
        "frame-src": [*origin_of(verify_url), *origin_of(secure_site_url)] or ["'none'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": ["'self'", *ancestors],
    }
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in directives.items())
