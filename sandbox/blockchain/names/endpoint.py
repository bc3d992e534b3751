"""The calls below /v1/profile."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from walletmodal.core.clock import Clock
from walletmodal.sandbox.answers import json_answer
from walletmodal.sandbox.blockchain.chains import Chains
from walletmodal.sandbox.blockchain.failures import RefusedError
from walletmodal.sandbox.blockchain.names.rules import (
    ETH_COIN_TYPE,
    ZONES,
    chain_number,
    read_message,
    require_attributes,
    require_fresh,
    require_name,
)
from walletmodal.sandbox.blockchain.names.store import NameStore
from walletmodal.sandbox.blockchain.names.suggestions import suggestions
from walletmodal.sandbox.blockchain.requests import WHOLE, body, evm_address, optional, plain_address
from walletmodal.sandbox.blockchain.signatures import require_signature


class RegisterRequest(BaseModel):
    """The body of a registration: the message is JSON inside a text, as it was signed."""

    model_config = ConfigDict(frozen=True, strict=True)

    coin_type: Annotated[int, Field(ge=0, lt=2**32), WHOLE]
    address: str
    message: str
    signature: str


class NamesEndpoint:
    """Answers about names.

    Args:
        chains: whose accounts can have names.
        store: the names.
        clock: for the freshness of messages.
    """

    def __init__(self, chains: Chains, store: NameStore, clock: Clock) -> None:
        self._chains = chains
        self._store = store
        self._clock = clock

    async def lookup(self, request: Request) -> Response:
        """Answer with the record of a name; a missing one is 404, and with `apiVersion=2` an empty list."""
        tolerant = _is_version_2(request)
        record = self._store.get(require_name(request.path_params["name"]))
        if record is not None:
            return json_answer(record.as_json())
        if tolerant:
            return json_answer([])
        raise RefusedError(404, "name", "The name is not registered")

    async def reverse(self, request: Request) -> Response:
        """Answer with the records of an account's names; none is 404, and with `apiVersion=2` an empty list."""
        tolerant = _is_version_2(request)
        _, address = plain_address(request.path_params["address"])
        if (sender := optional(request, "sender")) is not None:
            plain_address(sender, "sender")
        records = self._store.of_address(address)
        if not records and not tolerant:
            raise RefusedError(404, "address", "No name is registered for this address")
        return json_answer([record.as_json() for record in records])

    async def suggest(self, request: Request) -> Response:
        """Answer with `{suggestions}`."""
        zone = optional(request, "zone") or ZONES[0]
        listed = suggestions(request.path_params["name"], zone, lambda name: self._store.get(name) is not None)
        return json_answer({"suggestions": listed})

    async def register(self, request: Request) -> Response:
        """Register a name for the account that signed the message; answer with its record."""
        wish = await body(request, RegisterRequest)
        message = read_message(wish.message)
        name = require_name(message.name)
        require_fresh(message.timestamp, self._clock.now().timestamp())
        attributes = require_attributes(message.attributes)
        number = chain_number(wish.coin_type, {1, *(chain.number for chain in self._chains)})
        address = evm_address(wish.address)
        if self._store.get(name) is not None:
            raise RefusedError(400, "name", "The name is already registered")
        await require_signature(self._chains.get(f"eip155:{number}"), address, wish.message, wish.signature)
        addresses = {ETH_COIN_TYPE: address, wish.coin_type: address}
        return json_answer(self._store.add(name, attributes, addresses, self._clock.now()).as_json())


def _is_version_2(request: Request) -> bool:
    version = optional(request, "apiVersion")
    if version not in (None, "1", "2"):
        raise RefusedError(400, "apiVersion", "The versions are 1 and 2")
    return version == "2"
