"""Requests of a host page in words: what each would do, and what speaks against it. Every text in them is a stranger's."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import pytest

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.summary import summarize
from walletmodal.core.requests.summary_messages import (
    HIDDEN,
    NOT_WHOLLY,
    RECAP_ELSEWHERE,
    RECAP_GRANTS,
    RECAP_UNREADABLE,
    UNREADABLE,
)
from walletmodal.core.requests.summary_parts import Summary, Token, reveal_hidden

ME = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
ROUTER = "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45"
TOKENS = {USDC: Token("USDC", 6)}


def summary(
    method: str, params: Any, *, chain: str = "eip155:1", origin: str = "https://shop.example", **how: Any
) -> Summary:
    request = read_request(method=method, chain=parse_chain_id(chain), account=ME, origin=origin, params=params)
    return summarize(request, **how)


def message(text: str | bytes, **how: Any) -> Summary:
    raw = text.encode() if isinstance(text, str) else text
    return summary("personal_sign", ["0x" + raw.hex(), ME], **how)


def rows(found: Summary, at: int = 0) -> dict[str, str]:
    return {row.name: row.value for row in found.parts[at].rows}


# messages


def test_a_message_in_hex_is_shown_as_the_text_that_it_is() -> None:
    assert (message("Grüße, 世界 🎉").text, message("Hello").encoded) == ("Grüße, 世界 🎉", False)


def test_a_message_that_is_no_text_is_shown_in_hex_and_marked() -> None:
    found = message(b"\xff\xfe" * 16)
    assert (found.text, found.encoded, found.warnings) == ("0x" + "fffe" * 16, True, (UNREADABLE,))


@pytest.mark.parametrize(
    "text", ["0x" + "ab" * 32, "k#9q$Zr!w0p)Xe~t7&Lm^c2*Vb5+Ns8=", "\u4f60\u597d" * 5 + "ok", bytes(range(32))]
)
def test_what_may_be_a_hash_is_marked(text: str | bytes) -> None:
    assert UNREADABLE in message(text).warnings


def test_as_many_bytes_as_a_hash_has_are_none_where_they_are_words() -> None:
    assert message("Sign in to Lemon Market, please!").warnings == ()


def test_an_ordinary_message_has_no_warning() -> None:
    assert message("Order 4711\nTwo tickets").warnings == ()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202eb", "a[U+202E]b"),
        ("a\u2066b\u2069", "a[U+2066]b[U+2069]"),
        ("a\u200bb", "a[U+200B]b"),
        ("a\ufeffb", "a[U+FEFF]b"),
        ("a\x00b", "a[U+0000]b"),
        ("a\x1b[31mb", "a[U+001B][31mb"),
        ("a\u3164b", "a[U+3164]b"),
        ("a\u2028b", "a[U+2028]b"),
        ("a\rb", "a[U+000D]b"),
        ("a\U000e0041b", "a[U+E0041]b"),
    ],
)
def test_what_hides_in_a_message_is_written_out_and_marked(text: str, shown: str) -> None:
    found = message(text)
    assert (found.text, found.warnings) == (shown, (HIDDEN,))


def test_what_hides_behind_the_first_look_is_marked_too() -> None:
    assert HIDDEN in message("x" * 5000 + "\u202e").warnings


@pytest.mark.parametrize("text", ["👩‍🚀", "नमस्ते", "مرحبا", "é", "🇩🇪"])
def test_letters_of_every_script_stay(text: str) -> None:
    assert reveal_hidden(text) == (text, False)


def test_a_long_message_is_cut_at_first_and_says_so() -> None:
    found = message("x" * 5000)
    assert (len(found.text), found.hidden) == (1200, True)


def test_what_is_too_long_altogether_is_marked() -> None:
    found = message("x" * 90_000, whole=True)
    assert (found.hidden, NOT_WHOLLY in found.warnings) == (True, True)


@pytest.mark.parametrize(
    ("method", "params", "chain"),
    [
        ("solana_signMessage", {"message": "9Ajdvzr", "pubkey": ME}, "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"),
        ("signMessage", {"message": "Hello", "address": ME}, "bip122:000000000019d6689c085ae165831e93"),
        ("polkadot_signMessage", {"message": "Hello", "address": ME}, "polkadot:91b171bb158e2d3848fa23a9f1c25182"),
        ("personal_sign", ["Hello", ME], "eip155:1"),
    ],
)
def test_every_namespace_has_its_messages_shown(method: str, params: Any, chain: str) -> None:
    assert summary(method, params, chain=chain).text == "Hello"


# sign-ins


def sign_in(domain: str = "shop.example", account: str = ME, uri: str = "https://shop.example/login") -> str:
    return (
        f"{domain} wants you to sign in with your Ethereum account:\n{account}\n\nWelcome.\n\nURI: {uri}\nVersion: 1\n"
        "Chain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00.000Z"
    )


def test_a_sign_in_of_the_page_itself_is_called_one() -> None:
    found = message(sign_in())
    assert (found.title, found.warnings) == ("Sign in", ())


@pytest.mark.parametrize(
    "domain", ["bank.example", "https://bank.example", "shop.example.evil", "shop.example@bank.example"]
)
def test_a_sign_in_to_somewhere_else_is_marked(domain: str) -> None:
    (warning, *_) = message(sign_in(domain)).warnings
    assert "signs you in to" in warning


def test_a_sign_in_of_another_account_is_marked() -> None:
    assert message(sign_in(account=OTHER)).warnings == ("It names another account than the one that signs.",)


def test_a_sign_in_that_leads_elsewhere_is_marked() -> None:
    assert message(sign_in(uri="https://bank.example")).warnings == ("The page that it leads to is not of that site.",)


def test_a_sign_in_that_is_wrapped_in_other_words_is_marked() -> None:
    (warning,) = message("Please confirm.\n" + sign_in()).warnings
    assert "none that shop.example could make" in warning


# what has no form of its own


def test_other_requests_show_what_the_host_has_sent() -> None:
    found = summary("wallet_revokePermissions", [{"chainId": "0x1", "expiry": 1, "nested": {"on": True}}])
    assert [(row.depth, row.name, row.value) for row in found.parts[0].rows] == [
        (0, "Network", "Ethereum"),
        (0, "expiry", "1"),
        (0, "nested", ""),
        (1, "on", "yes"),
    ]


@pytest.mark.parametrize("several", [True, False])
def test_permissions_that_are_taken_back_are_named(several: bool) -> None:
    given = {"permissionContext": "0xabcd", "chainId": "0x89", "more": 1}
    found = summary("wallet_revokePermissions", [given] if several else given)
    assert (found.title, found.parts[0].title, rows(found)) == (
        "Take back permissions",
        "No longer allowed",
        {"Permission": "0xabcd", "Network": "Polygon", "more": "1"},
    )


def test_a_payment_of_bitcoins_says_how_much_to_whom() -> None:
    params = {"recipientAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "amount": "150000", "account": ME}
    found = summary("sendTransfer", params, chain="bip122:000000000019d6689c085ae165831e93")
    assert found.parts[0].title == "Send 0.0015 BTC"


@pytest.mark.parametrize(
    ("more", "row"),
    [
        ({"changeAddress": "bc1evil"}, {"Change goes to": "bc1evil"}),
        ({"changeAddress": 5}, {"Change goes to": "5"}),
        ({"memo": "for\u202e you"}, {"Note": "for[U+202E] you"}),
        ({"outputs": [{}]}, {"Also has": "outputs"}),
    ],
)
def test_whatever_else_a_payment_of_bitcoins_has_is_shown(more: Any, row: dict[str, str]) -> None:
    params = {"recipientAddress": "bc1q", "amount": "150000", "account": ME, **more}
    found = summary("sendTransfer", params, chain="bip122:000000000019d6689c085ae165831e93")
    assert rows(found) == {"To": "bc1q", **row}
    assert bool(found.warnings) is ("changeAddress" in more)


def test_the_network_that_the_account_is_on_counts() -> None:
    request = read_request(
        method="eth_sendTransaction",
        chain=parse_chain_id("eip155:137"),
        account=ME,
        origin="https://shop.example",
        params=[{"from": ME, "to": OTHER, "value": hex(10**18)}],
    )
    names = {summarize(replace(request, chain=parse_chain_id(chain))).title for chain in ("eip155:1", "eip155:137")}
    assert names == {"Send 1 ETH", "Send 1 POL"}


def recap(attributed: Any) -> str:
    text = json.dumps({"att": attributed, "prf": []})
    return "urn:recap:" + base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def with_resources(*resources: str) -> Summary:
    head = f"shop.example wants you to sign in with your Ethereum account:\n{ME}\n\nWelcome.\n\nURI: https://shop.example\n"
    rest = "Version: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z\nResources:\n"
    return message(head + rest + "\n".join(f"- {one}" for one in resources))


def test_what_a_sign_in_allows_besides_is_told_in_words() -> None:
    methods = {
        "request/eth_sendTransaction": [{"chains": ["eip155:1", "eip155:999999"]}],
        "request/personal_sign": [{}],
    }
    found = with_resources(
        "https://shop.example/terms", recap({"eip155": methods, "https://store.example": {"crud/delete": [{"max": 5}]}})
    )
    assert [(row.name, row.value) for row in found.parts[0].rows] == [
        ("Of your wallet", "ask for eth_sendTransaction on Ethereum, eip155:999999"),
        ("Of your wallet", "ask for personal_sign"),
        ("https://store.example", 'crud/delete ({"max": 5})'.replace("(", "([").replace(")", "])")),
    ]
    assert found.warnings == (RECAP_GRANTS,)


@pytest.mark.parametrize(
    "resource",
    [
        "urn:recap:!!!!",
        "urn:recap:" + base64.b64encode(b"[1]").decode(),
        recap({}),
        recap({"eip155": ["request/x"]}),
        recap({"eip155": {"request/x": {}}}),
        "urn:recap:" + base64.b64encode(b'{"att":' + b'{"a":' * 500 + b"1" + b"}" * 501).decode(),
    ],
)
def test_what_a_sign_in_allows_unreadably_is_warned_of(resource: str) -> None:
    found = with_resources(resource)
    assert (found.parts, found.warnings) == ((), (RECAP_UNREADABLE,))


@pytest.mark.parametrize("limits", [[{"chains": 5}], [5], [None, {}], [{"chains": [{"a": 1}]}], [[]], []])
def test_limits_of_any_form_are_shown(limits: list[Any]) -> None:
    (part,) = with_resources(recap({"eip155": {"request/x": limits}})).parts
    assert part.rows[0].value.startswith("ask for x")


def test_a_recap_that_is_not_last_is_warned_of() -> None:
    found = with_resources(recap({"eip155": {"request/x": [{}]}}), "https://shop.example/terms")
    assert found.warnings == (RECAP_ELSEWHERE,)


def test_more_permissions_than_are_shown_are_marked() -> None:
    many = {f"request/m{n}": [{"n": n}] for n in range(50)}
    assert with_resources(recap({"eip155": many})).hidden
