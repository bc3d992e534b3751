"""Signing in with contract accounts on a real node, honest ones and others."""

from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from tests.services.cacao_terms import cacao
from tests.services.cacao_terms import terms as pairing_terms
from tests.services.contract_accounts import coming_safe, on_node, signed_for_safe, wrap
from tests.services.real_chains import ethereum
from tests.services.signers import Signer, evm
from walletmodal.core.chains.caip import AccountId, parse_account_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import SignInRefusedError
from walletmodal.core.sign_in.message import sign_in_text
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.evm.world import worlds
from walletmodal.services.chains.registry import Chains
from walletmodal.services.rpc import RpcEndpoints
from walletmodal.services.sign_in import MemoryNonces, ProvenSignIn, SignInProofs, SignInTerms

__all__ = ["ethereum"]

ORIGIN = "https://app.example"
MAGIC_WORD = "1626ba7e" + "00" * 28
FAKE = parse_account_id("eip155:1:0x" + "fe" * 20)
YES = f"0x7f{MAGIC_WORD}60005260206000f3"
SPIN = "0x5b600056"
EATS_ALL = "0xfe"
# GAS, PUSH4 10,000,000, LT, PUSH1 13, JUMPI, STOP, then as YES: yes to whoever gives much, else nothing.
YES_WITH_MUCH_GAS = "0x5a63009896801060" + "0b" + "57" + "00" + "5b" + YES[2:]
# CODE reverts.
NO = "0x60006000fd"
# PUSH3 its bytes, of nothing but zeros, then RETURN or REVERT.
ANSWERS_100_KB, ANSWERS_2_MB, REVERTS_WITH_2_MB = "0x620186a06000f3", "0x621e84806000f3", "0x621e84806000fd"


@pytest_asyncio.fixture
async def proofs(client: httpx.AsyncClient, ethereum: AnvilNode) -> AsyncIterator[SignInProofs]:
    endpoints = RpcEndpoints(client, overrides={"eip155:1": (ethereum.url,)})
    clock = MovableClock()
    yield SignInProofs(Chains(endpoints.unjoined), MemoryNonces(clock), clock=clock)
    await endpoints.close()


async def signed_in(proofs: SignInProofs, account: AccountId, signature: str | None = None) -> ProvenSignIn:
    """As `signature`, or with the signature of the owner of a Safe."""
    message = await proofs.propose("visitor", SignInTerms(account, ORIGIN))
    made = signature or "0x" + signed_for_safe(account.address, sign_in_text(message)).hex()
    return await proofs.prove("visitor", message.nonce, made, account=account, origin=ORIGIN)


@pytest.fixture(scope="module")
def safe() -> AccountId:
    account = worlds()["eip155:1"].contract_account
    assert account is not None
    return parse_account_id(f"eip155:1:{account.address}")


async def test_a_safe_signs_in(proofs: SignInProofs, safe: AccountId) -> None:
    assert (await signed_in(proofs, safe)).message.account_id == safe


async def test_an_account_that_is_not_there_yet_signs_in(proofs: SignInProofs, ethereum: AnvilNode) -> None:
    address, factory, call = coming_safe()
    account = parse_account_id(f"eip155:1:{address}")
    message = await proofs.propose("visitor", SignInTerms(account, ORIGIN))
    signature = wrap(factory, call, signed_for_safe(address, sign_in_text(message)))
    assert await proofs.prove("visitor", message.nonce, signature, account=account, origin=ORIGIN)
    assert await on_node(ethereum, "eth_getCode", address, "latest") == "0x"


async def test_an_account_that_is_delegated_signs_in_by_its_key(proofs: SignInProofs, ethereum: AnvilNode) -> None:
    """What the contract behind it says of the signature does not count (EIP-7702)."""
    key = evm(8)
    await on_node(ethereum, "anvil_setCode", FAKE.address, NO)
    await on_node(ethereum, "anvil_setCode", key.account.address, "0xef0100" + FAKE.address[2:])
    message = await proofs.propose("visitor", SignInTerms(key.account, ORIGIN))
    proven = await proofs.prove(
        "visitor", message.nonce, key.sign(sign_in_text(message)), account=key.account, origin=ORIGIN
    )
    assert (proven.message.account_id, proven.by_contract) == (key.account, False)


