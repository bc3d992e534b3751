"""The Solana counterpart itself: a wallet that tests trust must be right before the product is held against it."""

import pytest
from playwright.sync_api import Page
from solders.hash import Hash
from solders.keypair import Keypair
from solders.message import MessageV0
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction

from tests.browser.wallets.conftest import OpenPage
from tests.browser.wallets.page_requests import asked, begin, end
from tests.browser.wallets.solana import SolanaWallet, SolanaWalletSetup

KEYS = (Keypair(), Keypair())
FIRST, SECOND = (str(key.pubkey()) for key in KEYS)
FIND = """void (() => {
const register = (wallet) => { window.wallet = wallet; return () => undefined; };
addEventListener('wallet-standard:register-wallet', ({ detail }) => detail({ register }));
dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }));
window.feature = (name) => wallet.features[name][name.split(':')[1]];
wallet.features['standard:events'].on('change', ({ accounts }) => heard.push(accounts.map(({ address }) => address)));
})()"""
CONNECT = "feature('standard:connect')()"
ADDRESSES = "feature('standard:connect')({silent: true}).then(({accounts}) => accounts.map(({address}) => address))"


@pytest.fixture
def dapp(open_dapp: OpenPage) -> Page:
    """A page with the wallet in it, which has found it."""
    page = open_dapp(SolanaWalletSetup("http://127.0.0.1:9", KEYS).init_script())
    page.evaluate(FIND)
    return page


def connect(page: Page) -> None:
    begin(page, CONNECT)
    SolanaWallet(page).approve()
    end(page)


def test_it_gives_no_account_unasked(dapp: Page) -> None:
    assert asked(dapp, ADDRESSES) == {"value": []}


def test_its_owner_may_agree(dapp: Page) -> None:
    connect(dapp)
    assert asked(dapp, ADDRESSES) == {"value": [FIRST]}


def test_its_owner_may_refuse(dapp: Page) -> None:
    begin(dapp, CONNECT)
    SolanaWallet(dapp).reject()
    assert end(dapp)["code"] == 4001


def test_it_remembers_the_permission_over_a_reload(dapp: Page) -> None:
    connect(dapp)
    dapp.reload()
    dapp.evaluate(FIND)
    assert asked(dapp, ADDRESSES) == {"value": [FIRST]}


def test_it_tells_what_its_owner_changes(dapp: Page) -> None:
    connect(dapp)
    owner = SolanaWallet(dapp)
    dapp.evaluate("heard.length = 0")
    owner.select_accounts(KEYS[1])
    owner.lock()
    owner.lock(locked=False)
    owner.revoke()
    assert dapp.evaluate("heard") == [[SECOND], [], [SECOND], []]


def test_it_signs_messages(dapp: Page) -> None:
    connect(dapp)
    begin(dapp, "feature('solana:signMessage')({account: wallet.accounts[0], message: bytes('68656c6c6f')})")
    assert SolanaWallet(dapp).approve("signMessage")["params"] == {"message": "hello"}
    signature = Signature(bytes.fromhex(end(dapp)["value"][0]["signature"]))
    assert signature.verify(Pubkey.from_string(FIRST), b"hello")


def test_it_signs_in_when_its_owner_agrees(dapp: Page) -> None:
    begin(dapp, "feature('solana:signIn')({domain: 'dapp.test', statement: 'hello'})")
    assert SolanaWallet(dapp).approve("signIn")["params"] == {"domain": "dapp.test", "statement": "hello"}
    told = end(dapp)["value"][0]
    message, signature = (bytes.fromhex(told[name]) for name in ("signedMessage", "signature"))
    assert Signature(signature).verify(Pubkey.from_string(told["account"]["address"]), message)


def test_it_signs_transactions(dapp: Page) -> None:
    connect(dapp)
    from_ = KEYS[0].pubkey()
    payment = transfer(TransferParams(from_pubkey=from_, to_pubkey=KEYS[1].pubkey(), lamports=1))
    message = MessageV0.try_compile(from_, [payment], [], Hash.default())
    unsigned = bytes(VersionedTransaction.populate(message, [Signature.default()])).hex()
    begin(dapp, f"feature('solana:signTransaction')({{account: wallet.accounts[0], transaction: bytes('{unsigned}')}})")
    SolanaWallet(dapp).approve("signTransaction")
    signed = VersionedTransaction.from_bytes(bytes.fromhex(end(dapp)["value"][0]["signedTransaction"]))
    assert signed.verify_with_results() == [True]
