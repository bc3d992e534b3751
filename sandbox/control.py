"""The sandbox's own control: faults, request log, faucet, reset. For tests; loopback only."""

import asyncio
import re
from collections.abc import Mapping
from typing import Annotated, TypeVar
from urllib.parse import urlsplit

from eth_utils.address import is_checksum_address, is_checksum_formatted_address
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.answers import BodyTooLargeError, json_answer, parse_json, read_body, refusal
from sandbox.anvil import AnvilNode
from sandbox.errors import NodeFailedError
from sandbox.faults import SERVICES, Fault, FaultBook
from sandbox.journal import Journal

MAX_CONTROL_BODY = 262_144
Model = TypeVar("Model", bound=BaseModel)

_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


class FaucetRequest(BaseModel):
    """Coin for an account.

    Attributes:
        address: 20 bytes, hexadecimal; a mixed-case one must have the right checksum (EIP-55).
        chain: CAIP-2 id.
        token: CAIP-10 id of a token; the native coin when absent.
        amount: base units, decimal string.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    address: str
    chain: str
    token: str | None = None
    amount: Annotated[str, Field(pattern=r"^[1-9][0-9]{0,77}$")]

    @field_validator("address")
    @classmethod
    def _is_address(cls, address: str) -> str:
        if not re.fullmatch("0x[0-9a-fA-F]{40}", address):
            raise ValueError("an address is 0x and 40 hexadecimal digits")
        if is_checksum_formatted_address(address) and not is_checksum_address(address):
            raise ValueError("the checksum of the address is wrong")
        return address


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


def control(nodes: Mapping[str, AnvilNode], faults: FaultBook, journal: Journal) -> ASGIApp:
    """The routes below `/sandbox`."""
    routes = _Control(nodes, faults, journal)
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
    def __init__(self, nodes: Mapping[str, AnvilNode], faults: FaultBook, journal: Journal) -> None:
        self._nodes = nodes
        self._faults = faults
        self._journal = journal

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
        node = self._nodes.get(wish.chain)
        if node is None:
            return refusal(400, "chain", f"One of {', '.join(self._nodes)}")
        if wish.token is not None:
            return refusal(400, "token", "The sandbox has no tokens, only the native coin")
        try:
            balance = await node.add_balance(wish.address, int(wish.amount))
        except OverflowError as error:
            return refusal(400, "amount", str(error))
        except NodeFailedError as error:
            return refusal(503, "chain", str(error))
        return json_answer({"address": wish.address, "chain": wish.chain, "balance": str(balance)})

    async def reset(self, _: Request) -> Response:
        self._faults.clear()
        try:
            await asyncio.gather(*(node.reset() for node in self._nodes.values()))
        except NodeFailedError as error:
            return refusal(503, "chain", str(error))
        self._journal.clear()
        return json_answer({"chains": list(self._nodes)})


async def _validated(model: type[Model], request: Request) -> Model | Response:
    try:
        return model.model_validate(parse_json(await read_body(request, MAX_CONTROL_BODY)))
    except BodyTooLargeError:
        return refusal(413, "body", f"A body has at most {MAX_CONTROL_BODY} bytes")
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "body"
        return refusal(400, field, first["msg"].removeprefix("Value error, "))
    except ValueError as error:
        return refusal(400, "body", f"The body must be JSON: {error}")


def _host_name(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
