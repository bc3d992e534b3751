"""What transactions take at most, as the server reads them; and the amounts of settings."""

from typing import Any, Final

import pytest
from eth_typing import Hash32
from eth_utils.crypto import keccak
from eth_utils.encoding import int_to_big_endian
from solders.compute_budget import set_compute_unit_limit, set_compute_unit_price
from solders.instruction import Instruction
from solders.pubkey import Pubkey

from tests.secure.frame_page import page
from tests.secure.transactions import (
    ETHEREUM,
    FEE,
    RECEIVER,
    SOLANA,
    TOKEN,
    account,
    call,
    lamports,
    legacy,
    payload,
    sent,
    solana_sent,
    token_transfer,
    tokens,
)
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.secure.spending import payload_of, read_amounts, spending_of

ITS_TOKEN = f"{ETHEREUM}:{TOKEN}"


def spent(transaction: str, chain: str = ETHEREUM) -> dict[str, int] | None:
    return spending_of(parse_chain_id(chain), payload(transaction, chain))


@pytest.mark.parametrize("made", [sent, legacy])
def test_coins_are_counted_with_the_highest_fee(made: Any) -> None:
    assert spent(made(5)) == {ETHEREUM: 5 + FEE}


def test_the_network_is_that_of_the_transaction_not_the_one_that_is_named() -> None:
    assert spent(sent(5, chainId=137), ETHEREUM) == {"eip155:137": 5 + FEE}


@pytest.mark.parametrize("made", [sent, legacy])
def test_what_was_signed_is_found_in_what_is_sent(made: Any) -> None:
    transaction = made(5)
    signature = account.unsafe_sign_hash(Hash32(keccak(payload(transaction))))
    assert transaction.endswith(int_to_big_endian(signature.s).hex())


@pytest.mark.parametrize(
    "data",
    [
        call("a9059cbb", RECEIVER, 7),
        call("095ea7b3", RECEIVER, 7),
        call("39509351", RECEIVER, 7),
        call("23b872dd", RECEIVER, RECEIVER, 7),
    ],
    ids=["transfer", "approve", "increaseAllowance", "transferFrom"],
)
def test_tokens_are_counted_where_they_are_sent_and_where_they_are_allowed(data: str) -> None:
    assert spent(sent(data=data, to=TOKEN)) == {ETHEREUM: FEE, ITS_TOKEN: 7}


@pytest.mark.parametrize(
    "data",
    [
        "12345678",
        "a9",
        call("a9059cbb", RECEIVER),
        call("a9059cbb", RECEIVER, 7, 7),
        call("a22cb465", RECEIVER, 1),
        call("87517c45", TOKEN, RECEIVER, 7, 9),
    ],
    ids=["unknown", "short", "cut off", "too long", "setApprovalForAll", "of Permit2"],
)
def test_nobody_can_tell_what_other_calls_take(data: str) -> None:
    assert spent(sent(data=data, to=TOKEN)) is None


def test_nobody_can_tell_what_a_new_contract_takes() -> None:
    assert spent(sent(to="", data="60")) is None


@pytest.mark.parametrize("given", [b"", b"\x02", b"\x02\xc0", b"\xc0", b"\xff" * 40, b"\xc1" * 5000, b"\x01\xc0"])
def test_what_is_no_transaction_is_not_measured(given: bytes) -> None:
    assert spending_of(parse_chain_id(ETHEREUM), given) is None
    assert spending_of(parse_chain_id(SOLANA), given) is None


@pytest.mark.parametrize("version", [None, 0])
def test_coins_of_solana_are_counted_with_the_fee(version: int | None) -> None:
    assert spent(solana_sent(lamports(5), lamports(6), version=version), SOLANA) == {SOLANA: 11 + 5000}


def test_every_network_of_solana_is_measured_as_the_main_one() -> None:
    devnet = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"
    assert spending_of(parse_chain_id(devnet), payload(solana_sent(lamports(5)), devnet)) == {SOLANA: 5 + 5000}


def test_tokens_of_solana_are_counted_where_the_mint_is_named() -> None:
    mint = Pubkey.new_unique()
    assert spent(solana_sent(tokens(mint, 7)), SOLANA) == {SOLANA: 5000, f"{SOLANA}:{mint}": 7}


def test_nobody_can_tell_what_another_program_takes() -> None:
    unknown = Instruction(Pubkey.new_unique(), b"", [])
    assert spent(solana_sent(lamports(5), unknown), SOLANA) is None


def test_what_is_sent_in_another_form_is_not_read() -> None:
    nothing: list[object] = [None, [], ["0x02zz"], [7], ["0x"]]
    for given in nothing:
        assert payload_of(parse_chain_id(ETHEREUM), given) is None
    for given in ([""], ["gA=="], ["no base64!"]):
        assert payload_of(parse_chain_id(SOLANA), given) is None


PAYLOADS: Final = [
    (ETHEREUM, payload(sent(5))),
    (ETHEREUM, payload(legacy(5))),
    (ETHEREUM, payload(token_transfer(7))),
    (ETHEREUM, payload(sent(data=call("095ea7b3", RECEIVER, 2**256 - 1), to=TOKEN))),
    (ETHEREUM, payload(sent(data="12345678", to=TOKEN))),
    (ETHEREUM, payload(sent(to="", data="60"))),
    (ETHEREUM, b"\x02\xc0"),
    (SOLANA, payload(solana_sent(lamports(5), lamports(6), version=None), SOLANA)),
    (SOLANA, payload(solana_sent(set_compute_unit_limit(300_000), set_compute_unit_price(7), lamports(5)), SOLANA)),
    (SOLANA, payload(solana_sent(set_compute_unit_price(1_000_003), lamports(5)), SOLANA)),
    (SOLANA, payload(solana_sent(tokens(Pubkey.new_unique(), 7)), SOLANA)),
    (SOLANA, payload(solana_sent(Instruction(Pubkey.new_unique(), b"", [])), SOLANA)),
    (SOLANA, b"\x01"),
]


def test_the_page_reads_the_same() -> None:
    ours = [spending_of(parse_chain_id(chain), one) for chain, one in PAYLOADS]
    page_s = page(*({"chain": chain, "payload": one.hex()} for chain, one in PAYLOADS))
    assert [_of_page(one["spent"]) for one in page_s] == [_of_server(one) for one in ours]


def _of_page(spent: dict[str, str] | None) -> dict[str, int] | None:
    return None if spent is None else {asset.lower(): int(amount) for asset, amount in spent.items()}


def _of_server(spent: dict[str, int] | None) -> dict[str, int] | None:
    return None if spent is None else {asset.lower(): amount for asset, amount in spent.items()}


def test_amounts_are_coins_and_base_units_of_tokens() -> None:
    text = f" {ETHEREUM}=0.5, {SOLANA}=2 ,{ETHEREUM}:{TOKEN.lower()}=100"
    assert read_amounts(text) == {ETHEREUM: 5 * 10**17, SOLANA: 2 * 10**9, ITS_TOKEN: 100}


@pytest.mark.parametrize(
    "text",
    [
        *("eip155:1", "eip155:1=-1", "eip155:1=x", "eip155:987654321=1", f"{ITS_TOKEN}=0.5", "usd=5"),
        f"{ITS_TOKEN}=5,{ITS_TOKEN.lower()}=6",
    ],
)
def test_wrong_amounts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"amount|neither"):
        read_amounts(text)
