"""The Solana node: HTTP on one port, its websocket on the next, as clients expect it."""

import socket
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path

import httpx
from solders.pubkey import Pubkey
from starlette.applications import Starlette
from starlette.datastructures import Headers as StarletteHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request as Handshake
from websockets.http11 import Response as Answer

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.sandbox.access import Access, LoopbackOnly
from walletmodal.sandbox.answers import CORS, BodyTooLargeError, json_answer, parse_json, read_body
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import LOOPBACK, listen
from walletmodal.sandbox.solana.beginning import ARTWORKS, SolanaFaucet, SolanaNft, describe_world, first_accounts
from walletmodal.sandbox.solana.failures import INVALID_REQUEST, SolanaRpcError
from walletmodal.sandbox.solana.journal import SolanaJournal
from walletmodal.sandbox.solana.ledger import Ledger
from walletmodal.sandbox.solana.rpc import SolanaRpc
from walletmodal.sandbox.solana.spl import token_account_of
from walletmodal.sandbox.solana.subscriptions import PARSE_ERROR, SolanaSubscriptions
from walletmodal.sandbox.solana.world import CHAIN, SolanaToken

_MAX_MESSAGE = 2**20


class SolanaNode:
    """Solana in this process.

    Args:
        port: of HTTP, on loopback; the websocket has the next one.
        say: told in one line what the person at the terminal should know.
        folder: where the journal is kept between runs; nothing is kept when None.
        artworks: URL below which the documents of the NFTs are.
        access: which pages may ask.
        clock: the time.

    Attributes:
        caip2: the chain's CAIP-2 id.
        url, websocket_url: where clients reach it.
    """

    caip2 = CHAIN

    def __init__(
        self,
        port: int,
        say: Callable[[str], None],
        folder: Path | None = None,
        *,
        artworks: str = ARTWORKS,
        access: Access | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.url = f"http://{LOOPBACK}:{port}"
        self.websocket_url = f"ws://{LOOPBACK}:{port + 1}"
        self._port = port
        self._access = replace(access or Access(), extensions=True)
        self._journal = SolanaJournal(folder / "solana.journal" if folder else None, describe_world(artworks), say)
        time = clock or SystemClock()
        self._ledger = Ledger(self._journal, first_accounts, lambda: time.now().timestamp())
        self._faucet = SolanaFaucet(self._ledger, artworks)
        self._rpc = SolanaRpc(self._ledger, self._faucet)
        self._subscriptions = SolanaSubscriptions(self._ledger, self._rpc)
        self._running = AsyncExitStack()
        # How many transactions the beginning has; unknown of a chain that goes on from its journal.
        self._first_count = -1

    async def start(self) -> None:
        """Start it; returns when both ports answer.

        Raises:
            PortTakenError: a port is in use.
            OSError: what was kept cannot be read.
        """
        try:
            sockets = self._listen(self._port)
            websocket_sockets = self._listen(self._port + 1)
            self._running.callback(self._journal.close)
            if not self._ledger.restore():
                self._fund()
            server = HttpServer(LoopbackOnly(self._app(), self._access), sockets)
            self._running.push_async_callback(server.stop)
            await server.start()
            for one in websocket_sockets:
                await self._running.enter_async_context(
                    serve(
                        self._subscriptions.serve,
                        sock=one,
                        process_request=self._admit,
                        max_size=_MAX_MESSAGE,
                        compression=None,
                        close_timeout=1,
                    )
                )
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """Stop it."""
        await self._running.aclose()

    async def relay(self, body: bytes) -> httpx.Response:
        """The answer to a JSON-RPC body, as one who asks over HTTP would get it."""
        answered = self._respond(body)
        return httpx.Response(answered.status_code, content=bytes(answered.body))

    def give(self, address: str, amount: int, token: SolanaToken | None = None) -> int:
        """Give SOL or tokens to an account.

        Args:
            address: base58.
            amount: base units; lamports when `token` is None.
            token: one of the world's.

        Returns:
            What the account has afterwards, in base units; of a token in all of its accounts.

        Raises:
            ValueError: it is no address.
            OverflowError: it is more than there can be.
            NodeFailedError: the transaction failed.
        """
        owner = Pubkey.from_string(address)
        self._faucet.give(owner, amount, token)
        return self.balance(address, token)

    def give_nft(self, address: str) -> SolanaNft:
        """Make an NFT for an account (base58). Raises ValueError: it is no address; NodeFailedError: the transaction failed."""
        return self._faucet.give_nft(Pubkey.from_string(address))

    def balance(self, address: str, token: SolanaToken | None = None) -> int:
        """What an account has, in base units; lamports when `token` is None. Raises ValueError: it is no address."""
        owner = Pubkey.from_string(address)
        if token is None:
            account = self._ledger.account(owner)
            return account.lamports if account is not None else 0
        program = self._ledger.account(Pubkey.from_string(token.mint))
        held = self._ledger.accounts(program.owner) if program is not None else []
        holdings = (token_account_of(account) for _, account in held)
        return sum(
            one.amount for one in holdings if one is not None and (one.owner, one.mint) == (str(owner), token.mint)
        )

    def reset(self) -> None:
        """Begin anew; nothing to do when nothing happened since."""
        if self._ledger.count != self._first_count:
            self._ledger.reset()
            self._fund()

    def _fund(self) -> None:
        self._faucet.fund_accounts()
        self._first_count = self._ledger.count

    def _admit(self, connection: ServerConnection, request: Handshake) -> Answer | None:
        headers = StarletteHeaders(raw=[(n.lower().encode(), v.encode()) for n, v in request.headers.raw_items()])
        refused = self._access.refused(headers, str(connection.remote_address[0]))
        return connection.respond(HTTPStatus.FORBIDDEN, f"{refused.description}\n") if refused is not None else None

    def _listen(self, port: int) -> list[socket.socket]:
        sockets = listen(port, "SOLANA_PORT (the websocket takes the port after it)")
        for one in sockets:
            self._running.callback(one.close)
        return sockets

    def _respond(self, body: bytes) -> Response:
        try:
            asked = parse_json(body)
        except ValueError:
            return json_answer(_refused(PARSE_ERROR, "Parse error"), 200, CORS)
        answer = self._rpc.answer(asked)
        return Response(status_code=204, headers=CORS) if answer is None else json_answer(answer, 200, CORS)

    def _app(self) -> Starlette:
        async def ask(request: Request) -> Response:
            if request.method == "OPTIONS":
                return Response(status_code=204, headers=CORS)
            try:
                return self._respond(await read_body(request))
            except BodyTooLargeError:
                return json_answer(_refused(INVALID_REQUEST, "Request body too large"), 413, CORS)

        async def health(_: Request) -> Response:
            return PlainTextResponse("ok", headers=CORS)

        return Starlette(
            routes=[Route("/", ask, methods=["POST", "OPTIONS"]), Route("/health", health, methods=["GET"])]
        )


def _refused(code: int, message: str) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": None, "error": SolanaRpcError(code, message).body}
