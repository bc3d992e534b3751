"""What a token calls itself: of the chains' known ones, and of any contract that a foreign client put there."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from walletmodal.sandbox.blockchain.abi import calldata, decoded_number, decoded_text, eth_call
from walletmodal.sandbox.blockchain.chains import NATIVE, NATIVE_DECIMALS, Chain
from walletmodal.sandbox.blockchain.rpc import Ask

MAX_DECIMALS: Final = 36
_REMEMBERED: Final = 4096


@dataclass(frozen=True, slots=True)
class TokenInfo:
    """One fungible token.

    Attributes:
        address: contract, lower case; `NATIVE` for the native coin.
        name, symbol: as the contract tells them, shortened.
        decimals: exponent between base units and whole ones.
        icon_url: its picture; None for a token that the sandbox does not know.
    """

    address: str
    name: str
    symbol: str
    decimals: int
    icon_url: str | None


class TokenBook:
    """The tokens of every chain; what a contract answered is remembered until `forget`.

    Args:
        images: URL of the directory's token pictures; the symbol is appended.
    """

    def __init__(self, images: str) -> None:
        self._images = images
        self._found: dict[tuple[str, str], TokenInfo | None] = {}

    def icon_url(self, symbol: str) -> str:
        """The picture of a known symbol."""
        return f"{self._images}{symbol}"

    def known(self, chain: Chain) -> list[TokenInfo]:
        """The native coin, then the chain's own tokens."""
        world = chain.world
        native = TokenInfo(
            NATIVE, world.native_name, world.native_symbol, NATIVE_DECIMALS, self.icon_url(world.native_symbol)
        )
        return [
            native,
            *(
                TokenInfo(one.address.lower(), one.name, one.symbol, one.decimals, self.icon_url(one.symbol))
                for one in world.tokens
            ),
        ]

    async def of(self, chain: Chain, addresses: Iterable[str]) -> dict[str, TokenInfo]:
        """The tokens at these addresses (lower case); contracts that are none are left out.

        Raises:
            NodeUnavailableError: the chain does not answer.
        """
        wanted = set(addresses)
        known = {one.address: one for one in self.known(chain)}
        unknown = sorted(address for address in wanted - known.keys() if (chain.caip2, address) not in self._found)
        if unknown:
            await self._ask(chain, unknown)
        found: dict[str, TokenInfo] = {}
        for address in wanted:
            info = known.get(address) or self._found.get((chain.caip2, address))
            if info is not None:
                found[address] = info
        return found

    def forget(self, caip2: str) -> None:
        """Forget what contracts of a chain answered; its addresses may hold others now."""
        self._found = {key: info for key, info in self._found.items() if key[0] != caip2}

    async def _ask(self, chain: Chain, addresses: list[str]) -> None:
        asks: list[Ask] = []
        for address in addresses:
            asks += [eth_call(address, calldata(f"{function}()")) for function in ("name", "symbol", "decimals")]
        answers = await chain.node.ask(asks)
        if len(self._found) + len(addresses) > _REMEMBERED:
            self._found.clear()
        for position, address in enumerate(addresses):
            name, symbol, decimals = answers[3 * position : 3 * position + 3]
            self._found[chain.caip2, address] = _info(address, name, symbol, decimals)


def _info(address: str, name: object, symbol: object, decimals: object) -> TokenInfo | None:
    exponent = decoded_number(decimals)
    if exponent is None or exponent > MAX_DECIMALS:
        return None
    short = decoded_text(symbol) or ""
    return TokenInfo(address, decoded_text(name) or short, short, exponent, None)
