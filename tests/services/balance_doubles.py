"""A blockchain service and a wallet in memory, for the tests of balances."""

from collections.abc import Sequence

from walletmodal.core.accounts.tokens import TokenBalance, parse_token_balance
from walletmodal.core.chains.caip import ChainId
from walletmodal.services.blockchain import Portfolio
from walletmodal.services.http import Caller


def balance(symbol: str, decimals: int = 18) -> TokenBalance:
    return parse_token_balance(
        {"name": symbol, "symbol": symbol, "quantity": {"decimals": str(decimals), "numeric": "1"}}
    )


class Service:
    """The blockchain service: knows `SERVED` unless it is told to fail, or told that it is not there."""

    def __init__(self) -> None:
        self.portfolio = Portfolio((balance("SERVED"), balance("POINTS", 0)))
        self.failure: Exception | None = None
        self.asked: list[tuple[str, str, Sequence[str] | None]] = []

    async def balance(
        self, caller: Caller, chain: ChainId, address: str, *, force_update: Sequence[str] | None = None
    ) -> Portfolio:
        assert caller.origin
        self.asked.append((str(chain), address, force_update))
        if self.failure is not None:
            raise self.failure
        return self.portfolio


class Wallet:
    """A wallet that answers by method; an exception among the answers is raised."""

    def __init__(self, **answers: object) -> None:
        self.answers = answers
        self.asked: list[tuple[str, list[object]]] = []

    async def __call__(self, method: str, params: list[object]) -> object:
        self.asked.append((method, params))
        answer = self.answers.get(method)
        if isinstance(answer, Exception):
            raise answer
        return answer
