"""Wallets of Solana and Bitcoin that the browser brings: refused, followed, coming back, taken back, signing, signing in."""

from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_bytes
from typing import Any

import base58
import bip322
import pytest
from eth_keys.datatypes import PrivateKey
from playwright.sync_api import Page, expect
from solders.keypair import Keypair
from solders.pubkey import Pubkey
from solders.signature import Signature

from tests.browser.stack import BITCOIN, SOLANA, Stack
from tests.browser.test_sign_in import REQUIRED, token, verified
from tests.browser.visits import Visit, Visiting
from tests.browser.wallets.solana import SolanaWallet, SolanaWalletSetup
from tests.browser.wallets.unisat import UnisatWallet, UnisatWalletSetup, payment_address

MESSAGE = "Grüße"
SOLANA_KEYS = (Keypair(), Keypair())
BITCOIN_KEYS = tuple(PrivateKey(token_bytes(32)) for _ in range(2))
NO_EVM_WALLET = {"announce": False, "extra": {"onWindow": False}}


@dataclass(frozen=True)
class Case:
    """A wallet of one namespace.

    Attributes:
        connector: its id.
        addresses: of its two accounts.
        asks: what the wallet calls the question about a message.
        asks_to_sign_in: what it calls that about a sign-in, for which Solana's wallets have a feature of their own.
        request: asks for a signature of MESSAGE by an address.
        is_signed: whether an address signed MESSAGE.
    """

    network: str
    connector: str
    addresses: tuple[str, str]
    setup: Callable[[Stack], SolanaWalletSetup | UnisatWalletSetup]
    owner: Callable[[Page], SolanaWallet | UnisatWallet]
    asks: str
    asks_to_sign_in: str
    request: Callable[[str], dict[str, object]]
    is_signed: Callable[[str, str], bool]


def _solana_request(address: str) -> dict[str, object]:
    message = base58.b58encode(MESSAGE.encode()).decode()
    return {"method": "solana_signMessage", "params": {"message": message, "pubkey": address}}


def _is_signed_on_solana(address: str, signature: str) -> bool:
    return Signature(base58.b58decode(signature)).verify(Pubkey.from_string(address), MESSAGE.encode())


def _bitcoin_request(address: str) -> dict[str, object]:
    return {"method": "signMessage", "params": {"message": MESSAGE, "address": address, "protocol": "bip322"}}


def _is_signed_on_bitcoin(address: str, signature: str) -> bool:
    try:
        bip322.verify_simple_encoded(address, MESSAGE, signature)
    except bip322.VerificationError:
        return False
    return True


CASES = (
    Case(
        SOLANA,
        "Burner Wallet",
        (str(SOLANA_KEYS[0].pubkey()), str(SOLANA_KEYS[1].pubkey())),
        lambda stack: SolanaWalletSetup(stack.solana_url, SOLANA_KEYS),
        SolanaWallet,
        "signMessage",
        "signIn",
        _solana_request,
        _is_signed_on_solana,
    ),
    Case(
        BITCOIN,
        "unisat",
        (payment_address(BITCOIN_KEYS[0]), payment_address(BITCOIN_KEYS[1])),
        lambda _: UnisatWalletSetup(BITCOIN_KEYS),
        UnisatWallet,
        "signMessage",
        "signMessage",
        _bitcoin_request,
        _is_signed_on_bitcoin,
    ),
)


@pytest.fixture(params=CASES, ids=["solana", "bitcoin"])
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


def _picked(case: Case, visit: Visiting, stack: Stack, **options: Any) -> Visit:
    wanted = {"networks": ["eip155:1", case.network], **options}
    visitor = visit(options=wanted, before=[case.setup(stack).init_script()], wallet=NO_EVM_WALLET)
    visitor.modal.open()
    visitor.modal.wallet_row(case.connector).click()
    return visitor


@pytest.fixture
def asked(case: Case, visit: Visiting, stack: Stack) -> Visit:
    """A visitor who has picked the wallet."""
    return _picked(case, visit, stack)


@pytest.fixture
def owner(case: Case, asked: Visit) -> SolanaWallet | UnisatWallet:
    return case.owner(asked.page)


@pytest.fixture
def connected(case: Case, asked: Visit, owner: SolanaWallet | UnisatWallet) -> Visit:
    owner.approve()
    asked.modal.expect_connected(case.addresses[0])
    asked.modal.expect_closed()
    return asked


def test_the_owner_may_refuse(asked: Visit, owner: SolanaWallet | UnisatWallet) -> None:
    owner.reject()
    expect(asked.modal.card).to_contain_text("Connection declined")


def test_the_account_and_its_network_are_followed(
    case: Case, connected: Visit, owner: SolanaWallet | UnisatWallet
) -> None:
    connected.modal.expect_network(case.network)
    _select_second(owner)
    connected.modal.expect_connected(case.addresses[1])


def test_after_a_reload_it_is_connected_without_a_question(
    case: Case, connected: Visit, owner: SolanaWallet | UnisatWallet
) -> None:
    connected.page.reload()
    connected.modal.expect_connected(case.addresses[0])
    assert owner.asked(owner.CONNECT) == 0


def test_what_the_owner_takes_back_is_gone(connected: Visit, owner: SolanaWallet | UnisatWallet) -> None:
    owner.revoke()
    connected.modal.expect_disconnected()


def test_the_host_gets_signatures(case: Case, connected: Visit, owner: SolanaWallet | UnisatWallet) -> None:
    connected.page.evaluate(
        """([namespace, request]) => { modal.getProvider(namespace).request(request).then(
          (value) => { window.signed = value; }, (error) => { window.signed = { failed: String(error) }; }); }""",
        [case.network.partition(":")[0], case.request(case.addresses[0])],
    )
    owner.approve(case.asks)
    signed: Any = connected.modal.wait(lambda: connected.page.evaluate("window.signed"), what="the signature")
    assert case.is_signed(case.addresses[0], signed["signature"]), signed


def test_the_hosts_server_knows_who_has_signed_in(case: Case, visit: Visiting, stack: Stack) -> None:
    visitor = _picked(case, visit, stack, **REQUIRED)
    owner = case.owner(visitor.page)
    owner.approve()
    visitor.modal.expect_view("Sign In")
    visitor.modal.part("w3m-connecting-siwe-sign").click()
    owner.approve(case.asks_to_sign_in)
    visitor.modal.expect_closed()
    assert verified(stack, stack.demo, token(visitor.modal)).account == f"{case.network}:{case.addresses[0]}"


def _select_second(owner: SolanaWallet | UnisatWallet) -> None:
    if isinstance(owner, SolanaWallet):
        owner.select_accounts(SOLANA_KEYS[1])
    else:
        owner.select_accounts(BITCOIN_KEYS[1])
