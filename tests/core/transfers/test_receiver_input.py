"""What people paste where an address is wanted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.transfers.receiver_input import MAX_PASTED, PastedReceiver, clean_receiver

ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
TOKEN = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
SOL = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
BTC = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
MAINNET, POLYGON = parse_chain_id("eip155:1"), parse_chain_id("eip155:137")
GENESIS = parse_chain_id("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")


@pytest.mark.parametrize(
    "text",
    [
        ADDRESS,
        f"  {ADDRESS}\n",
        f"\ufeff\u200b{ADDRESS}\u200d\u2060",
        f"{ADDRESS[:10]} {ADDRESS[10:20]}\u00a0{ADDRESS[20:]}",
        "\u200b".join(ADDRESS),
        f"\u202e{ADDRESS}\u202c",
        f"{ADDRESS[:21]}\r\n{ADDRESS[21:]}",
    ],
)
def test_spaces_and_what_cannot_be_seen_are_left_out_of_addresses(text: str) -> None:
    assert clean_receiver(text) == PastedReceiver(ADDRESS)


@pytest.mark.parametrize("name", ["alice.eth", "👨\u200d👩\u200d👧.eth", "al\u200bice.eth", "al ice.eth"])
def test_a_name_keeps_its_inside(name: str) -> None:
    assert clean_receiver(f" {name}\u200b ") == PastedReceiver(name)


@every_case(
    ("text", "meant"),
    [
        (f"ethereum:{ADDRESS}", PastedReceiver(ADDRESS, None, "eip155")),
        (f"ETHEREUM:{ADDRESS}", PastedReceiver(ADDRESS, None, "eip155")),
        (f"ethereum:pay-{ADDRESS}?value=2.014e18", PastedReceiver(ADDRESS, None, "eip155")),
        (f"ethereum:{ADDRESS}@137?value=1", PastedReceiver(ADDRESS, POLYGON, "eip155")),
        (f"ethereum:{ADDRESS}@0", PastedReceiver(ADDRESS, parse_chain_id("eip155:0"), "eip155")),
        ("ethereum:alice.eth", PastedReceiver("alice.eth", None, "eip155")),
        # Of a token transfer the target is the token's contract, and the receiver a parameter.
        (f"ethereum:{TOKEN}@1/transfer?address={ADDRESS}&uint256=1", PastedReceiver(ADDRESS, MAINNET, "eip155")),
        (f"ethereum:{TOKEN}/transfer?uint256=1", PastedReceiver("", None, "eip155")),
        (f"ethereum:{TOKEN}/transfer?address={ADDRESS}&address={TOKEN}", PastedReceiver("", None, "eip155")),
        (f"ethereum:{TOKEN}/approve?address={ADDRESS}&uint256=1", PastedReceiver("", None, "eip155")),
        ("ethereum:", PastedReceiver("", None, "eip155")),
        (f"solana:{SOL}?amount=1&label=shop", PastedReceiver(SOL, None, "solana")),
        (f"bitcoin:{BTC}?amount=0.1", PastedReceiver(BTC, None, "bip122")),
        (f"bitcoin:{BTC}?amount=0.1&message=req-uest&x=req-y", PastedReceiver(BTC, None, "bip122")),
        (f"bitcoin:{BTC}?req-expires=1700000000", PastedReceiver("", None, "bip122")),
        (f"bitcoin:{BTC}?amount=0.1&req-pj=https://shop.example", PastedReceiver("", None, "bip122")),
        (f"BITCOIN:{BTC.upper()}?AMOUNT=1&REQ-X", PastedReceiver("", None, "bip122")),
        (f"bitcoin:{BTC}?re%71-x=1", PastedReceiver("", None, "bip122")),
        (f"bitcoin:{BTC}?label={'a' * MAX_PASTED}&req-x=1", PastedReceiver("", None, "bip122")),
        (f"eip155:137:{ADDRESS}", PastedReceiver(ADDRESS, POLYGON, "eip155")),
        (f"{GENESIS}:{SOL}", PastedReceiver(SOL, GENESIS, "solana")),
        (f"eth:{ADDRESS}", PastedReceiver(ADDRESS, MAINNET, "eip155")),
        (f"matic:{ADDRESS}", PastedReceiver(ADDRESS, POLYGON, "eip155")),
        (f"nosuchchain:{ADDRESS}", PastedReceiver(ADDRESS, parse_chain_id("eip155:0"), "eip155")),
        (f"e t h : {ADDRESS}", PastedReceiver(ADDRESS, MAINNET, "eip155")),
        ("mailto:someone", PastedReceiver("mailto:someone")),
        ("", PastedReceiver("")),
    ],
)
def test_uris_and_ids_name_their_receiver_and_network(text: str, meant: PastedReceiver) -> None:
    assert clean_receiver(text) == meant


@given(st.text())
def test_whatever_is_pasted_comes_out_short_and_trimmed(text: str) -> None:
    meant = clean_receiver(text)
    assert len(meant.text) <= MAX_PASTED
    assert meant.text == meant.text.strip()


@given(st.sampled_from([ADDRESS, SOL, BTC, "alice.eth"]))
def test_what_is_clean_stays_as_it_is(text: str) -> None:
    assert clean_receiver(text) == PastedReceiver(text)
