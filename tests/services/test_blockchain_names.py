"""Names at the blockchain service: their texts, and what is kept of them."""

import pytest

from tests.services import node as nodes
from tests.services.blockchain_cases import (
    ACCOUNT,
    ALICE,
    CASES,
    MAINNET,
    RECORD,
    SOL_ALICE,
    SOLANA,
)
from tests.services.blockchain_cases import blockchain as blockchain
from tests.services.blockchain_cases import clock as clock
from tests.services.blockchain_cases import outside as outside
from tests.services.outside import CALLER, Outside, gives, refuses
from tests.services.outside import client as client
from walletmodal.core.errors import CaipError, ProtocolError
from walletmodal.core.errors.services import NameServiceError
from walletmodal.services.blockchain import BlockchainClient
from walletmodal.services.http import alert_for_failure

NAME_CALLS = {
    "resolve": ("name", "Error resolving name"),
    "suggestions": ("suggestions", "Error fetching name suggestions"),
    "reverse": ("reverse", "Error fetching names for address"),
    "register": ("register", "Error registering name"),
}


@pytest.mark.parametrize("call", NAME_CALLS)
async def test_a_failed_call_about_names_has_the_text_of_the_specification(
    blockchain: BlockchainClient, outside: Outside, call: str
) -> None:
    name, text = NAME_CALLS[call]
    outside.answers[CASES[name].path] = refuses(500)
    with pytest.raises(NameServiceError, match=f"^{text}$") as raised:
        await CASES[name].ask(blockchain, ACCOUNT)
    assert (raised.value.call, raised.value.status) == (call, 500)


@pytest.mark.parametrize("call", NAME_CALLS)
async def test_the_services_reason_takes_its_place(blockchain: BlockchainClient, outside: Outside, call: str) -> None:
    name, _ = NAME_CALLS[call]
    outside.answers[CASES[name].path] = refuses(400, ("name", "Name is already registered"))
    with pytest.raises(NameServiceError, match="Name is already registered"):
        await CASES[name].ask(blockchain, ACCOUNT)


async def test_a_refused_project_can_be_told_from_a_failed_name(blockchain: BlockchainClient, outside: Outside) -> None:
    outside.answers[CASES["name"].path] = refuses(401, ("authentication", "We failed to authenticate your request"))
    with pytest.raises(NameServiceError) as raised:
        await CASES["name"].ask(blockchain, ACCOUNT)
    assert alert_for_failure(raised.value) == "INVALID_PROJECT_ID"


@pytest.mark.parametrize("behaviour", [gives([]), refuses(404, ("name", "Name is not registered"))])
async def test_a_name_that_nobody_has_resolves_to_nothing(
    blockchain: BlockchainClient, outside: Outside, behaviour: nodes.Behaviour
) -> None:
    outside.answers["/v1/profile/account/maple.reown.id"] = behaviour
    assert await blockchain.names.resolve(CALLER, MAINNET, "maple.reown.id") is None


async def test_registering_a_name_drops_what_was_kept_of_it(blockchain: BlockchainClient, outside: Outside) -> None:
    record, reverse = "/v1/profile/account/maple.reown.id", f"/v1/profile/reverse/{ALICE}"
    outside.answers |= {record: gives([]), reverse: gives([]), "/v1/profile/account": gives(RECORD)}
    assert await blockchain.names.resolve(CALLER, MAINNET, "maple.reown.id") is None
    assert await blockchain.names.names_of(CALLER, MAINNET, ALICE) == ()
    outside.answers |= {record: gives(RECORD), reverse: gives([RECORD])}
    assert await CASES["register"].ask(blockchain, ACCOUNT) is True
    assert await blockchain.names.resolve(CALLER, MAINNET, "maple.reown.id") is not None
    assert len(await blockchain.names.names_of(CALLER, MAINNET, ALICE)) == 1


async def test_a_name_is_registered_on_evm_networks_alone(blockchain: BlockchainClient, outside: Outside) -> None:
    with pytest.raises(CaipError, match="Invalid chainId"):
        await blockchain.names.register(CALLER, SOLANA, "x.reown.id", address=SOL_ALICE, message="", signature="")
    assert outside.asked == []


@pytest.mark.parametrize("name", ["", "..", "x" * 600, "\ud800"])
async def test_a_name_that_is_no_name_is_never_asked_for(
    blockchain: BlockchainClient, outside: Outside, name: str
) -> None:
    with pytest.raises(ProtocolError):
        await blockchain.names.resolve(CALLER, MAINNET, name)
    assert outside.asked == []