async def test_only_contracts_of_the_deployments_networks_are_asked(
    client: httpx.AsyncClient, ethereum: AnvilNode, safe: AccountId
) -> None:
    """A page may add networks. On one that its maker runs, there is a contract at anybody's address, and it says yes."""
    endpoints = RpcEndpoints(client, overrides={"eip155:1": (ethereum.url,)})
    clock = MovableClock()
    chains, nonces = Chains(endpoints.unjoined), MemoryNonces(clock)
    listed = SignInProofs(chains, nonces, clock=clock, networks=["eip155:1", "eip155:137"])
    unlisted = SignInProofs(chains, nonces, clock=clock, networks=["eip155:137"])
    assert await signed_in(listed, safe)
    with pytest.raises(SignInRefusedError) as refused:
        await signed_in(unlisted, safe)
    assert refused.value.refusal == "not_signed"
    key = evm(7)
    message = await unlisted.propose("visitor", SignInTerms(key.account, ORIGIN))
    signature = key.sign(sign_in_text(message))
    assert await unlisted.prove("visitor", message.nonce, signature, account=key.account, origin=ORIGIN)
    await endpoints.close()


async def test_a_safe_does_not_sign_in_on_a_network_where_it_is_not(proofs: SignInProofs, safe: AccountId) -> None:
    """On another network, another account may have this address."""
    message = await proofs.propose("visitor", SignInTerms(safe, ORIGIN))
    signature = (
        "0x" + signed_for_safe(safe.address, sign_in_text(message).replace("Chain ID: 1", "Chain ID: 137")).hex()
    )
    with pytest.raises(SignInRefusedError):
        await proofs.prove("visitor", message.nonce, signature, account=safe, origin=ORIGIN)


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize(
    "code",
    [SPIN, EATS_ALL, YES_WITH_MUCH_GAS, NO, ANSWERS_100_KB, ANSWERS_2_MB, REVERTS_WITH_2_MB],
    ids=["spins", "eats all gas", "lies by call", "no", "answers 100 kB", "answers 2 MB", "reverts with 2 MB"],
)
async def test_a_contract_that_burns_gas_or_lies_is_not_signed_in(
    proofs: SignInProofs, ethereum: AnvilNode, code: str, wrapped: bool
) -> None:
    await on_node(ethereum, "anvil_setCode", FAKE.address, code)
    with pytest.raises(SignInRefusedError) as refused:
        await signed_in(proofs, FAKE, wrap("0x" + "0" * 40, b"", b"\1") if wrapped else "0x01")
    assert refused.value.refusal == "not_signed"


async def test_the_liar_of_these_tests_says_yes_to_some(ethereum: AnvilNode) -> None:
    await on_node(ethereum, "anvil_setCode", FAKE.address, YES_WITH_MUCH_GAS)
    answers = [
        await on_node(ethereum, "eth_call", {"to": FAKE.address, "data": "0x", "gas": hex(gas)}, "latest")
        for gas in (12_000_000, 9_000_000)
    ]
    assert answers == ["0x" + MAGIC_WORD, "0x"]


async def test_a_contract_that_changes_its_mind_is_noticed_when_it_is_asked_again(
    proofs: SignInProofs, ethereum: AnvilNode
) -> None:
    await on_node(ethereum, "anvil_setCode", FAKE.address, YES)
    proven = await signed_in(proofs, FAKE, "0x01")
    assert await proofs.is_signed(FAKE, proven.text, proven.signature)
    await on_node(ethereum, "anvil_setCode", FAKE.address, NO)
    assert not await proofs.is_signed(FAKE, proven.text, proven.signature)


async def test_a_safe_signs_in_while_it_pairs(proofs: SignInProofs, safe: AccountId) -> None:
    asked = await proofs.propose_pairing("visitor", pairing_terms(origin=ORIGIN, page=ORIGIN))
    signer = Signer(safe, lambda text: "0x" + signed_for_safe(safe.address, text).hex())
    (proven,) = await proofs.prove_pairing("visitor", [cacao(asked, signer, kind="eip1271")], origin=ORIGIN)
    assert proven.message.account_id == safe


async def test_an_account_that_is_not_there_yet_signs_in_while_it_pairs(proofs: SignInProofs) -> None:
    address, factory, call = coming_safe()
    account = parse_account_id(f"eip155:1:{address}")
    signer = Signer(account, lambda text: wrap(factory, call, signed_for_safe(address, text)))
    asked = await proofs.propose_pairing("visitor", pairing_terms(origin=ORIGIN, page=ORIGIN))
    assert await proofs.prove_pairing("visitor", [cacao(asked, signer, kind="eip6492")], origin=ORIGIN)


async def test_a_safe_whose_owner_did_not_sign_is_not_signed_in_while_it_pairs(
    proofs: SignInProofs, safe: AccountId
) -> None:
    asked = await proofs.propose_pairing("visitor", pairing_terms(origin=ORIGIN, page=ORIGIN))
    signer = Signer(safe, lambda _text: "0x" + signed_for_safe(safe.address, "another text").hex())
    with pytest.raises(SignInRefusedError):
        await proofs.prove_pairing("visitor", [cacao(asked, signer, kind="eip1271")], origin=ORIGIN)
