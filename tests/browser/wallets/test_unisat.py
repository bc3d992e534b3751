"""The Bitcoin counterpart itself: a wallet that tests trust must be right before the product is held against it."""

import base64
from secrets import token_bytes

import bip322
import pytest
from embit.ec import PublicKey
from embit.psbt import PSBT
from embit.script import p2wpkh
from embit.transaction import Transaction, TransactionInput, TransactionOutput
from eth_keys.datatypes import PrivateKey
from playwright.sync_api import Page

from tests.browser.wallets.conftest import OpenPage
from tests.browser.wallets.page_requests import asked, begin, end
from tests.browser.wallets.unisat import UnisatWallet, UnisatWalletSetup, payment_address
from walletmodal.core.chains.bitcoin_scripts import locked_by
from walletmodal.core.chains.caip import ChainId
from walletmodal.services.chains.bip122.signatures import is_recoverably_signed

KEYS = tuple(PrivateKey(token_bytes(32)) for _ in range(2))
FIRST, SECOND = (payment_address(key) for key in KEYS)
MAINNET = ChainId("bip122", "000000000019d6689c085ae165831e93")
CONNECT = "unisat.requestAccounts()"
ACCOUNTS = "unisat.getAccounts()"


@pytest.fixture
def dapp(open_dapp: OpenPage) -> Page:
    """A page with the wallet in it."""
    return open_dapp(UnisatWalletSetup(KEYS).init_script())


def connect(page: Page) -> None:
    begin(page, CONNECT)
    UnisatWallet(page).approve()
    end(page)


def test_it_gives_no_account_unasked(dapp: Page) -> None:
    assert asked(dapp, ACCOUNTS) == {"value": []}


def test_its_owner_may_agree(dapp: Page) -> None:
    connect(dapp)
    assert asked(dapp, ACCOUNTS) == {"value": [FIRST]}


def test_its_owner_may_refuse(dapp: Page) -> None:
    begin(dapp, CONNECT)
    UnisatWallet(dapp).reject()
    assert end(dapp)["code"] == 4001


def test_it_remembers_the_permission_over_a_reload(dapp: Page) -> None:
    connect(dapp)
    dapp.reload()
    assert asked(dapp, ACCOUNTS) == {"value": [FIRST]}


def test_it_tells_what_its_owner_changes(dapp: Page) -> None:
    connect(dapp)
    dapp.evaluate("unisat.on('accountsChanged', (accounts) => heard.push(accounts))")
    owner = UnisatWallet(dapp)
    owner.select_accounts(KEYS[1])
    owner.lock()
    owner.lock(locked=False)
    owner.revoke()
    assert dapp.evaluate("heard") == [[SECOND], [], [SECOND], []]


def test_it_signs_messages_recoverably(dapp: Page) -> None:
    connect(dapp)
    begin(dapp, "unisat.signMessage('hello')")
    UnisatWallet(dapp).approve("signMessage")
    signature = base64.b64decode(end(dapp)["value"])
    assert is_recoverably_signed(locked_by(FIRST, MAINNET), b"hello", signature)


def test_it_signs_messages_by_bip322(dapp: Page) -> None:
    connect(dapp)
    begin(dapp, "unisat.signMessage('hello', 'bip322-simple')")
    UnisatWallet(dapp).approve("signMessage")
    bip322.verify_simple_encoded(FIRST, "hello", end(dapp)["value"])


def test_it_signs_psbts(dapp: Page) -> None:
    connect(dapp)
    own = p2wpkh(PublicKey.parse(KEYS[0].public_key.to_compressed_bytes()))
    psbt = PSBT(Transaction(vin=[TransactionInput(bytes(32), 0)], vout=[TransactionOutput(900, own)]))
    psbt.inputs[0].witness_utxo = TransactionOutput(1_000, own)
    begin(dapp, f"unisat.signPsbt('{psbt.serialize().hex()}', {{autoFinalized: false}})")
    UnisatWallet(dapp).approve("signPsbt")
    assert PSBT.parse(bytes.fromhex(end(dapp)["value"])).inputs[0].partial_sigs


def test_it_signs_for_nobody_that_is_not_connected(dapp: Page) -> None:
    assert asked(dapp, "unisat.signMessage('hello')")["code"] == 4100
