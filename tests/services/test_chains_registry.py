"""One adapter per namespace: all are there, cheap to open, and say no where their namespace has nothing."""

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from walletmodal.core.accounts.tokens import parse_token_balance
from walletmodal.core.chains.caip import NAMESPACES, Namespace, parse_chain_id
from walletmodal.core.errors import AddressError, NetworkError
from walletmodal.core.errors.flow import UnsupportedChainError
from walletmodal.core.transfers.send import Transfer
from walletmodal.services import chains as folder
from walletmodal.services.chains.adapter import Token
from walletmodal.services.chains.registry import Chains
from walletmodal.services.rpc import RpcEndpoints

ADDRESSES: dict[Namespace, str] = {
    "eip155": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    "solana": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    "bip122": "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l",
    "polkadot": "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5",
}
"""One per namespace."""
SILENT: dict[Namespace, str] = {
    "bip122": "bip122:000000000019d6689c085ae165831e93",
    "polkadot": "polkadot:91b171bb158e2d3848fa23a9f1c25182",
}
"""Networks on which the modal only signs in."""
BALANCE = parse_token_balance({"name": "x", "symbol": "x", "quantity": {"decimals": "8", "numeric": "1"}})


@pytest.fixture
def opened(client: httpx.AsyncClient) -> Chains:
    return Chains(RpcEndpoints(client).transport)


def test_there_is_an_adapter_for_each_namespace(opened: Chains) -> None:
    assert [adapter.namespace for adapter in opened] == list(NAMESPACES)
    assert [opened.adapter(namespace).namespace for namespace in NAMESPACES] == list(NAMESPACES)


def test_each_namespace_has_a_folder_of_its_own() -> None:
    (place,) = folder.__path__
    assert {path.parent.name for path in Path(place).glob("*/__init__.py")} == set(NAMESPACES)


def test_these_tests_know_an_address_of_each_namespace() -> None:
    assert ADDRESSES.keys() == set(NAMESPACES), "add one to ADDRESSES"


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_an_adapter_knows_the_addresses_of_its_namespace_alone(opened: Chains, namespace: Namespace) -> None:
    known = [name for name, address in ADDRESSES.items() if opened.adapter(namespace).address_fault(address) is None]
    assert known == [namespace]


@pytest.mark.parametrize("namespace", SILENT)
async def test_where_balances_are_not_read_none_is_made_up(opened: Chains, namespace: Namespace) -> None:
    adapter, chain = opened.adapter(namespace), parse_chain_id(SILENT[namespace])
    with pytest.raises(NetworkError, match="Unsupported chain"):
        await adapter.native_balance(chain, ADDRESSES[namespace])
    with pytest.raises(NetworkError, match="Unsupported chain"):
        await adapter.read_token(chain, ADDRESSES[namespace])
    assert await adapter.token_balances(chain, ADDRESSES[namespace], [Token("x", "x", "x", 8)]) == {}


@pytest.mark.parametrize("namespace", SILENT)
async def test_what_is_no_address_is_told_first(opened: Chains, namespace: Namespace) -> None:
    adapter, chain = opened.adapter(namespace), parse_chain_id(SILENT[namespace])
    with pytest.raises(AddressError):
        await adapter.native_balance(chain, "nonsense")
    with pytest.raises(AddressError):
        await adapter.token_balances(chain, "nonsense", [])


@pytest.mark.parametrize("namespace", SILENT)
async def test_where_nothing_is_sent_no_transfer_is_built(opened: Chains, namespace: Namespace) -> None:
    given = Transfer(parse_chain_id(SILENT[namespace]), BALANCE, 1, ADDRESSES[namespace])
    with pytest.raises(UnsupportedChainError, match="Unsupported chain"):
        await opened.adapter(namespace).build_transfer(ADDRESSES[namespace], given)


def test_opening_the_adapters_imports_nothing_heavy() -> None:
    program = """
import sys
from walletmodal.services.chains.registry import Chains
Chains(lambda chain: None)
print(sorted(set(sys.modules) & {"web3", "eth_account", "solders", "btclib_secp256k1", "sr25519"}))
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_many_first_uses_at_once_get_the_whole_module() -> None:
    program = """
import asyncio
from walletmodal.services.chains.lazily import lazily

async def main():
    name = "walletmodal.services.chains.eip155.transfers"
    return await asyncio.gather(*(lazily(name, "EvmTransfers") for _ in range(20)))

print(len(set(asyncio.run(main()))))
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "1"
