"""The fake wallet: accounts and signatures are real ones."""

from __future__ import annotations

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct
from solders.pubkey import Pubkey
from solders.signature import Signature

from walletmodal.core.chains.addresses import is_address
from walletmodal.core.chains.caip import NAMESPACES, Namespace
from walletmodal.core.errors import CaipError
from walletmodal.testing import FakeWallet, UserRejectedRequestError

SECRET = bytes(31) + b"\x07"


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_its_account_is_one_of_the_namespace(namespace: Namespace) -> None:
    wallet = FakeWallet(namespace)
    assert wallet.chain.namespace == namespace
    assert is_address(namespace, wallet.address)


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_each_wallet_has_an_account_of_its_own(namespace: Namespace) -> None:
    assert len({FakeWallet(namespace).address for _ in range(5)}) == 5


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_the_same_secret_is_the_same_account(namespace: Namespace) -> None:
    assert FakeWallet(namespace, secret=SECRET).address == FakeWallet(namespace, secret=SECRET).address


def test_an_evm_signature_is_what_another_library_recovers() -> None:
    wallet = FakeWallet("eip155:137")
    signature = wallet.sign_message("Hello\nÄ")
    assert Account.recover_message(encode_defunct(text="Hello\nÄ"), signature=signature) == wallet.address


def test_an_evm_account_is_the_one_of_another_library() -> None:
    assert FakeWallet(secret=SECRET).address == Account.from_key(SECRET).address


def test_a_solana_signature_is_what_another_library_verifies() -> None:
    wallet = FakeWallet("solana")
    signature = Signature.from_string(wallet.sign_message("Hello"))
    assert signature.verify(Pubkey.from_string(wallet.address), b"Hello")


def test_it_tells_what_it_has_signed() -> None:
    wallet = FakeWallet()
    wallet.sign_message("one")
    wallet.sign_message("two")
    assert wallet.signed == ["one", "two"]


def test_told_to_decline_it_signs_nothing() -> None:
    wallet = FakeWallet()
    wallet.declines = True
    with pytest.raises(UserRejectedRequestError) as declined:
        wallet.sign_message("Hello")
    assert declined.value.code == 4001
    assert wallet.signed == []


def test_the_same_key_has_the_same_address_on_another_network() -> None:
    wallet = FakeWallet()
    moved = wallet.on("eip155:137")
    assert (moved.address, str(moved.chain)) == (wallet.address, "eip155:137")


def test_a_key_is_none_of_another_namespace() -> None:
    with pytest.raises(ValueError, match="eip155"):
        FakeWallet().on("solana")


@pytest.mark.parametrize("chain", ["", "ethereum", "eip155:", "eip155:x", "cosmos:1"])
def test_what_is_no_network_is_refused(chain: str) -> None:
    with pytest.raises(CaipError):
        FakeWallet(chain)


@pytest.mark.parametrize("namespace", NAMESPACES)
@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33)])
def test_what_is_no_secret_is_refused(namespace: Namespace, secret: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        FakeWallet(namespace, secret=secret)
