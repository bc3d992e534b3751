"""The sandbox's web application; nothing but assembly."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from walletmodal.sandbox import analytics, blockchain, directory
from walletmodal.sandbox.access import LoopbackOnly
from walletmodal.sandbox.answers import CORS, json_answer, service_app
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.artworks import artwork_routes
from walletmodal.sandbox.bundler import OPENAPI as BUNDLER_OPENAPI
from walletmodal.sandbox.bundler import UserOperationServices
from walletmodal.sandbox.clock import SandboxClock
from walletmodal.sandbox.control import control
from walletmodal.sandbox.demo import demo_routes
from walletmodal.sandbox.explorer import explorer_pages
from walletmodal.sandbox.farcaster import FARCASTER_CHAIN, FarcasterService, farcaster_pages
from walletmodal.sandbox.faults import FaultBook, Service
from walletmodal.sandbox.gate import ServiceGate
from walletmodal.sandbox.gateway import rpc_gateway
from walletmodal.sandbox.journal import Journal
from walletmodal.sandbox.mailbox import Mailbox, mailbox_routes
from walletmodal.sandbox.onramp.crediting import credit_from_treasury
from walletmodal.sandbox.onramp.desk import PurchaseDesk
from walletmodal.sandbox.onramp.market import Market
from walletmodal.sandbox.onramp.purchases import PurchaseStore
from walletmodal.sandbox.onramp.service import pay_pages
from walletmodal.sandbox.openapi import document
from walletmodal.sandbox.openapi_parts import CONTROL_OPENAPI, RPC_OPENAPI
from walletmodal.sandbox.phone import phone_routes
from walletmodal.sandbox.price_board import PriceBoard
from walletmodal.sandbox.relay import RelayService
from walletmodal.sandbox.reset import ForgetsAfterReset
from walletmodal.sandbox.settings import SandboxSettings
from walletmodal.sandbox.social import SocialService
from walletmodal.sandbox.solana.node import SolanaNode
from walletmodal.sandbox.verify import OPENAPI as VERIFY_OPENAPI
from walletmodal.sandbox.verify import verify_service

OPENAPI_PARTS: Final = (
    directory.OPENAPI,
    blockchain.OPENAPI,
    analytics.OPENAPI,
    RPC_OPENAPI,
    BUNDLER_OPENAPI,
    VERIFY_OPENAPI,
    CONTROL_OPENAPI,
)


class SandboxApp:
    """Services, control, pay page, mailbox and demo page over running nodes: an ASGI application.

    Args:
        settings: where it listens, and where it keeps things.
        nodes: the EVM chains, by CAIP-2 id.
        solana: the Solana chain; None when there is none.
        clock: the time of the services; one of its own when not given.
        mailbox: the mails that came; an empty one when not given.
        on_reset: called when everything begins anew.
    """

    def __init__(
        self,
        settings: SandboxSettings,
        nodes: Mapping[str, AnvilNode],
        solana: SolanaNode | None = None,
        *,
        clock: SandboxClock | None = None,
        mailbox: Mailbox | None = None,
        on_reset: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._clock = clock or SandboxClock()
        self._mailbox = mailbox or Mailbox(self._clock)
        self._faults, self._journal = FaultBook(), Journal()
        url, folder = f"http://localhost:{settings.sandbox_port}", settings.state_folder
        self._board = PriceBoard(moving=settings.sandbox_prices == "moving")
        self._relay = RelayService(self._faults, self._journal)
        self._purchases = PurchaseStore(folder / "purchases.jsonl" if folder else None)
        gateway = rpc_gateway(nodes if solana is None else {**nodes, solana.caip2: solana})
        posts = {chain: node.relay for chain, node in nodes.items()}
        self._operations = UserOperationServices(posts, self._board, self._clock)
        # Clients of the public service reach gateway and bundler on the same host, at `/v1/`.
        self._blockchain = blockchain.BlockchainService(
            nodes=posts,
            solana=solana.relay if solana is not None else None,
            sandbox_url=url,
            purchases=self._purchases,
            folder=folder,
            board=self._board,
            clock=self._clock,
            further=(*gateway.routes, self._operations.public_route()),
        )
        self._social = SocialService(f"{url}/login", f"http://localhost:{settings.secure_port}", self._clock)
        self._farcaster = FarcasterService(url, nodes[FARCASTER_CHAIN], self._clock)
        market = Market(self._blockchain, tuple(nodes))
        desk = PurchaseDesk(market, credit_from_treasury(nodes), self._purchases)
        described = document(OPENAPI_PARTS, url)
        controls = control(
            nodes,
            faults=self._faults,
            journal=self._journal,
            board=self._board,
            clock=self._clock,
            mailbox=self._mailbox,
            access=settings.access,
            solana=solana,
            on_reset=on_reset,
        )

        async def openapi(_: Request) -> Response:
            return json_answer(described, headers=CORS)

        self._app = service_app(
            [
                self._service("directory", directory.directory_service(url)),
                self._service("blockchain", self._blockchain),
                self._service("analytics", analytics.analytics_service()),
                self._service("rpc", gateway),
                self._service("bundler", self._operations.bundler_service()),
                self._service("paymaster", self._operations.paymaster_service()),
                self._service("verify", verify_service()),
                self._service("login", self._social, cors=False),
                self._service("farcaster", self._farcaster, cors=False),
                *farcaster_pages(self._farcaster),
                Mount("/sandbox", ForgetsAfterReset(controls, self._forget)),
                Mount("/pay", LoopbackOnly(pay_pages(desk), settings.access)),
                Route("/explorer", _to_the_explorer, methods=["GET"]),
                Mount("/explorer", explorer_pages(self._blockchain.sources)),
                Route("/openapi.json", openapi, methods=["GET"]),
                *artwork_routes(url),
                *demo_routes(settings),
                *phone_routes(),
                *mailbox_routes(),
            ]
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or serve a websocket."""
        await (self._relay if scope["type"] == "websocket" else self._app)(scope, receive, send)

    async def close(self) -> None:
        """End what goes on behind requests, and close the files."""
        await self._blockchain.close()

    def secure_gate(self, site: ASGIApp) -> ASGIApp:
        """The secure site behind the log of requests and the faults; pages of other origins may not ask it."""
        return ServiceGate(site, "secure", self._faults, self._journal, cors=False)

    def _service(self, name: Service, app: ASGIApp, *, cors: bool = True) -> Mount:
        return Mount(f"/{name}", ServiceGate(app, name, self._faults, self._journal, cors=cors))

    def _forget(self) -> None:
        self._relay.reset()
        self._blockchain.reset()
        self._operations.reset()
        self._purchases.clear()
        self._board.reset()
        self._mailbox.clear()
        self._social.reset()
        self._farcaster.reset()
        self._clock.reset()


async def _to_the_explorer(_: Request) -> Response:
    return RedirectResponse("/explorer/", 308)
