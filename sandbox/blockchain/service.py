"""The service as a whole: its parts put together, its paths, and what happens to a request that fails."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

import httpx
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.sandbox.answers import json_answer, service_app
from walletmodal.sandbox.blockchain.balance import BalanceEndpoint
from walletmodal.sandbox.blockchain.chains import Chain, Chains
from walletmodal.sandbox.blockchain.convert import (
    ApprovalsEndpoint,
    GasEndpoint,
    QuotesEndpoint,
    SwapFinder,
    TokenListEndpoint,
    TransactionsEndpoint,
)
from walletmodal.sandbox.blockchain.failures import ServiceError, failure_answer
from walletmodal.sandbox.blockchain.fungible import PriceEndpoint
from walletmodal.sandbox.blockchain.history import ChainIndex, EntryWriter, HistoryEndpoint, NftBook
from walletmodal.sandbox.blockchain.identity import IdentityEndpoint
from walletmodal.sandbox.blockchain.metadata import own_metadata
from walletmodal.sandbox.blockchain.names import NamesEndpoint, NameStore
from walletmodal.sandbox.blockchain.onramp import OnrampEndpoint
from walletmodal.sandbox.blockchain.prices import Prices
from walletmodal.sandbox.blockchain.requests import check_project
from walletmodal.sandbox.blockchain.rpc import NodeClient, Post
from walletmodal.sandbox.blockchain.sessions import PreparedCallsEndpoint, SessionsEndpoint, SessionStore
from walletmodal.sandbox.blockchain.solana.balance import SolanaBalances
from walletmodal.sandbox.blockchain.solana.history import SolanaHistory
from walletmodal.sandbox.blockchain.solana.nfts import SolanaNfts
from walletmodal.sandbox.blockchain.solana.node import SolanaNode
from walletmodal.sandbox.blockchain.solana.tokens import SolanaTokens
from walletmodal.sandbox.blockchain.sources import SolanaSources, Sources
from walletmodal.sandbox.blockchain.tokens import TokenBook
from walletmodal.sandbox.evm.world import worlds
from walletmodal.sandbox.onramp.purchases import PurchaseStore
from walletmodal.sandbox.price_board import PriceBoard
from walletmodal.sandbox.solana.world import CHAIN as SOLANA_CHAIN

PATIENCE_SECONDS: Final = 9.5
"""How long a request may take; clients of the public services wait ten seconds."""

Handler = Callable[[Request], Awaitable[Response]]


class BlockchainService:
    """An ASGI application with the paths below `/v1`, but for the RPC gateway's.

    Args:
        nodes: by CAIP-2 id, what sends a JSON-RPC body to the chain's node; chains without a known world are left out.
        solana: the same for the Solana node; None when there is none.
        sandbox_url: where directory and pay page are, without a slash at the end.
        purchases: what was bought on the pay page.
        folder: where names and permissions are kept between runs; None keeps them in memory.
        clock: the time.
        board: how prices move; without one they stay where the chains have them.
        further: routes that stand beside these, such as the RPC gateway's.

    Attributes:
        sources: what it reads the chains with, for the explorer.
    """

    def __init__(
        self,
        nodes: Mapping[str, Post],
        solana: Post | None,
        sandbox_url: str,
        purchases: PurchaseStore,
        folder: Path | None = None,
        *,
        clock: Clock | None = None,
        board: PriceBoard | None = None,
        further: tuple[BaseRoute, ...] = (),
    ) -> None:
        clock, board = clock or SystemClock(), board or PriceBoard()
        known = {caip2: world for caip2, world in worlds().items() if caip2 in nodes}
        chains = Chains({caip2: Chain(world, NodeClient(caip2, nodes[caip2])) for caip2, world in known.items()})
        images = f"{sandbox_url}/directory/public/getTokenImage/"
        fetch = own_metadata(sandbox_url)
        self._tokens, self._nfts = TokenBook(images), NftBook(fetch)
        self._indexes = {chain.caip2: ChainIndex(chain, self._forgetter(chain)) for chain in chains}
        self._names = NameStore(folder / "names.sqlite3" if folder else None)
        self._sessions = SessionStore(folder / "sessions.sqlite3" if folder else None)
        prices = Prices(chains, self._tokens, board)
        finder = SwapFinder(chains, self._tokens, prices)
        node = SolanaNode(NodeClient(SOLANA_CHAIN, solana)) if solana else None
        spl = SolanaTokens(images, board)
        nfts = SolanaNfts(node, fetch) if node else None
        balances, past = (
            (SolanaBalances(node, spl, nfts), SolanaHistory(node, spl, nfts)) if node and nfts else (None, None)
        )
        history = HistoryEndpoint(
            chains=chains,
            indexes=self._indexes,
            writer=EntryWriter(self._tokens, self._nfts, prices),
            solana=past,
            purchases=purchases,
            clock=clock,
        )
        balance = BalanceEndpoint(
            chains=chains,
            indexes=self._indexes,
            tokens=self._tokens,
            prices=prices,
            board=board,
            solana=balances,
            clock=clock,
        )
        self.sources = Sources(
            chains=chains,
            indexes=self._indexes,
            tokens=self._tokens,
            nfts=self._nfts,
            solana=SolanaSources(node, NodeClient(SOLANA_CHAIN, solana), spl, nfts)
            if node and nfts and solana
            else None,
            clock=clock,
        )
        approvals = ApprovalsEndpoint(chains, self._tokens, finder)
        names = NamesEndpoint(chains, self._names, clock)
        onramp = OnrampEndpoint(chains, self._tokens, prices, sandbox_url)
        sessions = SessionsEndpoint(chains, self._sessions, clock)
        price = PriceEndpoint(chains, self._tokens, prices, spl if node else None)
        supported = {"http": [*chains.ids, *([SOLANA_CHAIN] if node else [])], "ws": []}
        self._app = service_app(
            [
                _get("/v1/supported-chains", _fixed(supported)),
                _get("/v1/identity/{address}", IdentityEndpoint(chains, self._nfts, clock).identity),
                _get("/v1/account/{account}/history", history.history),
                _get("/v1/account/{address}/balance", balance.balance),
                _get("/v1/convert/tokens", TokenListEndpoint(chains, self._tokens).list_tokens),
                _get("/v1/convert/quotes", QuotesEndpoint(finder).quotes),
                _get("/v1/convert/allowance", approvals.allowance),
                _get("/v1/convert/build-approve", approvals.build_approve),
                _get("/v1/convert/gas-price", GasEndpoint(chains, node).gas_price),
                _post("/v1/convert/build-transaction", TransactionsEndpoint(chains, finder, clock).build),
                _post("/v1/fungible/price", price.price),
                _get("/v1/profile/account/{name}", names.lookup),
                _get("/v1/profile/reverse/{address}", names.reverse),
                _get("/v1/profile/suggestions/{name}", names.suggest),
                _post("/v1/profile/account", names.register),
                _post("/v1/generators/onrampurl", onramp.url),
                _get("/v1/onramp/options", onramp.options),
                _post("/v1/onramp/quote", onramp.quote),
                Route("/v1/sessions/{address}", answered(sessions.list_or_create), methods=["GET", "POST"]),
                _post("/v1/sessions/{address}/activate", sessions.activate),
                _get("/v1/sessions/{address}/getcontext", sessions.context),
                _post("/v1/sessions/{address}/revoke", sessions.revoke),
                _post("/v1/wallet", PreparedCallsEndpoint(chains, sessions, clock).answer),
                *further,
            ]
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._app(scope, receive, send)

    def reset(self) -> None:
        """Forget names and permissions. What is known of the chains follows these by itself."""
        self._names.clear()
        self._sessions.clear()

    async def close(self) -> None:
        """End what goes on behind requests, and close the files."""
        for index in self._indexes.values():
            await index.close()
        self._names.close()
        self._sessions.close()

    def _forgetter(self, chain: Chain) -> Callable[[], None]:
        def forget() -> None:
            self._tokens.forget(chain.caip2)
            self._nfts.forget(chain.caip2)

        return forget


def answered(handler: Handler) -> Handler:
    """A handler whose refusals become answers, and that is never waited for without end."""

    async def answer(request: Request) -> Response:
        try:
            check_project(request.query_params.get("projectId"))
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await handler(request)
        except ServiceError as error:
            return failure_answer(error)
        except (TimeoutError, httpx.HTTPError):
            return failure_answer(ServiceError())

    return answer


def _get(path: str, handler: Handler) -> Route:
    return Route(path, answered(handler), methods=["GET"])


def _post(path: str, handler: Handler) -> Route:
    return Route(path, answered(handler), methods=["POST"])


def _fixed(content: object) -> Handler:
    async def answer(_: Request) -> Response:
        return json_answer(content, headers={"cache-control": "public, max-age=86400"})

    return answer
