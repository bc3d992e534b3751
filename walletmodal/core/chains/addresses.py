"""Addresses of all namespaces: which are valid, how they are shortened, the gradient that stands for one."""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.constants import ADDRESS_END, ADDRESS_START
from walletmodal.core.errors import AddressError
from walletmodal.core.namespaces.descriptor import AddressFault
from walletmodal.core.namespaces.registry import DESCRIPTORS

_MAX_ADDRESS: Final = 128

_NO_ADDRESS_COLORS: Final = ("#f5ccfc", "#dba4f5", "#9a8ee8", "#6493da", "#6ebdea")
_TINTS: Final = (0, 15, 30, 45, 60)
_HEX_SIX: Final = re.compile(r"[0-9a-fA-F]{6}")


def address_fault(namespace: Namespace, address: str) -> AddressFault | None:
    """Returns what is wrong with an address, or None.

    `malformed`: it cannot be an address of the namespace. `checksum`: it has the form of one, but its checksum
    does not fit, so a character was probably mistyped (EIP-55 for mixed case, Base58Check, bech32, SS58).
    """
    if len(address) > _MAX_ADDRESS or not address.isascii():
        return "malformed"
    return DESCRIPTORS[namespace].address_fault(address)


def is_address(namespace: Namespace, address: str) -> bool:
    """Whether the address is one of the namespace, checksum included."""
    return address_fault(namespace, address) is None


def normal_address(namespace: Namespace, address: str) -> str:
    """Normalizes an address to the spelling that we keep and compare: EIP-55 on eip155, as given elsewhere.

    Raises:
        AddressError: malformed, or the checksum does not fit.
    """
    fault = address_fault(namespace, address)
    if fault == "malformed":
        raise AddressError("Invalid address", details=f"not a {namespace} address")
    if fault == "checksum":
        raise AddressError("Invalid address checksum", details="a character is probably mistyped")
    return DESCRIPTORS[namespace].normal_address(address)


def is_native_token(namespace: Namespace, address: str) -> bool:
    """Whether an address stands for the native coin where a service wants a contract."""
    spec = DESCRIPTORS[namespace]
    return (address.lower() if spec.ignores_case else address) == spec.native_address


def truncate_text(text: str, start: int, end: int) -> str:
    """The first `start` and last `end` characters around three dots; unchanged when it fits in both.

    `end` 0 keeps the start alone (`abc...`), `start` 0 the end alone (`...xyz`).
    """
    if len(text) <= start + end:
        return text
    return f"{text[:start]}...{text[len(text) - end :]}"


def truncate(address: str) -> str:
    """Shortens an address for display: first 4 and last 6 characters. Never where money leaves."""
    return truncate_text(address, ADDRESS_START, ADDRESS_END)


@dataclass(frozen=True, slots=True)
class Avatar:
    """The drawing that stands for an account without a picture.

    Attributes:
        colors: five `rgb()` or hex colours, from the base colour to the palest; fixed ones without an address.
        background: a CSS `background` value.
    """

    colors: tuple[str, str, str, str, str]
    background: str


def avatar(address: str, *, radius_master: int = 4) -> Avatar:
    """The gradient of an address: its first six hexadecimal digits are the base colour, tinted towards white.

    An address that does not begin with six such digits (Solana, Bitcoin) takes them from its SHA-256, so that
    equal addresses look equal. An empty address gives the fixed lilac and blue gradient.

    Args:
        address: of any namespace, or "".
        radius_master: the theme's `--w3m-border-radius-master` in pixels; the gradient shrinks with it.
    """
    radius = max(0, 100 - 3 * radius_master)
    if not address:
        pink, lilac, violet, blue, sky = _NO_ADDRESS_COLORS
        return Avatar(_NO_ADDRESS_COLORS, _gradient(radius, (sky, blue, violet, lilac, pink)))
    digits = address[2:8] if address[:2].lower() == "0x" else address[:6]
    if not _HEX_SIX.fullmatch(digits):
        digits = sha256(address.encode("utf-8", "replace")).hexdigest()[:6]
    base = tuple(int(digits[i : i + 2], 16) for i in (0, 2, 4))
    t1, t2, t3, t4, t5 = (_tint(base, percent) for percent in _TINTS)
    return Avatar((t1, t2, t3, t4, t5), _gradient(radius, (t1, t2, t3, t4, t5)))


def _tint(base: tuple[int, ...], percent: int) -> str:
    red, green, blue = (channel + (255 - channel) * percent // 100 for channel in base)
    return f"rgb({red}, {green}, {blue})"


def _gradient(radius: int, tints: tuple[str, str, str, str, str]) -> str:
    t1, t2, t3, t4, t5 = tints
    return (
        f"radial-gradient({radius}% {radius}% at 65% 40%, #ffffff 0.52%, "
        f"{t5} 31.25%, {t3} 51.56%, {t2} 65.63%, {t1} 82.29%, {t4} 100%)"
    )
