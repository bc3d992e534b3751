"""What a transaction takes out of the account that signs it, at most; and the amounts of the settings that it is measured by."""

import base64
import binascii
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

import rlp

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId, parse_account_id
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.decoding.decoded_call import decode_call
from walletmodal.core.decoding.solana_message import (
    COMPUTE_BUDGET,
    SolanaInstruction,
    read_transaction,
)
from walletmodal.core.errors import AddressError, AmountError, CaipError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.text.amounts import parse_units

Spending = dict[str, int]
"""Base units by asset: a coin by the CAIP-2 id of its network, a token by the CAIP-10 id of its contract or mint."""

SOLANA: Final = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
"""A transaction of Solana does not say for which network it is: all of them are measured as those of the main network."""

_TOKEN_CALLS: Final = {
    "transfer(address,uint256)": 2,
    "transferFrom(address,address,uint256)": 3,
    "approve(address,uint256)": 2,
    "increaseAllowance(address,uint256)": 2,
}
"""Functions of tokens whose one amount says all, with the number of their arguments."""
_SELECTOR, _WORD, _ADDRESS = 4, 32, 20
_DYNAMIC: Final = b"\x02"
_FIELDS: Final = 9
_SIGNATURE_FIELDS: Final = 3

_SYSTEM: Final = "11111111111111111111111111111111"
_TOKENS: Final = frozenset(
    {"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"}
)
_MEMOS: Final = frozenset(
    {"MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"}
)
_TRANSFER: Final = (2).to_bytes(4, "little")
_TRANSFER_CHECKED, _APPROVE_CHECKED = 12, 13
_CHECKED_SIZE, _MINT_AT = 10, 1
_SOLANA_SIGNATURE: Final = 64
_VERSIONED: Final = 0x80


def read_amounts(text: object) -> object:
    """Reads `eip155:1=0.5,eip155:1:0x…=100000000` as base units by asset: coins in whole coins, tokens in base units.

    Raises:
        ValueError: no such asset, one that is there twice, or no such amount.
    """
    if not isinstance(text, str):
        return text
    found: Spending = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, amount = (piece.strip() for piece in part.partition("="))
        known = bundled_networks().get(name)
        try:
            asset = name if known is not None else _token(name)
            units = parse_units(amount, known.native_currency.decimals if known is not None else 0)
        except (CaipError, AddressError) as error:
            raise ValueError(f"{name[:128]!r} is neither a network (CAIP-2) nor a token (CAIP-10)") from error
        except AmountError as error:
            kind = "coins, such as 0.5" if known is not None else "base units of the token, a whole number"
            raise ValueError(f"{amount[:64]!r} of {name[:128]} is no amount: {kind}") from error
        if asset in found:
            raise ValueError(f"{asset} has more than one amount")
        found[asset] = units
    return found


def _token(text: str) -> str:
    token = parse_account_id(text)
    return f"{token.chain}:{normal_address(token.namespace, token.address)}"


def write_amounts(amounts: Mapping[str, int]) -> str:
    """Amounts as the page is told them: base units by asset, with spaces between."""
    return " ".join(f"{asset}={amount}" for asset, amount in amounts.items())


def spending_of(chain: ChainId, payload: bytes) -> Spending | None:
    """What a transaction takes at most, its fee included; None where nobody can tell.

    Args:
        chain: says of which kind it is; what it is for, it says itself.
        payload: the bytes that are signed.
    """
    try:
        return _evm(payload) if chain.namespace == "eip155" else _solana(payload)
    except (PayloadError, ValueError, IndexError, RecursionError, rlp.DecodingError):
        return None


def total(found: Iterable[Spending]) -> Spending:
    """All together."""
    sums: Counter[str] = Counter()
    for one in found:
        sums.update(one)
    return dict(sums)


