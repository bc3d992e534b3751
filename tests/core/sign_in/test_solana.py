"""The wallet's own sign-in on Solana."""

import pytest

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.sign_in.message import parse_sign_in_message, sign_in_text
from walletmodal.core.sign_in.solana import signable_texts, solana_chain_name, solana_sign_in_input, solana_sign_in_text

FIELDS = {
    "domain": "app.example",
    "accountAddress": "So11111111111111111111111111111111111111112",
    "uri": "https://app.example/login",
    "chainId": "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    "nonce": "k3X9a0Zq",
    "issuedAt": "2026-01-01T00:00:00.000Z",
}
FULL = {
    **FIELDS,
    "chainId": "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
    "statement": "Sign in to Tideswap.",
    "expirationTime": "2026-01-08T00:00:00.000Z",
    "requestId": "r-1",
    "resources": ["https://app.example/terms", "https://app.example/privacy"],
}
# Both made by @solana/wallet-standard-util 1.1.4, `createSignInMessageText`.
SHORT_TEXT = """app.example wants you to sign in with your Solana account:
So11111111111111111111111111111111111111112

URI: https://app.example/login
Version: 1
Chain ID: solana:mainnet
Nonce: k3X9a0Zq
Issued At: 2026-01-01T00:00:00.000Z"""
FULL_TEXT = """app.example wants you to sign in with your Solana account:
So11111111111111111111111111111111111111112

Sign in to Tideswap.

URI: https://app.example/login
Version: 1
Chain ID: solana:devnet
Nonce: k3X9a0Zq
Issued At: 2026-01-01T00:00:00.000Z
Expiration Time: 2026-01-08T00:00:00.000Z
Request ID: r-1
Resources:
- https://app.example/terms
- https://app.example/privacy"""


@pytest.mark.parametrize(("fields", "text"), [(FIELDS, SHORT_TEXT), (FULL, FULL_TEXT)])
def test_the_text_is_the_one_that_wallets_make(fields: dict[str, object], text: str) -> None:
    assert solana_sign_in_text(parse_sign_in_message(fields)) == text


def test_the_wallet_is_given_every_field_that_the_message_has() -> None:
    message = parse_sign_in_message(FULL)
    asked = solana_sign_in_input(message)
    own_names = {"address": "accountAddress"}
    assert {own_names.get(name, name) for name in asked} == {*FULL, "version"}
    assert asked["chainId"] == "solana:devnet"
    assert asked["resources"] == FULL["resources"]


def test_the_wallet_is_not_asked_for_what_the_message_has_not() -> None:
    asked = solana_sign_in_input(parse_sign_in_message({**FIELDS, "requestId": ""}))
    assert asked.keys() == {"domain", "address", "uri", "version", "chainId", "nonce", "issuedAt"}


@pytest.mark.parametrize(
    ("reference", "name"),
    [("4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z", "solana:testnet"), ("ownchain", "solana:localnet")],
)
def test_a_network_is_called_as_wallets_call_it(reference: str, name: str) -> None:
    assert solana_chain_name(parse_chain_id(f"solana:{reference}")) == name


def test_on_solana_both_texts_may_be_signed_and_elsewhere_only_ours() -> None:
    solana = parse_sign_in_message(FIELDS)
    ethereum = parse_sign_in_message({**FIELDS, "chainId": "eip155:1", "accountAddress": "0x" + "9" * 40})
    assert signable_texts(solana) == (sign_in_text(solana), SHORT_TEXT)
    assert signable_texts(ethereum) == (sign_in_text(ethereum),)
