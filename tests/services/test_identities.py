"""Who an account is: what the service knows, then the name that the chain or the registry has."""

import pytest

from walletmodal.core.accounts.names import Identity
from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.errors.receivers import NameLookupError
from walletmodal.core.errors.services import NotConfiguredError, ServiceError
from walletmodal.services.http import Caller
from walletmodal.services.identities import Identities

CALLER = Caller("https://app.example.com", "")
MAINNET = parse_chain_id("eip155:1")
ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
PICTURE = "https://pictures.example/a.png"
DOWN = ServiceError("blockchain", status=503)
NO_NODE = NameLookupError("down")


class Service:
    """Both calls of the service; an exception in the place of an answer is raised."""

    def __init__(self, identity: Identity | Exception, name: str = "", failure: Exception | None = None) -> None:
        self._identity, self._failure = identity, failure
        self._name = name
        self.asked: list[str] = []

    async def identity(self, caller: Caller, chain: ChainId, address: str, *, sender: str = "") -> Identity:
        self.asked.append(f"identity {chain} {address} for {sender} of {caller.origin}")
        if isinstance(self._identity, Exception):
            raise self._identity
        return self._identity

    async def name_of(self, caller: Caller, chain: ChainId, address: str, *, sender: str = "") -> str:
        self.asked.append(f"name {chain} {address} for {sender} of {caller.origin}")
        if self._failure is not None:
            raise self._failure
        return self._name


@pytest.mark.parametrize(
    ("service", "found"),
    [
        (
            Service(Identity(name="alice.eth", avatar=PICTURE), "other.reown.id"),
            Identity(name="alice.eth", avatar=PICTURE),
        ),
        (Service(Identity(), "alice.reown.id"), Identity(name="alice.reown.id")),
        (Service(Identity(avatar=PICTURE), "alice.reown.id"), Identity(name="alice.reown.id", avatar=PICTURE)),
        (Service(DOWN, "alice.reown.id"), Identity(name="alice.reown.id")),
        (Service(Identity()), Identity()),
        (Service(Identity(), failure=NO_NODE), Identity()),
        (Service(DOWN, failure=NO_NODE), None),
        (Service(NotConfiguredError("BLOCKCHAIN_URL"), "alice.eth"), Identity(name="alice.eth")),
        (Service(NotConfiguredError("BLOCKCHAIN_URL")), Identity()),
        (Service(NotConfiguredError("BLOCKCHAIN_URL"), failure=NO_NODE), Identity()),
    ],
    ids=[
        "ENS",
        "registered",
        "picture and registered",
        "ENS down",
        "nobody",
        "names down",
        "all down",
        "no service",
        "no service, nobody",
        "no service, no node",
    ],
)
async def test_a_name_is_found_where_there_is_one(service: Service, found: Identity | None) -> None:
    assert await Identities(service, service).of(CALLER, MAINNET, ADDRESS) == found


async def test_who_asks_and_about_whom_is_told() -> None:
    service = Service(Identity())
    await Identities(service, service).of(CALLER, MAINNET, ADDRESS)
    told = f"eip155:1 {ADDRESS} for {ADDRESS} of https://app.example.com"
    assert service.asked == [f"identity {told}", f"name {told}"]


async def test_other_namespaces_have_no_names() -> None:
    service = Service(Identity(name="alice.eth"))
    chain = ChainId("solana", "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")
    assert (await Identities(service, service).of(CALLER, chain, "7EcD"), service.asked) == (Identity(), [])
