"""What networks charge for a transaction's data elsewhere: asked of their own contract, and part of fee and Max."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Final

import httpx
import pytest
import pytest_asyncio
import rlp
from eth_utils.crypto import keccak

from tests.services.node import Node
from tests.services.real_chains import ethereum
from tests.services.test_chains_eip155 import chain_of, on_node, transfer
from tests.services.test_fees_eip155 import MAINNET, OPTIMISM, SENDER
from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.errors.nodes import InsufficientFundsError
from walletmodal.core.transfers.fees import spendable
from walletmodal.core.transfers.send import Transfer
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.services.chains.eip155 import Eip155Adapter
from walletmodal.services.chains.eip155.data_fee import _GET_L1_FEE, MAX_FEE, ORACLE, SCROLL_ORACLE, unsigned
from walletmodal.services.rpc import BatchingTransport, HttpRpcTransport, RpcEndpoints

__all__ = ["ethereum"]

SCROLL: Final = parse_chain_id("eip155:534352")
PER_BYTE: Final = 10**12
# calldatasize, times a price, returned: the charge is in the length of what the contract is asked.
ORACLE_CODE: Final = f"0x3664{PER_BYTE:010x}0260005260206000f3"
RECEIVER: Final = "0x1111111111111111111111111111111111111111"


@pytest.fixture
def adapter(client: httpx.AsyncClient, ethereum: AnvilNode) -> Eip155Adapter:
    chains = {str(chain): ethereum.url for chain in (MAINNET, OPTIMISM, SCROLL)}
    return Eip155Adapter(RpcEndpoints(client, overrides=chains).transport)


@pytest_asyncio.fixture
async def charging(ethereum: AnvilNode) -> AsyncIterator[None]:
    """The node has both contracts."""
    for oracle in (ORACLE, SCROLL_ORACLE):
        await on_node(ethereum, "anvil_setCode", oracle, ORACLE_CODE)
    yield
    for oracle in (ORACLE, SCROLL_ORACLE):
        await on_node(ethereum, "anvil_setCode", oracle, "0x")


def on_optimism(amount: int) -> Transfer:
    return replace(transfer(amount, token_chain=str(OPTIMISM)), chain=OPTIMISM)


async def balance_of(node: AnvilNode) -> int:
    return int(str(await on_node(node, "eth_getBalance", SENDER, "latest")), 16)


@pytest.mark.usefixtures("charging")
@pytest.mark.parametrize("chain", [OPTIMISM, SCROLL], ids=str)
async def test_the_charge_is_part_of_the_fee(adapter: Eip155Adapter, chain: ChainId) -> None:
    with_data = (await adapter.transfer_fee(chain, SENDER)).of("normal")
    without = (await adapter.transfer_fee(MAINNET, SENDER)).of("normal")
    # Between the bytes of a plain transfer and a few more for the call of the contract.
    assert 60 * PER_BYTE < with_data.expected - without.expected < 260 * PER_BYTE
    assert with_data.most - without.most >= 5 * (with_data.expected - without.expected) // 4
    assert not (await adapter.transfer_fee(chain, SENDER)).data_fee


@pytest.mark.usefixtures("charging")
async def test_a_transfer_costs_what_its_preview_says(adapter: Eip155Adapter) -> None:
    built = await adapter.build_transfer(SENDER, on_optimism(5))
    assert built.fee == built.quote.of("normal").most


@pytest.mark.usefixtures("charging")
async def test_max_leaves_enough_for_it(adapter: Eip155Adapter, ethereum: AnvilNode) -> None:
    balance = await balance_of(ethereum)
    most = spendable(balance, (await adapter.transfer_fee(OPTIMISM, SENDER)).of("normal").most)
    built = await adapter.build_transfer(SENDER, on_optimism(most))
    assert most + built.fee <= balance


@pytest.mark.usefixtures("charging")
async def test_who_has_only_the_gas_cannot_pay_it(adapter: Eip155Adapter, ethereum: AnvilNode) -> None:
    balance = await balance_of(ethereum)
    gas_alone = (await adapter.transfer_fee(MAINNET, SENDER)).of("normal").expected
    with pytest.raises(InsufficientFundsError):
        await adapter.build_transfer(SENDER, on_optimism(balance - gas_alone))


async def test_where_the_contract_is_missing_the_charge_is_said_to_come_on_top(adapter: Eip155Adapter) -> None:
    assert (await adapter.transfer_fee(OPTIMISM, SENDER)).data_fee


@pytest.mark.parametrize("answer", ["0x", "0x01", hex(MAX_FEE + 1), f"0x{MAX_FEE + 1:064x}", "nonsense", None, 5, []])
async def test_nonsense_of_the_contract_counts_as_unknown(
    client: httpx.AsyncClient, node: Node, answer: object
) -> None:
    transport = BatchingTransport(HttpRpcTransport(client, node.url))
    node.behaviour = chain_of(eth_call=answer)
    assert (await Eip155Adapter(lambda _chain: transport).transfer_fee(OPTIMISM, SENDER)).data_fee


@pytest.mark.parametrize("data", ["0x", "0x01", "0x" + "a9" * 68, "0x" + "ff" * 300])
def test_the_transaction_is_written_as_networks_read_it(data: str) -> None:
    made = unsigned(OPTIMISM, {"to": RECEIVER, "value": hex(10**18), "data": data})
    chain, _, _, _, _, receiver, value, call, access = rlp.decode(made[1:])
    assert (made[0], chain, receiver.hex(), value, call.hex(), access) == (
        2,
        b"\x0a",
        RECEIVER[2:],
        (10**18).to_bytes(8, "big"),
        data[2:],
        [],
    )


def test_the_contract_is_asked_by_its_name() -> None:
    assert keccak(text="getL1Fee(bytes)")[:4] == _GET_L1_FEE
