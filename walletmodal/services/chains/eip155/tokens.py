"""ERC-20 contracts: balances, and what they say of themselves."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError

from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import NetworkError
from walletmodal.core.text.amounts import MAX_DECIMALS
from walletmodal.core.text.display_text import clean_text
from walletmodal.services.chains.adapter import Token
from walletmodal.services.chains.eip155.contract_call import call_contract
from walletmodal.services.rpc.transport import RpcTransport

MAX_TEXT: Final = 64
"""Characters that are kept of a contract's name or symbol."""

_BALANCE_OF: Final = "0x70a08231"
_DECIMALS: Final = "0x313ce567"
_NAME: Final = "0x06fdde03"
_SYMBOL: Final = "0x95d89b41"
_TOTAL_SUPPLY: Final = "0x18160ddd"
_INTERFACES: Final = tuple("0x01ffc9a7" + interface.ljust(64, "0") for interface in ("80ac58cd", "d9b67a26"))
"""Of ERC-721 and ERC-1155, asked for by ERC-165."""


class Erc20Tokens:
    """Reads the ERC-20 contracts of one network.

    Args:
        transport: the way to its nodes.
        chain: its id.
    """

    def __init__(self, transport: RpcTransport, chain: ChainId) -> None:
        self._transport, self._chain = transport, chain

    async def balances(self, owner: str, tokens: Sequence[Token]) -> Mapping[str, int]:
        """Balances by the token's address as given; a contract that refuses, or answers with no number, is left out.

        Args:
            owner: a checked address.
            tokens: contracts.

        Raises:
            TransportError: the node cannot be asked.
        """
        asked = [token.address for token in tokens if is_address("eip155", token.address)]
        data = _BALANCE_OF + owner[2:].lower().rjust(64, "0")
        answers = await asyncio.gather(*(self._call(address, data) for address in asked))
        read = zip(asked, answers, strict=True)
        return {address: int.from_bytes(answer[:32], "big") for address, answer in read if len(answer) >= 32}

    async def token(self, address: str) -> Token:
        """The token of a contract. Name and symbol may be `bytes32`, as of the oldest tokens, or "".

        Raises:
            AddressError: the address is none.
            NetworkError: no ERC-20 contract is there, or its decimals are no number that a token can have.
            TransportError: the node cannot be asked.
        """
        contract = normal_address("eip155", address)
        decimals, name, symbol = await asyncio.gather(
            *(self._call(contract, data) for data in (_DECIMALS, _NAME, _SYMBOL))
        )
        return Token(contract, _text(name), _text(symbol), self._exponent(decimals, contract))

    async def supply(self, address: str) -> int:
        """Returns a token's supply in base units.

        Raises:
            AddressError: the address is none.
            NetworkError: no ERC-20 contract is there, as where it is a collection, or it does not say.
            TransportError: the node cannot be asked.
        """
        contract = normal_address("eip155", address)
        decimals, supply = await asyncio.gather(*(self._call(contract, data) for data in (_DECIMALS, _TOTAL_SUPPLY)))
        self._exponent(decimals, contract)
        if len(supply) < 32:
            raise NetworkError("Unsupported token", details=f"{self._chain}:{contract} does not tell its supply")
        return int.from_bytes(supply[:32], "big")

    async def is_token(self, contract: str) -> bool:
        """Whether the contract at a checked address says of itself that it is a token or a collection. Raises TransportError."""
        decimals, supply, *interfaces = await asyncio.gather(
            *(self._call(contract, data) for data in (_DECIMALS, _TOTAL_SUPPLY, *_INTERFACES))
        )
        fungible = len(decimals) == 32 == len(supply) and int.from_bytes(decimals, "big") <= 255
        return fungible or any(len(answer) == 32 and int.from_bytes(answer, "big") == 1 for answer in interfaces)

    async def decimals(self, contract: str) -> int:
        """The decimals of the contract at a checked address. Raises as `token`."""
        return self._exponent(await self._call(contract, _DECIMALS), contract)

    def _exponent(self, answer: bytes, contract: str) -> int:
        exponent = int.from_bytes(answer[:32], "big")
        if len(answer) < 32 or exponent > MAX_DECIMALS:
            raise NetworkError("Unsupported token", details=f"{self._chain}:{contract} is no ERC-20 contract")
        return exponent

    async def _call(self, contract: str, data: str) -> bytes:
        return await call_contract(self._transport, self._chain, contract, data)


def _text(answer: bytes) -> str:
    if len(answer) == 32:
        text = answer.rstrip(b"\0").decode("utf-8", "replace")
    else:
        try:
            (text,) = decode(["string"], answer)
        except (DecodingError, OverflowError, UnicodeDecodeError):
            return ""
    return clean_text(text, limit=MAX_TEXT)