def payload_of(chain: ChainId, params: object) -> bytes | None:
    """The bytes that were signed of a transaction on its way to a node; None where it is none, or in a form that pages do not use.

    Args:
        chain: of which kind it is.
        params: of `eth_sendRawTransaction` or `sendTransaction`.
    """
    given = params[0] if isinstance(params, list) and params else None
    if not isinstance(given, str):
        return None
    try:
        if chain.namespace == "eip155":
            return _unsigned(bytes.fromhex(given.removeprefix("0x")))
        return _message(base64.b64decode(given, validate=True))
    except (ValueError, IndexError, RecursionError, binascii.Error, rlp.DecodingError, rlp.EncodingError):
        return None


def _evm(payload: bytes) -> Spending:
    dynamic = payload[:1] == _DYNAMIC
    fields = rlp.decode(payload[1:] if dynamic else payload)
    if not isinstance(fields, list) or len(fields) != _FIELDS:
        raise ValueError("no transaction")
    chain_id, price, gas, to, value, data = _dynamic(fields) if dynamic else _legacy(fields)
    if len(to) != _ADDRESS:
        raise ValueError("no receiver")
    chain = f"eip155:{_number(chain_id)}"
    spending = {chain: _number(value) + _number(price) * _number(gas)}
    if not data:
        return spending
    call = decode_call(data)
    if len(data) != _SELECTOR + _WORD * _TOKEN_CALLS.get(call.signature, -1) or call.amount is None:
        raise ValueError("no call whose amount says all")
    return {**spending, f"{chain}:{normal_address('eip155', '0x' + to.hex())}": call.amount}


def _dynamic(fields: list[Any]) -> tuple[bytes, ...]:
    chain_id, _nonce, _tip, price, gas, to, value, data, _accesses = fields
    return chain_id, price, gas, to, value, data


def _legacy(fields: list[Any]) -> tuple[bytes, ...]:
    _nonce, price, gas, to, value, data, chain_id, *_open = fields
    return chain_id, price, gas, to, value, data


def _number(field: object) -> int:
    if not isinstance(field, bytes) or len(field) > _WORD:
        raise ValueError("no number")
    return int.from_bytes(field, "big")


def _unsigned(sent: bytes) -> bytes:
    if sent[:1] == _DYNAMIC:
        return _DYNAMIC + bytes(rlp.encode(rlp.decode(sent[1:])[:-_SIGNATURE_FIELDS]))
    *fields, v, _r, _s = rlp.decode(sent)
    # EIP-155: v is twice the chain id, and 35 or 36.
    chain_id = (_number(v) - 35) // 2
    if chain_id <= 0:
        raise ValueError("for any network")
    return bytes(rlp.encode([*fields, chain_id, b"", b""]))


def _solana(payload: bytes) -> Spending:
    signers = payload[1 if payload[:1] >= bytes([_VERSIONED]) else 0]
    transaction = bytes([signers]) + bytes(_SOLANA_SIGNATURE * signers) + payload
    message = read_transaction(base64.b64encode(transaction).decode())
    return total([{SOLANA: message.fee}, *(_instruction(one) for one in message.calls)])


def _instruction(call: SolanaInstruction) -> Spending:
    program, data = call.program, call.data
    if program == COMPUTE_BUDGET or program in _MEMOS:
        return {}
    if program == _SYSTEM and data[:4] == _TRANSFER and len(data) == 12:
        return {SOLANA: int.from_bytes(data[4:], "little")}
    checked = data[:1] in (bytes([_TRANSFER_CHECKED]), bytes([_APPROVE_CHECKED])) and len(data) == _CHECKED_SIZE
    mint = call.accounts[_MINT_AT] if len(call.accounts) > _MINT_AT else None
    if program in _TOKENS and checked and mint is not None:
        return {f"{SOLANA}:{mint}": int.from_bytes(data[1:9], "little")}
    raise ValueError("no instruction whose amount says all")


def _message(sent: bytes) -> bytes:
    signers = sent[0]
    if signers >= _VERSIONED:
        raise ValueError("more signatures than a transaction holds")
    return sent[1 + _SOLANA_SIGNATURE * signers :]
