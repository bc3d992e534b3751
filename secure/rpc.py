"""`/v1/rpc`: what the page asks nodes before it signs, and what it has signed; on the networks of the deployment alone."""

from typing import Annotated, Any, Final

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.routing import Route

from walletmodal.core.chains.caip import ChainId, Namespace, parse_chain_id
from walletmodal.core.clock import Clock
from walletmodal.core.errors import CaipError, RequestTimeoutError, RpcRequestError, TransportError, UrlRequiredError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.language import _
from walletmodal.core.protocol.limits import is_within_limits
from walletmodal.core.requests.methods import NODE_METHODS
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.calls.endpoint import Answer, Body, Calls, UserCall
from walletmodal.secure.custody.holds import Holds
from walletmodal.secure.errors import CallError
from walletmodal.secure.spending import payload_of
from walletmodal.services.outside_budget import Asker, as_asker
from walletmodal.services.rpc import RpcEndpoints

SOLANA_METHODS: Final = frozenset(
    [
        "getAccountInfo",
        "getBalance",
        "getBlockHeight",
        "getEpochInfo",
        "getFeeForMessage",
        "getGenesisHash",
        "getLatestBlockhash",
        "getMinimumBalanceForRentExemption",
        "getMultipleAccounts",
        "getRecentPrioritizationFees",
        "getSignatureStatuses",
        "getSlot",
        "getTokenAccountBalance",
        "getTokenAccountsByOwner",
        "getTokenSupply",
        "getTransaction",
        "getVersion",
        "isBlockhashValid",
        "sendTransaction",
        "simulateTransaction",
    ]
)
_SENDING: Final = frozenset(["eth_sendRawTransaction", "sendTransaction"])
_FILTERS: Final = ("makes", "names")


class RpcBody(Body):
    """One call: the network's CAIP-2 id, a JSON-RPC method and its parameters."""

    chain: Annotated[str, Field(max_length=64)]
    method: Annotated[str, Field(min_length=1, max_length=64)]
    params: list[Any] | dict[str, Any] = Field(default_factory=list)


class RpcCalls:
    """Answers them.

    Args:
        endpoints: the way to the nodes.
        networks: CAIP-2 ids that the deployment offers.
        engine, holds, clock: of the site: tell what a device may not send yet.
    """

    def __init__(
        self, endpoints: RpcEndpoints, networks: frozenset[str], engine: AsyncEngine, holds: Holds, clock: Clock
    ) -> None:
        self._endpoints, self._networks = endpoints, networks
        self._engine, self._holds, self._clock = engine, holds, clock

    def routes(self, calls: Calls) -> list[Route]:
        """Their route."""
        return [calls.user_route("/v1/rpc", RpcBody, self.rpc)]

    async def rpc(self, call: UserCall[RpcBody]) -> Answer:
        """Asks a node; its own refusal is an answer."""
        chain = self._chain(call.body.chain)
        if call.body.method in _SENDING:
            now, payload = to_ms(self._clock.now()), payload_of(chain, call.body.params)
            async with unit_of_work(self._engine) as connection:
                await self._holds.refuse_unknown(connection, call.user, call.device, now, payload)
        params = _checked(chain.namespace, call.body.method, call.body.params)
        try:
            with as_asker(Asker(call.user, call.line)):
                return {"result": await self._endpoints.transport(chain).request(call.body.method, params)}
        except RpcRequestError as error:
            # A contract says in `data` why it refuses.
            data = {} if error.data is None or not is_within_limits(error.data) else {"data": error.data}
            refusal = {"code": error.code, "message": error.details or error.short_message, **data}
            return {"rpcError": refusal}
        except UrlRequiredError as error:
            raise CallError(503, "network", _("No node is configured for this network.")) from error
        except RequestTimeoutError as error:
            raise CallError(504, "node", _("The network did not answer in time. Please try again.")) from error
        except TransportError as error:
            raise CallError(502, "node", _("The network cannot be reached right now. Please try again.")) from error

    def _chain(self, text: str) -> ChainId:
        try:
            chain = parse_chain_id(text)
        except CaipError as error:
            raise CallError(400, "params", _("The network is not known.")) from error
        if str(chain) not in self._networks:
            raise CallError(400, "network", _("This network is not offered here."))
        return chain


def _checked(namespace: Namespace, method: str, params: list[Any] | dict[str, Any]) -> list[Any] | dict[str, Any]:
    spec = NODE_METHODS.get(method)
    if namespace == "eip155" and spec is not None and spec.filter not in _FILTERS:
        try:
            checked: list[Any] | dict[str, Any] = spec.check(params)
        except PayloadError as error:
            raise CallError(400, "params", _("The request is not understood.")) from error
        return checked
    if namespace == "solana" and method in SOLANA_METHODS and isinstance(params, list):
        return params
    raise CallError(400, "method", _("This request is not allowed."))
