"""What may be wrong with a receiver, without asking anybody."""

import pytest
from eth_utils.address import to_checksum_address
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.transfers.receiver_checks import (
    RECEIVER_WARNINGS,
    Receiver,
    in_order,
    is_burn_address,
    is_foreign_address,
    lookalikes,
    looks_like_name,
    resembles,
    same_address,
)

ALICE = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
ALICE_ALIKE = "0xf39F111111111111111111111111111111112266"
SOL = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
SOL_ALIKE = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM".replace("bmkg", "11aa")
DIGITS = st.text("0123456789abcdef", min_size=40, max_size=40)


@given(DIGITS, DIGITS)
def test_evm_addresses_are_compared_whatever_their_case(digits: str, middle: str) -> None:
    address, alike = f"0x{digits}", f"0x{digits[:4]}{middle[4:-4]}{digits[-4:]}"
    spelled = to_checksum_address(alike)
    assert resembles("eip155", address, spelled) == (address != alike)
    assert same_address("eip155", address.upper().replace("X", "x"), address)


@given(DIGITS, DIGITS, st.sampled_from([2, 3, 38, 41]))
def test_one_character_of_the_eight_less_is_no_lookalike(digits: str, middle: str, place: int) -> None:
    address, alike = f"0x{digits}", f"0x{digits[:4]}{middle[4:-4]}{digits[-4:]}"
    other = "0" if alike[place] != "0" else "1"
    assert not resembles("eip155", address, alike[:place] + other + alike[place + 1 :])


def test_an_address_does_not_resemble_itself() -> None:
    assert not resembles("eip155", ALICE, ALICE.lower())
    assert not resembles("solana", SOL, SOL)


def test_on_solana_case_tells_addresses_apart() -> None:
    assert resembles("solana", SOL, SOL_ALIKE)
    assert not resembles("solana", SOL, "8WzD" + SOL_ALIKE[4:])
    assert not same_address("solana", SOL, SOL.lower())


def test_but_no_eye_does() -> None:
    """Ends that only agree but for their case are thousands of times cheaper to find, and look the same in a hurry."""
    assert resembles("solana", SOL, "9wzd" + SOL_ALIKE[4:-4] + "awwm")


@pytest.mark.parametrize(
    ("address", "trusted", "met", "found"),
    [
        # (what is typed, sent to or own, received from, what it looks like)
        (ALICE_ALIKE, [ALICE], [], (ALICE,)),
        (ALICE_ALIKE, [], [ALICE], (ALICE,)),
        (ALICE, [ALICE], [], ()),
        (ALICE, [], [], ()),
        # A poisoner who pays more than dust makes themselves met; that is no reason to doubt whom one has sent to before.
        (ALICE, [ALICE], [ALICE_ALIKE], ()),
        # Who has fallen for it once is warned of both.
        (ALICE, [ALICE, ALICE_ALIKE], [], (ALICE_ALIKE,)),
        (ALICE_ALIKE.lower(), [ALICE, ALICE_ALIKE], [], (ALICE,)),
    ],
)
def test_lookalikes_are_those_of_the_visitors_own_past(
    address: str, trusted: list[str], met: list[str], found: tuple[str, ...]
) -> None:
    assert lookalikes("eip155", address, trusted=trusted, met=met) == found


@pytest.mark.parametrize(
    ("namespace", "address"),
    [
        ("eip155", "0x" + "0" * 40),
        ("eip155", "0x000000000000000000000000000000000000dEaD"),
        ("eip155", "0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF"),
        ("eip155", "0x" + "f" * 40),
        ("eip155", "0x" + "e" * 40),
        ("eip155", "0x0000000000000000000000000000000000000001"),
        ("eip155", "0x0000000000000000000000000000000000000100"),
        ("eip155", "0xdead000000000000000042069420694206942069"),
        ("solana", "11111111111111111111111111111111"),
        ("solana", "1nc1nerator11111111111111111111111111111111"),
        ("bip122", "1BitcoinEaterAddressDontSendf59kuE"),
        ("polkadot", "111111111111111111111111111111111HC1"),
        ("polkadot", "5C4hrfjw9DjXZTzV3MwzrrAr9P1MJhSrvWGWqi1eSuyUpnhM"),
    ],
)
def test_what_is_sent_there_is_gone(namespace: Namespace, address: str) -> None:
    assert is_burn_address(namespace, address)


@pytest.mark.parametrize(
    ("namespace", "address"),
    [
        ("eip155", ALICE),
        ("eip155", "0x0000000000000000000000000000000000010000"),
        ("solana", SOL),
        ("bip122", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
        ("polkadot", "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"),
    ],
)
def test_somebodys_addresses_are_no_burn_addresses(namespace: Namespace, address: str) -> None:
    assert not is_burn_address(namespace, address)


TRON = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
COSMOS = "cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu"


@pytest.mark.parametrize(
    ("namespace", "text"),
    [
        *(("eip155", text) for text in (SOL, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", TRON, COSMOS)),
        ("eip155", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"),
        ("eip155", "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"),
        ("solana", ALICE),
        ("solana", ALICE.replace("f39F", "F39F")),
        ("solana", TRON),
        ("solana", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"),
        ("bip122", ALICE),
    ],
)
def test_addresses_of_other_chains_are_told_from_nonsense(namespace: Namespace, text: str) -> None:
    assert is_foreign_address(namespace, text)


@pytest.mark.parametrize(
    ("namespace", "text"),
    [
        ("eip155", ALICE),
        ("eip155", ALICE[:-1]),
        ("eip155", "alice.eth"),
        ("eip155", ""),
        ("eip155", "0x"),
        ("solana", SOL),
        ("solana", SOL[:20]),
        ("solana", "hello"),
        ("eip155", TRON[:-1] + "u"),
    ],
)
def test_nonsense_and_own_addresses_are_not_foreign(namespace: Namespace, text: str) -> None:
    assert not is_foreign_address(namespace, text)


@pytest.mark.parametrize("text", ["alice.eth", "a.b.c", "bob.reown.id", "аlice.eth", "x.eth.", "日本.eth"])
def test_names_look_like_names(text: str) -> None:
    assert looks_like_name(text)


@pytest.mark.parametrize(
    "text", ["", ".", "..", "alice", "a b.eth", "https://a.eth", "a@b.eth", "x" * 300 + ".eth", ".eth"]
)
def test_other_texts_do_not(text: str) -> None:
    assert not looks_like_name(text)


@given(st.text(max_size=80), st.sampled_from(["eip155", "solana", "bip122", "polkadot"]))
def test_whatever_is_typed_is_judged(text: str, namespace: Namespace) -> None:
    is_foreign_address(namespace, text)
    looks_like_name(text)


@given(st.lists(st.sampled_from(RECEIVER_WARNINGS)))
def test_each_warning_is_shown_once_and_in_one_order(warnings: list[object]) -> None:
    shown = in_order(warnings)  # type: ignore[arg-type]  # hypothesis does not keep the literals apart
    assert (set(shown), len(shown)) == (set(warnings), len(set(warnings)))
    assert list(shown) == sorted(shown, key=RECEIVER_WARNINGS.index)


def test_a_receiver_without_an_address_cannot_be_used() -> None:
    assert not Receiver(warnings=("namespace",)).usable
    assert Receiver(ALICE, warnings=("burn",)).usable
