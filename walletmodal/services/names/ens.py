"""ENS read over the nodes of the network that has it: addresses of names, and names of addresses (EIP-137, 181, 2304, ENSIP-10, 11).

Answers that a name keeps outside the chain (EIP-3668) are not fetched: the server asks nobody whom its settings do not name.
"""

import asyncio
from typing import Final

from eth_abi.abi import decode, encode
from eth_abi.exceptions import DecodingError
from eth_utils.crypto import keccak

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId, name_coin_chain
from walletmodal.core.constants import NAME_COIN_TYPE_BASE
from walletmodal.core.errors import MalformedResponseError, RpcRequestError, TransportError
from walletmodal.core.errors.receivers import NameLookupError
from walletmodal.services.chains.adapter import TransportOf
from walletmodal.services.chains.eip155.answers import is_revert, read_data
from walletmodal.services.rpc.transport import RpcTransport

ENS_CHAIN: Final = ChainId("eip155", "1")
ENS_REGISTRY: Final = "0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e"
MAX_LABELS: Final = 16
MAX_LABEL_BYTES: Final = 255

_RESOLVER: Final = "0178b8bf"
_ADDR: Final = "3b3b57de"
_COIN_ADDR: Final = "f1cb7e06"
_NAME: Final = "691f3431"
_SUPPORTS: Final = "01ffc9a7"
_RESOLVE: Final = "9061b923"
_OFFCHAIN: Final = "0x556f1830"
_EVM_BYTES: Final = 20
_ETHEREUM: Final = 1


class EnsNames:
    """The names of ENS.

    Args:
        transport: gives the way to a network's nodes.
    """

    def __init__(self, transport: TransportOf) -> None:
        self._transport_of = transport

    async def address(self, name: str, chain: ChainId) -> str | None:
        """Where a name leads on an EVM network: its address there, else that of Ethereum; None: nowhere.

        Args:
            name: in its normal form.
            chain: the network.

        Raises:
            NameLookupError: the node cannot be asked, or the name's answer is kept outside the chain.
        """
        labels = name.split(".")
        if len(labels) > MAX_LABELS or any(len(label.encode()) > MAX_LABEL_BYTES for label in labels):
            return None
        try:
            return await self._address(labels, chain)
        except TransportError as error:
            raise NameLookupError(error.details or error.short_message) from error

    async def primary_name(self, address: str) -> str:
        """What an account calls itself on ENS, unchecked and not in its normal form; "" for nothing.

        Args:
            address: a checked address of an EVM network.

        Raises:
            NameLookupError: as `address`.
        """
        labels = [address[2:].lower(), "addr", "reverse"]
        try:
            resolver, exact = await self._resolver(labels)
            if resolver is None or not exact:
                return ""
            answer = await self._call(resolver, _NAME + namehash(labels).hex())
        except TransportError as error:
            raise NameLookupError(error.details or error.short_message) from error
        return _text(answer)

    async def _address(self, labels: list[str], chain: ChainId) -> str | None:
        resolver, exact = await self._resolver(labels)
        if resolver is None:
            return None
        node = namehash(labels)
        asked = [_ADDR + node.hex()]
        if chain.number != _ETHEREUM:
            coin_type = NAME_COIN_TYPE_BASE | name_coin_chain(chain)
            asked.insert(0, _COIN_ADDR + encode(["bytes32", "uint256"], [node, coin_type]).hex())
        extended, *answers = await asyncio.gather(
            self._call(resolver, _SUPPORTS + _RESOLVE.ljust(64, "0")), *(self._call(resolver, data) for data in asked)
        )
        if _number(extended) == 1:
            wire = b"".join(bytes([len(label.encode())]) + label.encode() for label in labels) + b"\0"
            answers = [_bytes(one) for one in await self._resolve_wildcard(resolver, wire, asked)]
        elif not exact:
            return None
        read = zip(asked, answers, strict=True)
        return next(filter(None, (_address(answer, coin=data.startswith(_COIN_ADDR)) for data, answer in read)), None)

    async def _resolve_wildcard(self, resolver: str, wire: bytes, asked: list[str]) -> list[bytes]:
        """Asks a resolver that answers for whole families of names about one (ENSIP-10)."""
        questions = [_RESOLVE + encode(["bytes", "bytes"], [wire, bytes.fromhex(data)]).hex() for data in asked]
        return await asyncio.gather(*(self._call(resolver, question) for question in questions))

    async def _resolver(self, labels: list[str]) -> tuple[str | None, bool]:
        """Who answers for a name, and whether for that very name rather than for all below a parent."""
        nodes = [namehash(labels[start:]) for start in range(len(labels))]
        answers = await asyncio.gather(*(self._call(ENS_REGISTRY, _RESOLVER + node.hex()) for node in nodes))
        for start, answer in enumerate(answers):
            resolver = _address(answer, coin=False)
            if resolver is not None:
                return resolver, start == 0
        return None, False

    async def _call(self, contract: str, data: str) -> bytes:
        """What a contract answers; nothing where it refuses or is nonsense.

        Raises:
            NameLookupError: it asks to be asked elsewhere.
            TransportError: the node cannot be asked.
        """
        transport: RpcTransport = self._transport_of(ENS_CHAIN)
        try:
            answer = await transport.request("eth_call", [{"to": contract, "data": f"0x{data}"}, "latest"])
            return read_data(answer, "eth_call", ENS_CHAIN)
        except MalformedResponseError:
            return b""
        except RpcRequestError as error:
            if isinstance(error.data, str) and error.data.startswith(_OFFCHAIN):
                raise NameLookupError("the name is kept outside the chain") from error
            if is_revert(error):
                return b""
            raise


def namehash(labels: list[str]) -> bytes:
    """The node of a name (EIP-137), given by its labels in their normal form."""
    node = bytes(32)
    for label in reversed(labels):
        node = keccak(node + keccak(text=label))
    return node


def _address(answer: bytes, *, coin: bool) -> str | None:
    """The address in a resolver's answer: a word, or bytes where it was asked by coin type; None for none, or zero."""
    if coin:
        answer = _bytes(answer)
        raw = answer if len(answer) == _EVM_BYTES else b""
    else:
        raw = answer[12:32] if len(answer) >= 32 and not any(answer[:12]) else b""
    return normal_address("eip155", f"0x{raw.hex()}") if any(raw) else None


def _number(answer: bytes) -> int:
    return int.from_bytes(answer[:32], "big") if len(answer) >= 32 else 0


def _bytes(answer: bytes) -> bytes:
    try:
        (inner,) = decode(["bytes"], answer)
    except (DecodingError, OverflowError):
        return b""
    return bytes(inner)


def _text(answer: bytes) -> str:
    try:
        (text,) = decode(["string"], answer)
    except (DecodingError, OverflowError, UnicodeDecodeError):
        return ""
    return str(text)[:MAX_LABEL_BYTES]
