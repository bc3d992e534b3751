"""Data fee: what OP Stack networks and Scroll charge for a transaction's data on Ethereum, beside its gas: their own contract says it."""

from collections.abc import Mapping, Sequence
from typing import Final

from eth_abi.abi import encode

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import MalformedResponseError, RpcRequestError
from walletmodal.core.transfers.fees import charges_for_data
from walletmodal.services.chains.eip155.answers import read_data
from walletmodal.services.rpc.transport import RpcTransport

ORACLE: Final = "0x420000000000000000000000000000000000000F"
"""`GasPriceOracle` of the OP Stack."""
SCROLL_ORACLE: Final = "0x5300000000000000000000000000000000000002"
_SCROLLS: Final = frozenset({534351, 534352})

_GET_L1_FEE: Final = bytes.fromhex("49948e0e")
_EIP1559: Final = b"\x02"
_USUAL_NONCE: Final = 1_000
_USUAL_GAS: Final = 100_000
_USUAL_PRICE: Final = 10**9
MAX_FEE: Final = 2**96
"""More than any network charges; a contract that says more is not believed."""


async def data_fee(transport: RpcTransport, chain: ChainId, call: Mapping[str, str]) -> int | None:
    """The charge for a transaction if it went into the next block, in wei; 0 where there is none, None where it cannot be known.

    Args:
        transport: the way to the network's nodes.
        chain: the network.
        call: `to`, `value` and `data` of the transaction, hexadecimal; gas, fees and nonce change nothing that counts.

    Raises:
        TransportError: the node cannot be asked.
    """
    if not charges_for_data(chain):
        return 0
    asked = _GET_L1_FEE + encode(["bytes"], [unsigned(chain, call)])
    oracle = SCROLL_ORACLE if chain.number in _SCROLLS else ORACLE
    try:
        result = await transport.request("eth_call", [{"to": oracle, "data": f"0x{asked.hex()}"}, "latest"])
        answer = read_data(result, "eth_call", chain)
    except (RpcRequestError, MalformedResponseError):
        return None
    fee = int.from_bytes(answer, "big")
    return fee if len(answer) == 32 and fee <= MAX_FEE else None


def unsigned(chain: ChainId, call: Mapping[str, str]) -> bytes:
    """A transaction as it is charged for, EIP-1559's form: the contract adds the signature's share itself."""
    numbers = (chain.number, _USUAL_NONCE, _USUAL_PRICE, _USUAL_PRICE, _USUAL_GAS)
    texts = (bytes.fromhex(call["to"][2:]), _number(int(call["value"], 16)), bytes.fromhex(call["data"][2:]))
    return _EIP1559 + _list([*(_bytes(_number(one)) for one in numbers), *map(_bytes, texts), _list([])])


def _number(value: int) -> bytes:
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


def _bytes(content: bytes) -> bytes:
    """A text in RLP."""
    return content if len(content) == 1 and content[0] < 0x80 else _length(0x80, len(content)) + content


def _list(items: Sequence[bytes]) -> bytes:
    """A list in RLP, of items that are in it already."""
    content = b"".join(items)
    return _length(0xC0, len(content)) + content


def _length(kind: int, size: int) -> bytes:
    long = _number(size)
    return bytes([kind + size]) if size < 56 else bytes([kind + 55 + len(long)]) + long
