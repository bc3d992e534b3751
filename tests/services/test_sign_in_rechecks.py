"""Contract accounts are asked again whether they signed; keys never are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from prometheus_client import REGISTRY
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.patience import eventually
from tests.services.account_contract import NO, YES, AccountContract
from tests.services.cacao_terms import cacao
from tests.services.cacao_terms import terms as pairing_terms
from tests.services.contract_accounts import OWNER, coming_safe, on_node, signed_for_safe, wrap
from tests.services.real_chains import ethereum
from tests.services.signers import Signer
from walletmodal.core.chains.caip import AccountId, parse_account_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.sign_in.message import sign_in_text
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.db.engine import open_engine
from walletmodal.db.sign_ins import SignInStore
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.evm.world import worlds
from walletmodal.services.chains.adapter import TransportOf
from walletmodal.services.chains.registry import Chains
from walletmodal.services.rpc import RpcEndpoints
from walletmodal.services.rpc.web3_library import AsyncWeb3
from walletmodal.services.sign_in import MemoryNonces, SignInProofs, SignInTerms
from walletmodal.services.sign_in.rechecks import PERIOD, SignInRechecks
from walletmodal.testing import FakeWallet

__all__ = ["ethereum"]

ORIGIN = "https://app.example"
ACCOUNT = parse_account_id("eip155:1:0x" + "fe" * 20)
ASKED_ONCE = 2
"""Each question is put twice, with more gas and with less."""


@dataclass
class Worker:
    """What one worker has of sign-ins."""

    engine: AsyncEngine
    transport: TransportOf
    clock: MovableClock = field(default_factory=MovableClock)
    answer_seconds: float = 60.0

    def __post_init__(self) -> None:
        self.proofs = SignInProofs(Chains(self.transport), MemoryNonces(self.clock), clock=self.clock)
        self.store = SignInStore(self.engine, clock=self.clock)
        self.rechecks = SignInRechecks(self.proofs, self.store, clock=self.clock, answer_seconds=self.answer_seconds)

    async def sign_in(self, account: AccountId, sign: Callable[[str], str] = lambda _text: "0x01") -> SignInSession:
        """As wallets do."""
        message = await self.proofs.propose("visitor", SignInTerms(account, ORIGIN))
        signature = sign(sign_in_text(message))
        proven = await self.proofs.prove("visitor", message.nonce, signature, account=account, origin=ORIGIN)
        return await self.store.add(proven, "browser")

    async def holds(self, session: SignInSession) -> bool:
        """Whether a session that somebody uses counts: looked up, and asked about."""
        found = await self.store.live(session.id)
        return found is not None and await self.rechecks.holds(found)

    def later(self) -> None:
        """So much later that contracts are asked again."""
        self.clock.advance(PERIOD.total_seconds())


@pytest_asyncio.fixture
async def engine(tmp_path: Path, empty_database: bytes) -> AsyncIterator[AsyncEngine]:
    path = tmp_path / "test.db"
    path.write_bytes(empty_database)
    engine = open_engine(f"sqlite:///{path}")
    yield engine
    await engine.dispose()


@pytest.fixture
def contract() -> AccountContract:
    return AccountContract()


@pytest_asyncio.fixture
async def worker(engine: AsyncEngine, contract: AccountContract) -> AsyncIterator[Worker]:
    worker = Worker(engine, contract.transport)
    yield worker
    contract.speak()
    await worker.rechecks.close()


@pytest_asyncio.fixture
async def on_chain(client: httpx.AsyncClient, ethereum: AnvilNode, engine: AsyncEngine) -> AsyncIterator[Worker]:
    """On the real node, which forgets afterwards what a test did to it."""
    endpoints = RpcEndpoints(client, overrides={"eip155:1": (ethereum.url,)})
    before = await on_node(ethereum, "evm_snapshot")
    yield Worker(engine, endpoints.unjoined)
    await on_node(ethereum, "evm_revert", before)
    await endpoints.close()


@pytest.fixture(scope="module")
def safe() -> AccountId:
    account = worlds()["eip155:1"].contract_account
    assert account is not None
    return parse_account_id(f"eip155:1:{account.address}")


def owner_signs(safe: AccountId, text: str) -> str:
    return "0x" + signed_for_safe(safe.address, text).hex()


async def transact(node: AnvilNode, sender: str, to: str, data: str) -> None:
    """A transaction of somebody whose key nobody needs."""
    await on_node(node, "anvil_impersonateAccount", sender)
    await on_node(node, "anvil_setBalance", sender, hex(10**20))
    done = await on_node(node, "eth_sendTransaction", {"from": sender, "to": to, "data": data, "gas": hex(5_000_000)})
    await on_node(node, "evm_mine")
    receipt = await on_node(node, "eth_getTransactionReceipt", done)
    assert isinstance(receipt, dict)
    assert receipt["status"] == "0x1"


async def change_owner(node: AnvilNode, safe: AccountId) -> None:
    """The Safe puts somebody else in the place of its only owner."""
    words = ["0" * 63 + "1", OWNER[2:].rjust(64, "0"), ("ab" * 20).rjust(64, "0")]
    selector = AsyncWeb3.keccak(text="swapOwner(address,address,address)")[:4].hex().removeprefix("0x")
    await transact(node, safe.address, safe.address, f"0x{selector}{''.join(words)}")


def counted(outcome: str) -> float:
    return REGISTRY.get_sample_value("walletmodal_sign_ins_total", {"outcome": outcome}) or 0.0


async def test_a_safe_whose_owner_is_removed_is_not_signed_in_any_more(
    on_chain: Worker, ethereum: AnvilNode, safe: AccountId
) -> None:
    session, refused = await on_chain.sign_in(safe, partial(owner_signs, safe)), counted("not_signed")
    await change_owner(ethereum, safe)
    on_chain.later()
    assert not await on_chain.holds(session)
    assert await on_chain.store.live(session.id) is None
    assert counted("not_signed") == refused + 1


async def test_a_proxy_whose_code_is_replaced_is_not_signed_in_any_more(
    on_chain: Worker, ethereum: AnvilNode, safe: AccountId
) -> None:
    session = await on_chain.sign_in(safe, partial(owner_signs, safe))
    # The first word of a Safe's storage is where its code lies; nobody has any at this address.
    await on_node(ethereum, "anvil_setStorageAt", safe.address, "0x" + "0" * 64, "0x" + ("ab" * 20).rjust(64, "0"))
    on_chain.later()
    assert not await on_chain.holds(session)


@pytest.mark.parametrize("code", ["0x620186a06000f3", "0x621e84806000fd"], ids=["answers 100 kB", "reverts with 2 MB"])
async def test_a_contract_that_answers_more_than_anybody_needs_says_no(
    on_chain: Worker, ethereum: AnvilNode, code: str
) -> None:
    await on_node(ethereum, "anvil_setCode", ACCOUNT.address, f"0x7f{YES[2:]}60005260206000f3")
    session = await on_chain.sign_in(ACCOUNT)
    await on_node(ethereum, "anvil_setCode", ACCOUNT.address, code)
    on_chain.later()
    assert not await on_chain.holds(session)


async def test_a_safe_whose_owner_stays_stays_signed_in(on_chain: Worker, safe: AccountId) -> None:
    session = await on_chain.sign_in(safe, partial(owner_signs, safe))
    on_chain.later()
    assert await on_chain.holds(session)


async def test_an_account_that_was_not_there_yet_stays_signed_in_once_it_is(
    on_chain: Worker, ethereum: AnvilNode
) -> None:
    address, factory, call = coming_safe(nonce=8)
    account = parse_account_id(f"eip155:1:{address}")
    session = await on_chain.sign_in(account, lambda text: wrap(factory, call, signed_for_safe(address, text)))
    on_chain.later()
    assert await on_chain.holds(session)
    await transact(ethereum, OWNER, factory, "0x" + call.hex())
    assert await on_node(ethereum, "eth_getCode", address, "latest") != "0x"
    on_chain.later()
    assert await on_chain.holds(session)


async def test_a_safe_that_signed_in_while_it_paired_is_asked_again(
    on_chain: Worker, ethereum: AnvilNode, safe: AccountId
) -> None:
    asked = await on_chain.proofs.propose_pairing("visitor", pairing_terms(origin=ORIGIN, page=ORIGIN))
    signer = Signer(safe, partial(owner_signs, safe))
    proven = await on_chain.proofs.prove_pairing("visitor", [cacao(asked, signer, kind="eip1271")], origin=ORIGIN)
    (session,) = await on_chain.store.add_all(proven, "browser")
    await change_owner(ethereum, safe)
    on_chain.later()
    assert not await on_chain.holds(session)


async def test_a_contract_is_asked_once_in_five_minutes(worker: Worker, contract: AccountContract) -> None:
    session = await worker.sign_in(ACCOUNT)
    contract.asked = 0
    for _ in range(3):
        assert await worker.holds(session)
    assert contract.asked == 0
    for times in (1, 2):
        worker.later()
        for _ in range(3):
            assert await worker.holds(session)
        assert contract.asked == times * ASKED_ONCE


async def test_of_several_workers_one_asks(worker: Worker, contract: AccountContract) -> None:
    session = await worker.sign_in(ACCOUNT)
    others = [Worker(worker.engine, contract.transport, worker.clock) for _ in range(3)]
    worker.later()
    contract.asked = 0
    assert await asyncio.gather(*(one.holds(session) for one in others)) == [True] * 3
    assert contract.asked == ASKED_ONCE


async def test_whoever_uses_a_session_while_its_contract_is_asked_waits_for_the_answer(
    worker: Worker, contract: AccountContract
) -> None:
    session = await worker.sign_in(ACCOUNT)
    worker.later()
    contract.says, contract.asked = NO, 0
    contract.fall_silent()
    first = asyncio.create_task(worker.holds(session))
    await eventually(lambda: contract.asked == ASKED_ONCE)
    found = await worker.store.live(session.id)
    assert found is not None
    assert worker.rechecks.is_due(found)
    second = asyncio.create_task(worker.rechecks.holds(found))
    contract.speak()
    assert not any(await asyncio.gather(first, second))


async def test_whoever_leaves_does_not_keep_the_contract_from_saying_no(
    worker: Worker, contract: AccountContract
) -> None:
    session = await worker.sign_in(ACCOUNT)
    worker.later()
    contract.says, contract.asked = NO, 0
    contract.fall_silent()
    leaving = asyncio.create_task(worker.holds(session))
    await eventually(lambda: contract.asked == ASKED_ONCE)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    contract.speak()
    await worker.rechecks.close()
    assert await worker.store.live(session.id) is None


async def test_while_no_node_can_be_asked_the_session_stays_and_is_asked_about_later(
    worker: Worker, contract: AccountContract
) -> None:
    session, unchecked = await worker.sign_in(ACCOUNT), counted("unchecked")
    contract.says, contract.away = NO, True
    worker.later()
    assert await worker.holds(session)
    assert counted("unchecked") == unchecked + 1
    contract.away = False
    worker.later()
    assert not await worker.holds(session)


async def test_a_node_that_does_not_answer_ends_no_session(engine: AsyncEngine, contract: AccountContract) -> None:
    worker = Worker(engine, contract.transport, answer_seconds=0.01)
    session = await worker.sign_in(ACCOUNT)
    contract.fall_silent()
    worker.later()
    assert await worker.holds(session)


async def test_answers_that_differ_end_no_session(worker: Worker, contract: AccountContract) -> None:
    """One of the nodes behind a URL may not have the account yet."""
    session = await worker.sign_in(ACCOUNT)
    contract.first, contract.says = [NO, NO], YES
    worker.later()
    assert await worker.holds(session)


async def test_a_session_that_ends_while_its_contract_is_asked_has_ended(
    worker: Worker, contract: AccountContract
) -> None:
    session = await worker.sign_in(ACCOUNT)
    worker.later()
    contract.asked = 0
    contract.fall_silent()
    asking = asyncio.create_task(worker.holds(session))
    await eventually(lambda: contract.asked == ASKED_ONCE)
    await worker.store.revoke(session.id)
    contract.speak()
    assert not await asking


@pytest.mark.parametrize("namespace", ["eip155", "solana", "bip122", "polkadot"])
async def test_no_node_is_ever_asked_about_a_key(worker: Worker, contract: AccountContract, namespace: str) -> None:
    wallet = FakeWallet(namespace)
    session = await worker.sign_in(wallet.account, wallet.sign_message)
    for _ in range(3):
        worker.later()
        assert await worker.holds(session)
    assert (contract.asked, session.checked_at) == (0, None)
