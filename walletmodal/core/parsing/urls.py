"""Checks of URLs and origins that come from settings, hosts and wallets."""

import ipaddress
import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

MAX_URL: Final = 2048
_HOST: Final = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){0,30}\.?")
_NUMERIC: Final = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]*")
_DEFAULT_PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443}


def _split(text: str) -> SplitResult | None:
    """The parts of an absolute URL, or None for anything that browsers and servers could read differently."""
    if len(text) > MAX_URL or any(c <= " " or c in '\\"<>`\x7f' or "\ud800" <= c <= "\udfff" for c in text):
        return None
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    if (
        not parts.hostname
        or _ascii_host(parts.hostname) is None
        or parts.username is not None
        or parts.password is not None
        or port == 0
    ):
        return None
    return parts


def _ascii_host(host: str) -> str | None:
    """The host as it goes into a header: a name (IDNA), an IPv4 or an IPv6 address; None for anything else."""
    try:
        name = host if host.isascii() else host.encode("idna").decode("ascii")
        if ":" in name and "%" not in name:
            return str(ipaddress.IPv6Address(name))
        if _NUMERIC.fullmatch(name.removesuffix(".").rpartition(".")[2]):
            # Browsers read every such name as an address: 127.1, 0x7f.1 and 2130706433 are 127.0.0.1 to them (WHATWG URL).
            return str(ipaddress.IPv4Address(name))
    except ValueError:
        return None
    return name if _HOST.fullmatch(name) else None


def is_loopback_host(host: str) -> bool:
    """Whether the name can only mean this machine: localhost, *.localhost (RFC 6761), 127.0.0.0/8, ::1."""
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_web_url(text: str) -> bool:
    """An absolute http or https URL without credentials, at most 2048 characters."""
    parts = _split(text)
    return parts is not None and parts.scheme in ("http", "https")


def is_secure_url(text: str, *, schemes: tuple[str, str] = ("https", "http")) -> bool:
    """An absolute URL of the first scheme, or of the second when its host is loopback.

    Args:
        text: the URL.
        schemes: the secure scheme and its plain twin, `("wss", "ws")` for sockets.
    """
    parts = _split(text)
    if parts is None or parts.hostname is None:
        return False
    return parts.scheme == schemes[0] or (parts.scheme == schemes[1] and is_loopback_host(parts.hostname))


def normal_origin(text: str) -> str | None:
    """The origin exactly as a browser serialises it (RFC 6454 §6.2), or None when the text is not just an origin.

    `HTTPS://App.Example:443/` gives `https://app.example`; a path, query, wildcard or credentials give None.
    """
    parts = _split(text)
    if parts is None or parts.hostname is None or parts.scheme not in ("http", "https"):
        return None
    if parts.path not in ("", "/") or parts.query or parts.fragment or "?" in text or "#" in text or "*" in text:
        return None
    host = _ascii_host(parts.hostname)
    if host is None:
        return None
    shown = f"[{host}]" if ":" in host else host
    port = "" if parts.port is None or parts.port == _DEFAULT_PORTS[parts.scheme] else f":{parts.port}"
    return f"{parts.scheme}://{shown}{port}"
