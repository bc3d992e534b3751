"""What networks say of smart accounts, those that do not know them among them."""

import pytest

from tests.services.rpc_double import TransportDouble
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import MalformedResponseError
from walletmodal.core.smart_accounts.account_state import AccountState
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7
from walletmodal.services.smart_accounts.networks import SmartAccountNetworks

CHAIN = parse_chain_id("eip155:1")
OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"


def networks(node: TransportDouble) -> SmartAccountNetworks:
    return SmartAccountNetworks(lambda _chain: node)


async def test_the_account_is_what_its_code_says() -> None:
    assert await networks(TransportDouble("0x")).state(CHAIN, "delegator", OWNER) == AccountState("plain")


@pytest.mark.parametrize("answer", [None, "code", "0x1"])
async def test_code_that_makes_no_sense_is_not_guessed_at(answer: object) -> None:
    with pytest.raises(MalformedResponseError):
        await networks(TransportDouble(answer)).state(CHAIN, "delegator", OWNER)


async def test_a_network_without_the_entry_point_has_no_nonce() -> None:
    with pytest.raises(MalformedResponseError):
        await networks(TransportDouble("0x")).operation_nonce(CHAIN, OWNER, ENTRY_POINT_0_7)
