"""The sandbox's own control: faults, request log, faucet, prices, mails, clock, reset. For tests; loopback only."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal
from typing import Annotated, TypeVar

import httpx
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from walletmodal.sandbox.access import Access, LoopbackOnly
from walletmodal.sandbox.answers import BodyTooLargeError, json_answer, parse_json, read_body, refusal
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.clock import SandboxClock
from walletmodal.sandbox.errors import NodeFailedError
from walletmodal.sandbox.faucet import Faucet, FaucetRequest, WishRefusedError
from walletmodal.sandbox.faults import SERVICES, Fault, FaultBook
from walletmodal.sandbox.gateway import malformed
from walletmodal.sandbox.journal import Journal
from walletmodal.sandbox.mailbox import Mailbox
from walletmodal.sandbox.price_board import Coin, PriceBoard
from walletmodal.sandbox.solana.node import SolanaNode

MAX_CONTROL_BODY = 262_144
MAX_NODE_BODY = 64 * 1024 * 1024
"""Bytes of a call of a node: a chain's whole state is one."""

MAX_SECONDS = 366 * 86_400

Model = TypeVar("Model", bound=BaseModel)


class PriceRequest(BaseModel):
    """A price that stays.

    Attributes:
        symbol: of the coin; ETH is the price of WETH too, on every chain.
        dollars: what a whole one is worth, decimal string.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    symbol: Coin
    dollars: Annotated[str, Field(pattern=r"^[0-9]{1,12}(\.[0-9]{1,18})?$")]


class MotionRequest(BaseModel):
    """Whether prices move from now on; those that are fixed stay."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    moving: bool


