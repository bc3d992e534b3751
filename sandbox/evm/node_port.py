"""An EVM chain's own port, EVM_PORT and those after it: what stands between anvil and whoever asks there.

anvil itself answers every page of every site, and takes and fetches what it is told to. It listens where nobody is told.
"""

from collections.abc import Awaitable, Callable
from typing import Final

import httpx
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from walletmodal.sandbox.access import Access
from walletmodal.sandbox.answers import BodyTooLargeError, json_answer, parse_json, read_body, refusal
from walletmodal.sandbox.gateway import METHOD_NOT_FOUND, PARSE_ERROR, is_public

MAX_BODY: Final = 2 * 1024 * 1024

CONTROL_ONLY: Final = frozenset(
    {
        *("anvil_reset", "hardhat_reset", "anvil_setRpcUrl"),
        *("anvil_loadState", "hardhat_loadState", "anvil_dumpState", "hardhat_dumpState"),
    }
)
"""Methods that fetch from an address, or put another chain in the place of this one: at the control alone."""


class NodePort:
    """An ASGI application: one chain's JSON-RPC, over HTTP.

    Programs use all methods but `CONTROL_ONLY`; pages, even those of the sandbox, those of a public node.

    Args:
        chain: CAIP-2 id.
        access: which pages may ask.
        relay: sends a JSON-RPC body to the node.
    """

    def __init__(self, chain: str, access: Access, relay: Callable[[bytes], Awaitable[httpx.Response]]) -> None:
        self._chain = chain
        self._access = access
        self._relay = relay

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        request = Request(scope, receive)
        try:
            answer = await self._answer(request)
        except ClientDisconnect:
            return
        origin = request.headers.get("origin")
        if origin is not None and answer.status_code != 403:
            answer.headers["access-control-allow-origin"] = origin
            answer.headers["vary"] = "Origin"
        await answer(scope, receive, send)

    async def _answer(self, request: Request) -> Response:  # noqa: PLR0911 - each of them is another refusal
        refused = self._access.refused(request.headers, request.client.host if request.client else "")
        if refused is not None:
            return refusal(403, refused.field, refused.description)
        if request.method == "OPTIONS":
            allowed = {"access-control-allow-methods": "POST", "access-control-allow-headers": "content-type"}
            return Response(status_code=204, headers=allowed)
        if request.method != "POST" or request.url.path != "/":
            return refusal(405, "method", "JSON-RPC is POSTed to /")
        try:
            body = await read_body(request, MAX_BODY)
            refused_call = self._refused_call(parse_json(body), is_page="origin" in request.headers)
            answer = None if refused_call is not None else await self._relay(body)
        except (BodyTooLargeError, TimeoutError):
            return refusal(413, "body", f"A body has at most {MAX_BODY} bytes", {"connection": "close"})
        except ValueError as error:
            return json_answer(_failure(None, PARSE_ERROR, f"Parse error: {error}"), 400)
        except httpx.HTTPError:
            return refusal(503, "chain", f"The node of {self._chain} does not answer")
        if answer is None:
            return json_answer(refused_call)
        return Response(answer.content, answer.status_code, media_type="application/json")

    def _refused_call(self, asked: object, *, is_page: bool) -> dict[str, object] | None:
        for one in asked if isinstance(asked, list) else [asked]:
            if not isinstance(one, dict):
                continue
            method = one.get("method")
            if isinstance(method, str) and not self._allows(method, is_page=is_page):
                where = f"programs find it at POST /sandbox/nodes/{self._chain} of the sandbox"
                return _failure(one.get("id"), METHOD_NOT_FOUND, f"{method[:100]} is refused here; {where}")
        return None

    def _allows(self, method: str, *, is_page: bool) -> bool:
        return is_public(self._chain, method) if is_page else method not in CONTROL_ONLY


def _failure(request_id: object, code: int, message: str) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}
