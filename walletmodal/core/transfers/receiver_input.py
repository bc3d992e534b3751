"""Cleaning of a pasted receiver: with spaces and invisible characters, as a payment URI, or as a CAIP-10 id."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, parse_qsl, unquote

from walletmodal.core.chains.addresses import address_fault
from walletmodal.core.chains.caip import NAMESPACES, ChainId, Namespace, parse_account_id
from walletmodal.core.errors import CaipError
from walletmodal.core.namespaces.registry import DESCRIPTORS

MAX_PASTED: Final = 1024

_URI_NAMESPACES: Final = {one.uri_scheme: namespace for namespace, one in DESCRIPTORS.items() if one.uri_scheme}
# ERC-3770: the names that wallets of one network put before an address.
_SHORT_NAMES: Final = {
    "eth": 1, "oeth": 10, "bnb": 56, "gno": 100, "matic": 137, "pol": 137, "mnt": 5000, "base": 8453, "arb1": 42161,
    "avax": 43114, "celo": 42220, "linea": 59144, "scr": 534352, "zksync": 324, "sep": 11155111,
}  # fmt: skip
_SHORT: Final = re.compile(r"([a-z][a-z0-9-]{1,19}):(0[xX][0-9a-fA-F]{40})")
_ETHEREUM_TARGET: Final = re.compile(r"(?:pay-)?([^@/?]+)(?:@(\d{1,18}))?(?:/([a-zA-Z]\w{0,63}))?")
_UNKNOWN_CHAIN: Final = ChainId("eip155", "0")
_WHOLE_CHAIN: Final = re.compile(r"[1-9]\d{0,17}")


@dataclass(frozen=True, slots=True)
class PastedReceiver:
    """What was meant.

    Attributes:
        text: an address or a name, unchecked; "" where nothing can be meant, such as a call of a contract.
        chain: the network that was named with it, or None; its number is 0 where a network was named that we do not know.
        namespace: the namespace that was named with it, or None.
    """

    text: str
    chain: ChainId | None = None
    namespace: Namespace | None = None


def clean_receiver(text: str) -> PastedReceiver:
    """What is left of a pasted text: the address or name, and the network that was named with it.

    `ethereum:` URIs (EIP-681) of plain payments and of token transfers name their receiver; those of other calls name none.
    Further: `solana:` and `bitcoin:` URIs, CAIP-10 ids, and addresses behind a network's short name (ERC-3770). A `bitcoin:` URI with
    a `req-` parameter names nobody: whoever does not understand the parameter must not pay (BIP-21).
    """
    bare = _trimmed(text[:MAX_PASTED])
    if ":" not in bare:
        return PastedReceiver(bare)
    try:
        account = parse_account_id(bare)
    except CaipError:
        pass
    else:
        return PastedReceiver(account.address, account.chain, account.chain.namespace)
    short = _SHORT.fullmatch(bare)
    if short is not None and short[1] not in _URI_NAMESPACES:
        known = _SHORT_NAMES.get(short[1])
        return PastedReceiver(short[2], _UNKNOWN_CHAIN if known is None else ChainId("eip155", str(known)), "eip155")
    scheme, _, rest = bare.partition(":")
    namespace = _URI_NAMESPACES.get(scheme.lower())
    if namespace is None:
        return PastedReceiver(bare)
    if namespace == "eip155":
        return _ethereum(rest)
    # A text of the greatest length was cut perhaps, and what is gone could require something too.
    refused = namespace == "bip122" and (len(text) >= MAX_PASTED or _requires_more(rest))
    return PastedReceiver("" if refused else _path(rest), None, namespace)


def _ethereum(rest: str) -> PastedReceiver:
    path, _, query = rest.removeprefix("//").partition("?")
    match = _ETHEREUM_TARGET.fullmatch(path)
    if match is None:
        return PastedReceiver("", None, "eip155")
    target, number, function = match.groups()
    if function is not None:
        # The target is the token's contract; whoever sends to that has lost the coins.
        receivers = parse_qs(query).get("address", [])
        target = receivers[0] if function == "transfer" and len(receivers) == 1 else ""
    chain = None
    if number is not None:
        chain = ChainId("eip155", number) if _WHOLE_CHAIN.fullmatch(number) else _UNKNOWN_CHAIN
    return PastedReceiver(_trimmed(unquote(target)), chain, "eip155")


def _requires_more(rest: str) -> bool:
    """Whether a BIP-21 URI has a parameter that has to be understood: none is, for the address is all that is read here."""
    query = rest.partition("?")[2]
    return any(key.strip().lower().startswith("req-") for key, _ in parse_qsl(query, keep_blank_values=True))


def _path(rest: str) -> str:
    return _trimmed(unquote(rest.removeprefix("//").partition("?")[0]))


def _trimmed(text: str) -> str:
    """Without what nobody types: white space and invisible characters around it; and within it, where an address is left then."""
    start, end = 0, len(text)
    while start < end and _is_nothing(text[start]):
        start += 1
    while end > start and _is_nothing(text[end - 1]):
        end -= 1
    inner = text[start:end]
    # A name keeps its inside: there an invisible character can join an emoji, or tell two names apart.
    joined = "".join(char for char in inner if not _is_nothing(char))
    return joined if joined != inner and _is_addressed(joined) else inner


def _is_addressed(text: str) -> bool:
    if any(address_fault(namespace, text) != "malformed" for namespace in NAMESPACES):
        return True
    return any(text.lower().startswith(f"{prefix}:") for prefix in (*_URI_NAMESPACES, *_SHORT_NAMES, "eip155"))


def _is_nothing(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Zs")
