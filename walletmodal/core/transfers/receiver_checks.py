"""Checks of a receiver, without asking anybody."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

import base58

from walletmodal.core.chains.addresses import address_fault
from walletmodal.core.chains.caip import NAMESPACES, Namespace
from walletmodal.core.namespaces.registry import DESCRIPTORS

ReceiverWarning = Literal["lookalike", "contract", "burn", "namespace", "checksum", "confusable", "barred"]
RECEIVER_WARNINGS: Final[tuple[ReceiverWarning, ...]] = get_args(ReceiverWarning)
"""In the order in which they are shown; the test ids are `send-warning-{name}`."""

ReceiverCheck = Literal["name", "history", "contract"]
RECEIVER_CHECKS: Final[tuple[ReceiverCheck, ...]] = get_args(ReceiverCheck)
"""What is looked up about a receiver: where its name leads, whom the visitor has sent to before, whether it is a token."""

ALIKE: Final = 4
"""Characters at the beginning and at the end of an address by which people tell addresses apart, and by which they are deceived."""

_BECH32_LIKE: Final = re.compile(r"[a-z]{1,12}1[ac-hj-np-z02-9]{38,98}")
_BASE58: Final = re.compile(r"[1-9A-HJ-NP-Za-km-z]{25,48}")


@dataclass(frozen=True, slots=True)
class Receiver:
    """What is known of a receiver.

    Attributes:
        address: in its normal spelling (EIP-55); "" where nothing can be sent to what was typed: `Invalid Address`.
        name: as ENSIP-15 writes it, which is what is shown; "" where an address was typed.
        image: URL of the name's picture, unchecked: to be shown through our server only; or "".
        warnings: in the order of `RECEIVER_WARNINGS`. Those of what has no address are told with `Invalid Address`.
        first_time: nothing was sent there before, and it is not `own`; None where that could not be checked. No reason to stop anybody.
        own: an account of the visitor's own.
        resembles: with `lookalike`, the address that it looks like, else "".
        unchecked: what could not be checked, in the order of `RECEIVER_CHECKS`; to be told, for it is no good sign.
    """

    address: str = ""
    name: str = ""
    image: str = ""
    warnings: tuple[ReceiverWarning, ...] = ()
    first_time: bool | None = None
    own: bool = False
    resembles: str = ""
    unchecked: tuple[ReceiverCheck, ...] = ()

    @property
    def usable(self) -> bool:
        """Whether something can be sent there at all, warned or not."""
        return bool(self.address)


def in_order(warnings: Iterable[ReceiverWarning]) -> tuple[ReceiverWarning, ...]:
    """Each warning once, in the order in which they are shown."""
    found = set(warnings)
    return tuple(one for one in RECEIVER_WARNINGS if one in found)


def same_address(namespace: Namespace, one: str, other: str) -> bool:
    """Whether two spellings are one address; case tells addresses apart everywhere but on eip155."""
    return _comparable(namespace, one) == _comparable(namespace, other)


def resembles(namespace: Namespace, one: str, other: str) -> bool:
    """Whether two different addresses begin and end with the same four characters, as an eye in a hurry compares them: whatever their case."""
    first, second = _comparable(namespace, one).lower(), _comparable(namespace, other).lower()
    alike = first[:ALIKE] == second[:ALIKE] and first[-ALIKE:] == second[-ALIKE:]
    return alike and not same_address(namespace, one, other)


def resembled(namespace: Namespace, address: str, known: Iterable[str]) -> tuple[str, ...]:
    """Lists the known addresses that an address looks like without being them."""
    return tuple(dict.fromkeys(other for other in known if resembles(namespace, address, other)))


def is_burn_address(namespace: Namespace, address: str) -> bool:
    """Whether nobody has the key of an address, so that what is sent there is gone: known ones, and those of a form that nobody draws.

    Args:
        namespace: that of the address.
        address: a valid one.
    """
    return DESCRIPTORS[namespace].is_burn_address(address)


def is_foreign_address(namespace: Namespace, text: str) -> bool:
    """Whether a text is an address of another kind of chain.

    Those of our namespaces are known, and those of all chains that write a checksum as Bitcoin does (Tron, Litecoin, Cosmos…).
    """
    own = DESCRIPTORS[namespace].address_checksums
    others = [other for other in NAMESPACES if other != namespace]
    if any(address_fault(other, text) is None or DESCRIPTORS[other].claims_address(text) for other in others):
        return True
    if _BECH32_LIKE.fullmatch(text.lower()) and text in (text.lower(), text.upper()):
        return "bech32" not in own
    return bool(_BASE58.fullmatch(text)) and "base58" not in own and _has_checksum(text)


def looks_like_name(text: str) -> bool:
    """Whether a text is meant as a name rather than as an address: it has a dot within, and nothing that no name has."""
    inner = text.strip(".")
    return 3 <= len(text) <= 255 and "." in inner and not any(char.isspace() or char in "/\\:@?#" for char in text)


def lookalikes(namespace: Namespace, address: str, *, trusted: Sequence[str], met: Sequence[str]) -> tuple[str, ...]:
    """The addresses of the visitor's own past that an address could be taken for.

    Args:
        namespace: that of all of them.
        address: the receiver.
        trusted: the visitor's own accounts, and those that something was sent to.
        met: those that something worth the name was received from. Such a one is a reason to doubt a stranger, but none to doubt
            an address that the visitor has sent to before: anybody can make themselves met.
    """
    known = any(same_address(namespace, address, one) for one in trusted)
    return resembled(namespace, address, trusted if known else (*trusted, *met))


def _comparable(namespace: Namespace, address: str) -> str:
    return DESCRIPTORS[namespace].comparable_address(address)


def _has_checksum(text: str) -> bool:
    try:
        return len(base58.b58decode_check(text)) == 21
    except ValueError:
        return False
