"""The text of a sign-in, read back."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import ShapeError
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.core.sign_in.message import MAX_SIGN_IN_TEXT, parse_sign_in_message, sign_in_text
from walletmodal.core.sign_in.reading import read_sign_in_text

ADDRESS = "0xA0Cf798816D4b9b9866b5330EEa46a18382f251e"
# Made by viem 2.45.0, `createSiweMessage`.
SHORT = f"""example.com wants you to sign in with your Ethereum account:
{ADDRESS}


URI: https://example.com/path
Version: 1
Chain ID: 1
Nonce: foobarbaz
Issued At: 2023-02-01T00:00:00.000Z"""
LONG = f"""localhost:8700 wants you to sign in with your Ethereum account:
{ADDRESS}

I accept the ExampleOrg Terms of Service: https://example.com/tos

URI: https://example.com/path
Version: 1
Chain ID: 8453
Nonce: foobarbaz
Issued At: 2023-02-01T00:00:00.000Z
Expiration Time: 2023-02-08T00:00:00.000Z
Not Before: 2023-02-01T00:00:01.500Z
Request ID: 123e4567-e89b-12d3-a456-426614174000
Resources:
- https://example.com/foo
- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/"""
ISSUED = datetime(2023, 2, 1, tzinfo=UTC)
ACCOUNTS = (
    ("eip155:1", ADDRESS),
    ("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "So11111111111111111111111111111111111111112"),
    ("bip122:000000000019d6689c085ae165831e93", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
    ("polkadot:91b171bb158e2d3848fa23a9f1c25182", "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"),
)


def test_a_text_of_another_library_is_read() -> None:
    message = read_sign_in_text(LONG)
    assert (message.domain, str(message.account_id)) == ("localhost:8700", f"eip155:8453:{ADDRESS}")
    assert message.statement == "I accept the ExampleOrg Terms of Service: https://example.com/tos"
    assert (message.issued_at, message.expiration_time) == (ISSUED, ISSUED + timedelta(days=7))
    assert message.not_before == ISSUED + timedelta(seconds=1.5)
    assert message.request_id == "123e4567-e89b-12d3-a456-426614174000"
    assert len(message.resources) == 2


def test_what_another_library_leaves_out_is_missing() -> None:
    message = read_sign_in_text(SHORT)
    assert (message.statement, message.expiration_time, message.not_before, message.request_id, message.resources) == (
        None,
        None,
        None,
        None,
        (),
    )


def instants() -> st.SearchStrategy[str]:
    moments = st.datetimes(datetime(1970, 1, 2), datetime(9998, 1, 1))  # noqa: DTZ001 - the strategy takes no zone
    return moments.map(lambda one: one.replace(microsecond=one.microsecond // 1000 * 1000).isoformat())


URIS = st.from_regex(r"[a-z]{1,8}:[!-~]{1,40}", fullmatch=True)


@given(
    account=st.sampled_from(ACCOUNTS),
    statement=st.none() | st.text(min_size=1, max_size=60),
    nonce=st.from_regex(r"[a-zA-Z0-9]{8,40}", fullmatch=True),
    times=st.tuples(instants(), st.none() | instants(), st.none() | instants()),
    request_id=st.none() | st.from_regex(r"[A-Za-z0-9._~!$&'()*+,;=:@%/-]{0,20}", fullmatch=True),
    resources=st.lists(URIS, max_size=4),
)
def test_every_message_is_read_back_as_it_was(
    account: tuple[str, str],
    statement: str | None,
    nonce: str,
    times: tuple[str, str | None, str | None],
    request_id: str | None,
    resources: list[str],
) -> None:
    issued, expires, starts = times
    fields = {"domain": "app.example", "accountAddress": account[1], "uri": "https://app.example", "chainId": account[0], "nonce": nonce,
              "issuedAt": issued, "expirationTime": expires, "notBefore": starts, "statement": statement, "requestId": request_id,
              "resources": resources}  # fmt: skip
    try:
        message = parse_sign_in_message(fields)
    except ShapeError:
        return
    assert read_sign_in_text(sign_in_text(message)) == message


def test_what_waits_for_its_signature_as_json_is_the_same_message_afterwards() -> None:
    message = read_sign_in_text(LONG)
    assert parse_sign_in_message(read_json(message.model_dump_json(by_alias=True).encode())) == message


def line(number: int, text: str | None) -> Callable[[str], str]:
    """Replaces a line of the long text, or takes it out."""

    def change(whole: str) -> str:
        lines = whole.split("\n")
        return "\n".join(lines[:number] + ([] if text is None else [text]) + lines[number + 1 :])

    return change


@every_case(
    "change",
    [
        lambda _: "",
        lambda whole: whole + "\n",
        lambda whole: "\n" + whole,
        lambda whole: whole.replace("\n", "\r\n"),
        lambda whole: whole.replace("\n\n", "\n"),
        lambda whole: "https://" + whole,
        lambda whole: whole.replace("Ethereum", "Dogecoin"),
        lambda whole: whole.replace("Ethereum", "Solana"),
        lambda whole: whole.replace(ADDRESS, ADDRESS.lower()),
        lambda whole: whole.replace(ADDRESS, ADDRESS[:-1]),
        lambda whole: whole.replace(ADDRESS, ADDRESS.replace("A0Cf", "a0cf")),
        lambda whole: whole.replace("Version: 1", "Version: 2"),
        lambda whole: whole.replace("Chain ID: 8453", "Chain ID: 08453"),
        lambda whole: whole.replace("Chain ID: 8453", "Chain ID: eip155:8453"),
        lambda whole: whole.replace("Chain ID: 8453", "Chain ID: "),
        lambda whole: whole.replace("00:00:00.000Z", "00:00:00Z"),
        lambda whole: whole.replace("00:00:00.000Z", "00:00:00.000+00:00"),
        lambda whole: whole.replace("00:00:00.000Z", "00:00:00.000000Z"),
        lambda whole: whole.replace("2023-02-01T", "2023-02-01t"),
        lambda whole: whole.replace("Not Before", "not before"),
        lambda whole: whole.replace("- ", "* "),
        line(0, "example.com wants you to sign in:"),
        line(6, None),
        line(8, None),
        line(8, "Nonce:foobarbaz"),
        line(9, None),
        line(10, "Not Before: 2023-02-01T00:00:01.500Z"),
        line(13, None),
        line(15, ""),
        lambda whole: whole.partition("Resources:")[0] + "Resources:",
        lambda whole: whole + "\n- https://example.com/x" * 40,
        lambda whole: whole + "x" * MAX_SIGN_IN_TEXT,
        lambda whole: whole.replace("I accept", "I\ud800accept"),
    ],
)
def test_any_other_spelling_is_refused(change: Callable[[str], str]) -> None:
    changed = change(LONG)
    assert changed != LONG
    with pytest.raises(ShapeError):
        read_sign_in_text(changed)


@given(st.data())
def test_a_text_with_one_other_character_is_another_message_or_none(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(LONG) - 1))
    other = data.draw(st.sampled_from(" \nx0:Z-") | st.characters())
    changed = LONG[:at] + other + LONG[at + 1 :]
    try:
        message = read_sign_in_text(changed)
    except ShapeError:
        return
    assert sign_in_text(message) == changed
    assert (message == read_sign_in_text(LONG)) == (changed == LONG)


@given(st.text(max_size=300))
def test_no_text_makes_the_reader_fail(text: str) -> None:
    with pytest.raises(ShapeError):
        read_sign_in_text(text)


def test_the_accounts_of_these_tests_are_in_their_normal_spelling() -> None:
    assert all(normal_address(parse_chain_id(chain).namespace, address) == address for chain, address in ACCOUNTS)
