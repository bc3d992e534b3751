"""The routes of bundler and paymaster: JSON-RPC for every chain, and the public service's one route for both."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from walletmodal.core.clock import Clock
from walletmodal.core.errors.codes import INTERNAL_ERROR, INVALID_PARAMS
from walletmodal.sandbox.answers import json_answer, parse_json, read_body, refusal, service_app
from walletmodal.sandbox.blockchain.chains import Chain, Chains
from walletmodal.sandbox.blockchain.failures import ServiceError
from walletmodal.sandbox.blockchain.prices import Prices
from walletmodal.sandbox.blockchain.rpc import NodeClient, Post
from walletmodal.sandbox.blockchain.tokens import TokenBook
from walletmodal.sandbox.bundler.bundler import Bundler
from walletmodal.sandbox.bundler.paymaster import Paymaster
from walletmodal.sandbox.bundler.refusals import OperationRefusedError
from walletmodal.sandbox.evm.world import worlds
from walletmodal.sandbox.gateway import INVALID_REQUEST, MAX_BATCH, METHOD_NOT_FOUND, PARSE_ERROR, Refusal, malformed
from walletmodal.sandbox.price_board import PriceBoard

Method = Callable[[Sequence[object]], Awaitable[object]]
Methods = Mapping[str, Method]

_OF_THE_PUBLIC_SERVICE: Final = (
    "eth_sendUserOperation",
    "eth_estimateUserOperationGas",
    "eth_getUserOperationReceipt",
    "pm_sponsorUserOperation",
    "pm_getPaymasterData",
    "pm_getPaymasterStubData",
    "pimlico_getUserOperationGasPrice",
)
_PROVIDER: Final = "pimlico"


class UserOperationServices:
    """Bundler and paymaster of every chain.

    Args:
        nodes: by CAIP-2 id, what sends a JSON-RPC body to the chain's node.
        board: how prices move.
        clock: the time.
    """

    def __init__(self, nodes: Mapping[str, Post], board: PriceBoard, clock: Clock) -> None:
        self._chains = Chains({name: Chain(worlds()[name], NodeClient(name, post)) for name, post in nodes.items()})
        prices = Prices(self._chains, TokenBook(""), board)
        self._bundlers = {chain.caip2: Bundler(chain) for chain in self._chains}
        self._paymasters = {chain.caip2: Paymaster(chain, prices, clock) for chain in self._chains}

    def reset(self) -> None:
        """Forget what waits to be mined."""
        for bundler in self._bundlers.values():
            bundler.reset()

    def bundler_service(self) -> ASGIApp:
        """JSON-RPC of the bundlers, at `/{CAIP-2}`."""
        return self._service(lambda chain: _bundler_methods(self._bundlers[chain]))

    def paymaster_service(self) -> ASGIApp:
        """JSON-RPC of the paymasters, at `/{CAIP-2}`."""
        return self._service(lambda chain: _paymaster_methods(self._paymasters[chain]))

    def public_route(self) -> BaseRoute:
        """`POST /v1/bundler?chainId=&bundler=` of the public blockchain service, which has both under one name."""

        async def answer(request: Request) -> Response:
            chain, provider = (request.query_params.get(name, "") for name in ("chainId", "bundler"))
            if chain not in self._chains:
                return refusal(400, "chainId", f"The chain {chain[:80]!r} is not supported")
            if provider not in ("", _PROVIDER):
                return refusal(400, "bundler", f"{_PROVIDER}; no other is asked from here")
            methods = {
                **_bundler_methods(self._bundlers[chain]),
                **_paymaster_methods(self._paymasters[chain]),
                "pm_sponsorUserOperation": self._paymasters[chain].sponsor,
            }
            return await _answer({name: methods[name] for name in _OF_THE_PUBLIC_SERVICE}, await read_body(request))

        return Route("/v1/bundler", answer, methods=["POST"])

    def _service(self, methods_of: Callable[[str], Methods]) -> ASGIApp:
        async def answer(request: Request) -> Response:
            chain = request.path_params["chain"]
            if chain not in self._chains:
                return refusal(404, "chain", f"One of {', '.join(self._chains.ids)}")
            return await _answer(methods_of(chain), await read_body(request))

        return service_app([Route("/{chain}", answer, methods=["POST"])])


def _bundler_methods(bundler: Bundler) -> Methods:
    return {
        "eth_chainId": bundler.chain_id,
        "eth_supportedEntryPoints": bundler.supported_entry_points,
        "eth_estimateUserOperationGas": bundler.estimate,
        "eth_sendUserOperation": bundler.send,
        "eth_getUserOperationByHash": bundler.by_hash,
        "eth_getUserOperationReceipt": bundler.receipt,
        "pimlico_getUserOperationGasPrice": bundler.gas_price,
    }


def _paymaster_methods(paymaster: Paymaster) -> Methods:
    return {
        "pm_getPaymasterStubData": paymaster.stub_data,
        "pm_getPaymasterData": paymaster.data,
        "pm_sponsorUserOperation": paymaster.sponsor,
        "pimlico_getTokenQuotes": paymaster.token_quotes,
    }


async def _answer(methods: Methods, body: bytes) -> Response:
    try:
        asked = parse_json(body)
    except ValueError as error:
        return json_answer(Refusal(None, PARSE_ERROR, f"Parse error: {error}").body, 400)
    if not isinstance(asked, list):
        refused = malformed(asked)
        return json_answer(refused.body, 400) if refused else json_answer(await _one(methods, asked))
    if not 1 <= len(asked) <= MAX_BATCH:
        wrong = f"A batch has 1 to {MAX_BATCH} requests, not {len(asked)}"
        return json_answer(Refusal(None, INVALID_REQUEST, wrong).body, 400)
    return json_answer([await _one(methods, one) for one in asked])


async def _one(methods: Methods, asked: object) -> dict[str, object]:
    refused = malformed(asked)
    if refused is not None or not isinstance(asked, dict):
        return refused.body if refused else {}
    request_id, name, params = asked.get("id"), str(asked["method"]), asked.get("params", [])
    method = methods.get(name)
    if method is None:
        return Refusal(request_id, METHOD_NOT_FOUND, f"The method {name[:100]} does not exist").body
    if not isinstance(params, list):
        return Refusal(request_id, INVALID_PARAMS, "params must be a list").body
    try:
        return {"jsonrpc": "2.0", "id": request_id, "result": await method(params)}
    except OperationRefusedError as error:
        told = Refusal(request_id, error.code, str(error)).body
        if error.data:
            told["error"] = {"code": error.code, "message": str(error), "data": "0x" + error.data.hex()}
        return told
    except ServiceError as error:
        return Refusal(request_id, INTERNAL_ERROR, str(error)[:500] or "The chain does not answer").body
