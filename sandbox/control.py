"""The sandbox's own control: faults, request log, faucet, reset. For tests; loopback only."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.answers import BodyTooLargeError, json_answer, parse_json, read_body, refusal
from sandbox.anvil import AnvilNode
from sandbox.errors import NodeFailedError
from sandbox.faucet import WishRefusedError, give_evm, give_solana
from sandbox.faults import SERVICES, Fault, FaultBook
from sandbox.journal import Journal
from sandbox.solana.node import SolanaNode

MAX_CONTROL_BODY = 262_144
Model = TypeVar("Model", bound=BaseModel)

_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


class FaucetRequest(BaseModel):
    """Coin or tokens for an account.

    Attributes:
        address: on EVM chains 20 bytes, hexadecimal, a mixed-case one with the right checksum (EIP-55); on Solana base58.
        chain: CAIP-2 id.
        token: CAIP-10 id of a token's contract or mint; the native coin when absent.
        amount: base units, decimal string.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    address: str
    chain: str
    token: str | None = None
    amount: Annotated[str, Field(pattern=r"^[1-9][0-9]{0,77}$")]

    @model_validator(mode="after")
    def _token_of_the_chain(self) -> Self:
        if self.token is not None and self.token.rpartition(":")[0] != self.chain:
            raise PydanticCustomError("token", "the token is none of the chain {chain}", {"chain": self.chain})
        return self


class LoopbackOnly:
    """ASGI middleware: only programs of this machine, and only pages that come from it.

    The listening socket is on loopback already; this also refuses pages of other sites in a browser
    on this machine, by their Origin and, against rebound names, by the Host that they talk to.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it with 403."""
        request = Request(scope, receive)
        client = request.client.host if request.client else ""
        origin = request.headers.get("origin")
        if client not in _LOOPBACK_NAMES:
            refused = refusal(403, "client", "The control answers this machine only")
        elif _host_name(f"//{request.headers.get('host', '')}") not in _LOOPBACK_NAMES:
            refused = refusal(403, "host", "The control answers as localhost or 127.0.0.1 only")
        elif origin is not None and _host_name(origin) not in _LOOPBACK_NAMES:
            refused = refusal(403, "origin", "The control answers pages of this machine only")
        else:
            await self._app(scope, receive, send)
            return
        await refused(scope, receive, send)


def control(
    nodes: Mapping[str, AnvilNode], faults: FaultBook, journal: Journal, solana: SolanaNode | None = None
) -> ASGIApp:
    """The routes below `/sandbox`.

    Args:
        nodes: the EVM chains, by CAIP-2 id.
        faults: the faults that stand.
        journal: the log of requests.
        solana: the Solana chain.
    """
    routes = _Control(nodes, faults, journal, solana)
    return LoopbackOnly(
        Starlette(
            routes=[
                Route("/faults", routes.add_fault, methods=["POST"]),
                Route("/faults", routes.clear_faults, methods=["DELETE"]),
                Route("/requests", routes.list_requests, methods=["GET"]),
                Route("/faucet", routes.faucet, methods=["POST"]),
                Route("/reset", routes.reset, methods=["POST"]),
            ]
        )
    )


class _Control:
    def __init__(
        self,
        nodes: Mapping[str, AnvilNode],
        faults: FaultBook,
        journal: Journal,
        solana: SolanaNode | None,
    ) -> None:
        self._nodes = nodes
        self._faults = faults
        self._journal = journal
        self._solana = solana
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
            if wish.chain in self._nodes:
                balance = await give_evm(self._nodes[wish.chain], wish.address, int(wish.amount), wish.token)
            elif self._solana is not None and wish.chain == self._solana.caip2:
                balance = give_solana(self._solana, wish.address, int(wish.amount), wish.token)
            else:
                return refusal(400, "chain", f"One of {', '.join(self._chains)}")
        except WishRefusedError as error:
            return refusal(400, error.field, str(error))
        except OverflowError as error:
            return refusal(400, "amount", str(error))
        except NodeFailedError as error:
            return refusal(503, "chain", str(error))
        given = {"address": wish.address, "chain": wish.chain, "balance": str(balance)}
        return json_answer(given if wish.token is None else {**given, "token": wish.token})

    async def reset(self, _: Request) -> Response:
        self._faults.clear()
        try:
            await asyncio.gather(*(node.reset() for node in self._nodes.values()))
            if self._solana is not None:
                self._solana.reset()
        except NodeFailedError as error:
            return refusal(503, "chain", str(error))
        self._journal.clear()
        return json_answer({"chains": self._chains})


async def _validated(model: type[Model], request: Request) -> Model | Response:
    try:
        return model.model_validate(parse_json(await read_body(request, MAX_CONTROL_BODY)))
    except BodyTooLargeError:
        return refusal(413, "body", f"A body has at most {MAX_CONTROL_BODY} bytes")
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or ("token" if first["type"] == "token" else "body")
        return refusal(400, field, first["msg"].removeprefix("Value error, "))
    except ValueError as error:
        return refusal(400, "body", f"The body must be JSON: {error}")


def _host_name(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