class ClockRequest(BaseModel):
    """By how many seconds the clock of the sandbox, and of its chains, is moved forward."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    # JSON knows one kind of number: 60.0 is a whole one.
    seconds: Annotated[
        int,
        Field(ge=1, le=MAX_SECONDS),
        BeforeValidator(lambda given: int(given) if isinstance(given, float) and given.is_integer() else given),
    ]


def control(
    nodes: Mapping[str, AnvilNode],
    *,
    faults: FaultBook,
    journal: Journal,
    board: PriceBoard,
    clock: SandboxClock,
    mailbox: Mailbox,
    access: Access,
    solana: SolanaNode | None = None,
    on_reset: Callable[[], Awaitable[None]] | None = None,
) -> ASGIApp:
    """The routes below `/sandbox`.

    Args:
        nodes: the EVM chains, by CAIP-2 id.
        faults: the faults that stand.
        journal: the log of requests.
        board: the prices.
        clock: the time.
        mailbox: the mails that came.
        access: who may use them.
        solana: the Solana chain.
        on_reset: called when everything begins anew.
    """
    routes = _Control(
        nodes,
        faults=faults,
        journal=journal,
        board=board,
        clock=clock,
        mailbox=mailbox,
        solana=solana,
        on_reset=on_reset,
    )
    return LoopbackOnly(
        Starlette(
            routes=[
                Route("/faults", routes.add_fault, methods=["POST"]),
                Route("/faults", routes.clear_faults, methods=["DELETE"]),
                Route("/requests", routes.list_requests, methods=["GET"]),
                Route("/faucet", routes.faucet, methods=["POST"]),
                Route("/prices", routes.list_prices, methods=["GET"]),
                Route("/prices", routes.fix_price, methods=["POST"]),
                Route("/prices", routes.release_prices, methods=["DELETE"]),
                Route("/prices/motion", routes.move_prices, methods=["POST"]),
                Route("/mails", routes.list_mails, methods=["GET"]),
                Route("/clock", routes.move_clock, methods=["POST"]),
                Route("/clock", routes.restore_clock, methods=["DELETE"]),
                Route("/nodes/{chain}", routes.ask_node, methods=["POST"]),
                Route("/reset", routes.reset, methods=["POST"]),
            ]
        ),
        access,
    )


class _Control:
    def __init__(
        self,
        nodes: Mapping[str, AnvilNode],
        *,
        faults: FaultBook,
        journal: Journal,
        board: PriceBoard,
        clock: SandboxClock,
        mailbox: Mailbox,
        solana: SolanaNode | None,
        on_reset: Callable[[], Awaitable[None]] | None,
    ) -> None:
        self._nodes = nodes
        self._faults = faults
        self._journal = journal
        self._board = board
        self._clock = clock
        self._mailbox = mailbox
        self._on_reset = on_reset
        self._solana = solana
        self._faucet = Faucet(nodes, solana)
        self._chains = [*nodes, *([solana.caip2] if solana is not None else [])]

    async def add_fault(self, request: Request) -> Response:
        fault = await _validated(Fault, request)
        if isinstance(fault, Response):
            return fault
        try:
            self._faults.add(fault)
        except OverflowError as error:
            return refusal(409, "service", str(error))
        return json_answer(fault.model_dump(exclude_unset=True))

    async def clear_faults(self, _: Request) -> Response:
        return json_answer({"removed": self._faults.clear()})

    async def list_requests(self, request: Request) -> Response:
        service = request.query_params.get("service") or None
        if service is not None and service not in SERVICES:
            return refusal(400, "service", f"One of {', '.join(SERVICES)}")
        return json_answer(self._journal.newest_last(service))

    async def faucet(self, request: Request) -> Response:
        wish = await _validated(FaucetRequest, request)
        if isinstance(wish, Response):
            return wish
        try:
            given = await self._faucet.grant(wish)
        except WishRefusedError as error:
            return refusal(400, error.field, str(error))
        except OverflowError as error:
            return refusal(400, "amount", str(error))
        except NodeFailedError as error:
            return refusal(503, "chain", str(error))
        return json_answer({"chain": wish.chain, **given})

    async def list_prices(self, _: Request) -> Response:
        fixed = {symbol: f"{dollars:f}" for symbol, dollars in self._board.fixed.items()}
        return json_answer({"moving": self._board.moving, "fixed": fixed})

    async def fix_price(self, request: Request) -> Response:
        wish = await _validated(PriceRequest, request)
        if isinstance(wish, Response):
            return wish
        self._board.fix(wish.symbol, Decimal(wish.dollars))
        return await self.list_prices(request)

    async def move_prices(self, request: Request) -> Response:
        wish = await _validated(MotionRequest, request)
        if isinstance(wish, Response):
            return wish
        self._board.move(moving=wish.moving)
        return await self.list_prices(request)

    async def release_prices(self, request: Request) -> Response:
        self._board.reset()
        return await self.list_prices(request)

    async def list_mails(self, request: Request) -> Response:
        return json_answer(self._mailbox.newest_last(request.query_params.get("to") or None))

    async def move_clock(self, request: Request) -> Response:
        wish = await _validated(ClockRequest, request)
        if isinstance(wish, Response):
            return wish
        try:
            await asyncio.gather(*(node.advance(wish.seconds) for node in self._nodes.values()))
        except NodeFailedError as error:
            return refusal(503, "chain", str(error))
        self._clock.advance(wish.seconds)
        return self._time()

    async def restore_clock(self, _: Request) -> Response:
        self._clock.reset()
        return self._time()

    def _time(self) -> Response:
        return json_answer({"now": self._clock.now().isoformat(timespec="milliseconds"), "ahead": self._clock.ahead})

    async def ask_node(self, request: Request) -> Response:
        node = self._nodes.get(request.path_params["chain"])
        if node is None:
            return refusal(404, "chain", f"One of {', '.join(self._nodes)}")
        try:
            body = await read_body(request, MAX_NODE_BODY)
            asked = json.loads(body)
            for one in asked if isinstance(asked, list) else [asked]:
                if refused := malformed(one):
                    return refusal(400, "body", refused.message)
            answer = await node.relay(body)
        except BodyTooLargeError:
            return refusal(413, "body", f"A body has at most {MAX_NODE_BODY} bytes")
        except (ValueError, RecursionError) as error:
            return refusal(400, "body", f"The body must be JSON: {error}")
        except httpx.HTTPError:
            return refusal(503, "chain", f"The node of {node.caip2} does not answer")
        return Response(answer.content, answer.status_code, media_type="application/json")

    async def reset(self, _: Request) -> Response:
        self._faults.clear()
        try:
            await asyncio.gather(*(node.reset() for node in self._nodes.values()))
            if self._solana is not None:
                self._solana.reset()
        except NodeFailedError as error:
            return refusal(503, "chain", str(error))
        if self._on_reset is not None:
            await self._on_reset()
        self._journal.clear()
        return json_answer({"chains": self._chains})


async def _validated(model: type[Model], request: Request) -> Model | Response:
    try:
        return model.model_validate(parse_json(await read_body(request, MAX_CONTROL_BODY)))
    except BodyTooLargeError:
        return refusal(413, "body", f"A body has at most {MAX_CONTROL_BODY} bytes")
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or (
            first["type"] if first["type"] in ("address", "token", "amount") else "body"
        )
        return refusal(400, field, first["msg"].removeprefix("Value error, "))
    except ValueError as error:
        return refusal(400, "body", f"The body must be JSON: {error}")
