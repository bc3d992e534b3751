"""Client address of a request, for rate limits."""

import ipaddress
import re
from collections.abc import Sequence
from typing import Final

from starlette.requests import HTTPConnection

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_LOOPBACK: Final = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))
_HOST_BITS: Final = 64
_MOST_ENTRIES: Final = 20
# RFC 7239: `for=` with a token, or with a quoted text where there is a colon.
_FOR: Final = re.compile(r"(?:^|;)\s*for=(?:\"([^\"\\]*)\"|([^;\s\"]*))\s*(?=;|$)", re.IGNORECASE)


class ClientAddress:
    """Tells clients apart by the address that they come from.

    A proxy on this machine or in one of the trusted networks is believed, about the last address that is not a trusted proxy's. Of IPv6
    the first half counts: the other is one line's own to choose, anew for every request.

    Args:
        trusted: networks of proxies, besides loopback.
    """

    def __init__(self, trusted: Sequence[Network] = ()) -> None:
        self._trusted = (*_LOOPBACK, *trusted)

    def __call__(self, connection: HTTPConnection) -> str:
        """The client's address, or the network of its line; what is no address at all, as it is."""
        peer = connection.client.host if connection.client else ""
        found = _address(peer)
        if found is None:
            return peer
        if not self._is_trusted(found):
            return _line(found)
        headers = connection.headers
        told = [
            self._told(found, chain)
            for chain in (_chain(headers.getlist("x-forwarded-for")), _forwarded(headers.getlist("forwarded")))
            if chain
        ]
        # Where two headers say two things, one of them is not the proxy's: it passes on what a client wrote.
        return _line(told[0] if len(set(told)) == 1 else found)

    def _told(self, peer: Address, chain: Sequence[str]) -> Address:
        """The last that is no trusted proxy; where the chain breaks off, the one that told of it."""
        found = peer
        for entry in chain[: -_MOST_ENTRIES - 1 : -1]:
            if not self._is_trusted(found) or (before := _address(entry)) is None:
                break
            found = before
        return found

    def _is_trusted(self, address: Address) -> bool:
        return any(address.version == network.version and address in network for network in self._trusted)


def _chain(lines: Sequence[str]) -> list[str]:
    return [entry for line in lines for entry in line.split(",") if entry.strip()]


def _forwarded(lines: Sequence[str]) -> list[str]:
    found = (_FOR.search(entry) for entry in _chain(lines))
    return [(one[1] or one[2]) if one else "" for one in found]


def _address(text: str) -> Address | None:
    """The address in what a proxy writes; some write the port too."""
    text = text.strip()
    bare = text.partition("]")[0].removeprefix("[") if text.startswith("[") else text
    try:
        found = ipaddress.ip_address(bare.partition(":")[0] if bare.count(":") == 1 else bare)
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, ipaddress.IPv6Address) else found


def _line(address: Address) -> str:
    """What all addresses of one line have in common."""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(ipaddress.IPv6Network((int(address) >> _HOST_BITS << _HOST_BITS, 128 - _HOST_BITS)))
