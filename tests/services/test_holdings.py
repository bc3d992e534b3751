"""What nodes say of the tokens that a request lets others take, on the sandbox's own chain."""

from typing import Final

import httpx
import pytest

from tests.patience import PATIENCE
from tests.services.real_chains import ethereum
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.evm.world import worlds
from walletmodal.services import holdings
from walletmodal.services.chains.registry import Chains
from walletmodal.services.holdings import with_holdings
from walletmodal.services.rpc import RpcEndpoints

__all__ = ["ethereum"]

MAINNET = parse_chain_id("eip155:1")
WORLD = worlds()["eip155:1"]
OWNER: Final = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
SPENDER: Final = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"


def approving(contract: str, amount: int) -> HostedRequest:
    data = "0x095ea7b3" + SPENDER[2:].lower().rjust(64, "0") + f"{amount:064x}"
    return read_request(
        method="eth_sendTransaction",
        chain=MAINNET,
        account=OWNER,
        origin="https://a.example",
        params=[{"from": OWNER, "to": contract, "data": data}],
    )


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two seconds are short for a real node on a busy machine."""
    monkeypatch.setattr(holdings, "HOLDINGS_SECONDS", PATIENCE)


@pytest.fixture
def chains(client: httpx.AsyncClient, ethereum: AnvilNode) -> Chains:
    return Chains(RpcEndpoints(client, overrides={str(MAINNET): ethereum.url}).unjoined)


async def test_supply_and_balance_of_a_token_are_told(chains: Chains) -> None:
    token = next(iter(WORLD.tokens)).address
    (known,) = (await with_holdings(approving(token, 1), chains)).approvals
    assert known.supply
    assert known.balance is not None
    assert 0 < known.balance <= known.supply
    request = await with_holdings(approving(token, known.supply), chains)
    assert (request.has_unlimited_approval, approving(token, known.supply).has_unlimited_approval) == (True, False)
    more = await with_holdings(approving(token, known.balance + 1), chains)
    assert more.has_approval_beyond_balance


async def test_of_what_is_no_token_nothing_is_told(chains: Chains) -> None:
    """A collection has a supply too, and numbers of items are no amounts."""
    (approval,) = (await with_holdings(approving(SPENDER, 1), chains)).approvals
    assert (approval.supply, approval.unlimited) == (None, False)


async def test_where_no_node_answers_the_amount_alone_counts(client: httpx.AsyncClient) -> None:
    nowhere = Chains(RpcEndpoints(client, overrides={str(MAINNET): "http://127.0.0.1:9"}).unjoined)
    request = await with_holdings(approving(SPENDER, 2**127), nowhere)
    assert request.has_unlimited_approval
