"""Reading what strangers send: parameters, addresses, amounts, bodies. What is wrong is refused with its field and why."""

import re
from dataclasses import dataclass
from typing import Final, TypeVar

from pydantic import BaseModel, BeforeValidator, ValidationError
from starlette.requests import Request

from walletmodal.core.parsing.strict_json import read_json
from walletmodal.sandbox.answers import MAX_BODY, read_body
from walletmodal.sandbox.blockchain.chains import NATIVE, Chain, Chains
from walletmodal.sandbox.blockchain.failures import RefusedError

Model = TypeVar("Model", bound=BaseModel)

EVM_ADDRESS: Final = r"^(0x)?[0-9a-fA-F]{40}$"
SOLANA_ADDRESS: Final = r"^[1-9A-HJ-NP-Za-km-z]{32,44}$"
BASE_UNITS: Final = r"^[1-9][0-9]{0,77}$"
PROJECT_ID: Final = r"^[A-Za-z0-9_-]{1,128}$"

MAX_UINT: Final = 2**256 - 1


@dataclass(frozen=True, slots=True)
class Asset:
    """A fungible thing on one EVM chain.

    Attributes:
        chain: where.
        address: contract, lower case; `NATIVE` for the native coin.
    """

    chain: Chain
    address: str

    @property
    def is_native(self) -> bool:
        """Whether it is the chain's own coin."""
        return self.address == NATIVE

    @property
    def contract(self) -> str:
        """The ERC-20 contract that it is traded as, lower case."""
        return self.chain.wrapped if self.is_native else self.address

    @property
    def caip10(self) -> str:
        """The CAIP-10 id."""
        return f"{self.chain.caip2}:{self.address}"


def _without_empty_fraction(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE: Final = BeforeValidator(_without_empty_fraction)
"""For integers in bodies: JSON has one kind of number, so that 5.0 is 5."""


def check_project(value: object) -> None:
    """Check a project id; none at all is fine, for the sandbox needs no account.

    Raises:
        RefusedError: 401, it is no id.
    """
    if value is None or value == "":
        return
    if not isinstance(value, str) or not re.fullmatch(PROJECT_ID[1:-1], value):
        raise RefusedError(401, "authentication", "We failed to authenticate your request")


def required(request: Request, name: str) -> str:
    """A query parameter that must be there.

    Raises:
        RefusedError: 400, it is missing or empty.
    """
    value = request.query_params.get(name, "")
    if not value:
        raise RefusedError(400, name, f"The query parameter {name} is missing")
    return value


def optional(request: Request, name: str) -> str | None:
    """A query parameter that may be absent; an empty one counts as absent."""
    return request.query_params.get(name) or None


def evm_address(text: str, field: str = "address") -> str:
    """An EVM address, lower case with 0x; any case is taken, as the public service does.

    Raises:
        RefusedError: 400, it is none.
    """
    if not re.fullmatch(EVM_ADDRESS[1:-1], text):
        raise RefusedError(400, field, "The address provided is invalid")
    return "0x" + text[-40:].lower()


def plain_address(text: str, field: str = "address") -> tuple[str, str]:
    """An address of either namespace by its form: (`eip155`, lower case) or (`solana`, as given).

    Raises:
        RefusedError: 400, it is neither.
    """
    if not re.fullmatch(EVM_ADDRESS[1:-1], text) and re.fullmatch(SOLANA_ADDRESS[1:-1], text):
        return "solana", text
    return "eip155", evm_address(text, field)


def account(text: str, field: str = "address") -> tuple[str, str, str | None]:
    """An account as a plain address or a CAIP-10 id: namespace, address, and the id's chain.

    Raises:
        RefusedError: 400, it is neither.
    """
    chain, colon, address = text.rpartition(":")
    namespace, plain = plain_address(address, field)
    if not colon:
        return namespace, plain, None
    if not re.fullmatch(r"eip155:[0-9]{1,32}|solana:[-_a-zA-Z0-9]{1,32}", chain) or not chain.startswith(namespace):
        raise RefusedError(400, field, "The address provided is invalid")
    return namespace, plain, chain


def asset(chains: Chains, text: str, field: str) -> Asset:
    """A fungible thing by its CAIP-10 id.

    Raises:
        RefusedError: 400, no such id, or its chain is not served.
    """
    parts = text.split(":")
    if len(parts) != 3:
        raise RefusedError(400, field, "A CAIP-10 id is namespace:chain:address")
    chain = chains.require(f"{parts[0]}:{parts[1]}", field)
    return Asset(chain, evm_address(parts[2], field))


def base_units(text: str, field: str = "amount") -> int:
    """An amount in base units, above zero.

    Raises:
        RefusedError: 400, it is no such number.
    """
    if not re.fullmatch(BASE_UNITS[1:-1], text) or int(text) > MAX_UINT:
        raise RefusedError(400, field, "An amount is a whole number of base units, above zero")
    return int(text)


async def body(request: Request, model: type[Model]) -> Model:
    """The body of a request. Its content type is not looked at: clients of the public service leave it out.

    Raises:
        RefusedError: 422, it is no JSON, or not what the model says; 401, its `projectId` is no id.
    """
    raw = await read_body(request, MAX_BODY)
    try:
        parsed = read_json(raw)
    except ValueError as error:
        raise RefusedError(422, "body", "The body must be JSON") from error
    if isinstance(parsed, dict):
        check_project(parsed.get("projectId"))
    try:
        return model.model_validate(parsed)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "body"
        raise RefusedError(422, field[:200], first["msg"].removeprefix("Value error, ")) from error
