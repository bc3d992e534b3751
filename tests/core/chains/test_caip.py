"""CAIP-2 and CAIP-10."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.chains.caip import (
    NAMESPACES,
    AccountId,
    ChainId,
    name_coin_chain,
    parse_account_id,
    parse_chain_id,
    require_caip_address,
)
from walletmodal.core.errors import CaipError

REFERENCES = st.from_regex(r"[-_a-zA-Z0-9]{1,32}", fullmatch=True)
EVM_REFERENCES = st.integers(0, 2**53 - 1).map(str)
CHAINS = st.one_of(
    st.builds(ChainId, st.just("eip155"), EVM_REFERENCES),
    st.builds(ChainId, st.sampled_from([n for n in NAMESPACES if n != "eip155"]), REFERENCES),
)


@given(CHAINS)
def test_a_chain_id_survives_its_text(chain: ChainId) -> None:
    assert parse_chain_id(str(chain)) == chain


@given(CHAINS, st.from_regex(r"[-.%a-zA-Z0-9]{1,128}", fullmatch=True))
def test_an_account_id_survives_its_text(chain: ChainId, address: str) -> None:
    account = AccountId(chain, address)
    assert parse_account_id(str(account)) == account


@given(st.text())
def test_any_text_is_read_or_refused_with_a_caip_error(text: str) -> None:
    for parse in (parse_chain_id, parse_account_id):
        with contextlib.suppress(CaipError):
            assert str(parse(text)) == text


@every_case(
    "text",
    ["", ":", "eip155", "eip155:", ":1", "eip155:1:2", "EIP155:1", "cosmos:hub", "eip155:01", "eip155:-1", "eip155:x",
     "eip155: 1", "eip155:1\n", "solana:" + "a" * 33, "eip155:١", f"eip155:{2**53}", "eip155:" + "9" * 32],
)  # fmt: skip
def test_what_is_no_network_id_is_named(text: str) -> None:
    with pytest.raises(CaipError) as raised:
        parse_chain_id(text)
    assert raised.value.short_message == f"Invalid CAIP-2 network id: {text}"


@pytest.mark.parametrize(
    "text", ["", "eip155:1", "eip155:1:", "eip155::0x0", "eip155:1:0x0:x", "near:1:a", "eip155:1:a b", "eip155:1:a/b"]
)
def test_what_is_no_address_is_named(text: str) -> None:
    with pytest.raises(CaipError) as raised:
        parse_account_id(text)
    assert raised.value.short_message == f"Invalid CAIP-10 address: {text}"


def test_a_visitor_gets_the_text_of_the_specification() -> None:
    with pytest.raises(CaipError) as raised:
        require_caip_address("nonsense")
    assert raised.value.short_message == "Invalid CAIP Address"


def test_a_long_text_is_cut_in_the_error() -> None:
    with pytest.raises(CaipError) as raised:
        parse_chain_id("x" * 10_000)
    assert len(raised.value.short_message) < 200


def test_the_number_of_an_evm_chain() -> None:
    assert parse_chain_id("eip155:137").number == 137


def test_other_namespaces_have_no_number() -> None:
    with pytest.raises(CaipError, match="Invalid chainId"):
        _ = parse_chain_id("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp").number


def test_a_chain_id_for_names_is_below_two_to_the_31() -> None:
    assert name_coin_chain(ChainId("eip155", str(2**31 - 1))) == 2**31 - 1
    with pytest.raises(CaipError, match="Invalid chainId"):
        name_coin_chain(ChainId("eip155", str(2**31)))
