"""Small pictures of each type, and a network that leads every address to one server on loopback and remembers where it was to lead."""

import ssl
from collections.abc import Iterable, Sequence
from pathlib import Path

import httpcore

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6\0\0\0"
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0"
GIF = b"GIF89a\1\0\1\0\0\0\0;"
WEBP = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0"
AVIF = b"\0\0\0\x20ftypavif\0\0\0\0avifmif1"
SVG = b'<?xml version="1.0"?>\n<!-- by us -->\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
TYPES = {
    "image/png": PNG,
    "image/jpeg": JPEG,
    "image/gif": GIF,
    "image/webp": WEBP,
    "image/avif": AVIF,
    "image/svg+xml": SVG,
}
HOST = "pictures.test"
CERTIFICATE = Path(__file__).parent / "tls" / "pictures.test.pem"
PUBLIC = "93.184.216.34"


def served_tls(names: list[str]) -> ssl.SSLContext:
    """What the server answers TLS with; the names that clients ask for are put into the list."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)

    def note(_socket: ssl.SSLObject, name: str | None, _context: ssl.SSLContext) -> None:
        names.append(name or "")

    context.sni_callback = note
    return context


def trusting_tls() -> ssl.SSLContext:
    """What a client checks the server with."""
    return ssl.create_default_context(cafile=str(CERTIFICATE))


class Rerouted(httpcore.AsyncNetworkBackend):
    """Opens each connection to one port of loopback."""

    def __init__(self, port: int) -> None:
        self.port, self.asked = port, list[tuple[str, int]]()
        self._sockets = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the interface of httpcore
        local_address: str | None = None,  # noqa: ARG002 - as above
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,  # noqa: ARG002 - as above
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the server instead."""
        self.asked.append((host, port))
        return await self._sockets.connect_tcp("127.0.0.1", self.port, timeout)


class Names:
    """A resolver: set `addresses` by name; each lookup is remembered."""

    def __init__(self, **addresses: Sequence[str]) -> None:
        self.addresses = dict(addresses)
        self.asked: list[str] = []

    async def __call__(self, host: str) -> Sequence[str]:
        """The addresses of a name."""
        self.asked.append(host)
        if host not in self.addresses:
            raise OSError("no such name")
        return self.addresses[host]
