"""Permissions for later (ERC-7715) in words, in each state of the draft that wallets have."""

from __future__ import annotations

from typing import Any

import pytest

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.permissions.dangers import DANGER_TEXTS
from walletmodal.core.requests.grant_reading import MAX_RULES
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.summary import summarize
from walletmodal.core.requests.summary_cost import TAKEN_BY_CALLS
from walletmodal.core.requests.summary_parts import Summary, Token
from walletmodal.core.requests.summary_permissions import (
    GRANT_WARNING,
    MORE_WARNING,
    OTHER_ACCOUNT_WARNING,
    UNKNOWN_WARNING,
)

ME = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
SHOP = "0x016562aA41A8697720ce0943F003141f5dEAe006"
USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
TOKENS = {USDC: Token("USDC", 6)}
NEW_YEAR = 1_798_761_600
NOW = 1_795_000_000
ALL = "0x" + "f" * 64
DAY = 86_400


def summary(*grants: Any, at: int = 0, **how: Any) -> Summary:
    request = read_request(
        method="wallet_grantPermissions",
        chain=parse_chain_id("eip155:1"),
        account=ME,
        origin="https://shop.example",
        params=list(grants),
        at=at,
    )
    return summarize(request, tokens=TOKENS, **how)


def grant(kind: str, data: Any, **more: Any) -> dict[str, Any]:
    """Of the standard's text: one permission, an account that acts, an end."""
    return {
        "chainId": "0x1",
        "expiry": NEW_YEAR,
        "signer": {"type": "account", "data": {"address": SHOP}},
        "permission": {"type": kind, "data": data},
        **more,
    }


def rows(found: Summary, at: int = 1) -> dict[str, str]:
    return {row.name: row.value for row in found.parts[at].rows}


COINS = grant("native-token-transfer", {"allowance": hex(10**17)})


def test_it_says_who_may_act_until_when() -> None:
    found = summary(COINS)
    assert (found.title, found.parts[0].title, rows(found, 0), found.warnings) == (
        "Grant permissions",
        "Who may act",
        {"Address": SHOP, "Until": "2027-01-01 00:00 UTC"},
        (GRANT_WARNING,),
    )


@pytest.mark.parametrize(
    ("kind", "data", "title", "told"),
    [
        ("native-token-transfer", {"allowance": "0x1DCD6500"}, "Spend ETH", {"How much": "0.0000000005 ETH"}),
        (
            "erc20-token-transfer",
            {"address": USDC.lower(), "allowance": hex(25_000_000)},
            "Spend USDC",
            {"How much": "25 USDC", "Token": USDC},
        ),
        (
            "erc20-token-periodic",
            {"tokenAddress": USDC, "periodAmount": "10000000", "periodDuration": 7 * DAY, "startTime": NEW_YEAR},
            "Spend USDC again and again",
            {"How much": "10 USDC every 7 days", "Token": USDC, "From": "2027-01-01 00:00 UTC"},
        ),
        (
            "native-token-recurring-allowance",
            {"allowance": hex(10**18), "start": 1, "period": 7 * DAY},
            "Spend ETH again and again",
            {"How much": "1 ETH every 7 days", "start": "1"},
        ),
        (
            "native-token-stream",
            {"initialAmount": hex(10**16), "amountPerSecond": hex(10**12), "maxAmount": hex(10**18)},
            "Spend ETH, more with every second",
            {"Altogether at most": "1 ETH", "At once": "0.01 ETH", "Every second": "0.000001 ETH"},
        ),
        (
            "erc721-token-transfer",
            {"address": USDC, "tokenIds": ["0x1", "0x2"]},
            "Take NFTs",
            {"Collection": USDC, "tokenIds": "", "1": "0x1", "2": "0x2"},
        ),
        (
            "contract-call",
            {"address": USDC, "calls": ["mint(uint256)"]},
            "Call a contract",
            {"Contract": USDC, "calls": "", "": "mint(uint256)"},
        ),
    ],
)
def test_every_known_permission_says_what_and_how_much(
    kind: str, data: dict[str, Any], title: str, told: dict[str, str]
) -> None:
    found = summary(grant(kind, data))
    assert (found.parts[1].title, rows(found), found.warnings) == (title, told, (GRANT_WARNING,))


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("native-token-transfer", {}),
        ("native-token-transfer", {"allowance": ALL}),
        ("native-token-transfer", {"allowance": "lots"}),
        ("native-token-transfer", None),
        ("native-token-recurring-allowance", {"allowance": "0x1"}),
        ("erc20-token-transfer", {"address": USDC, "allowance": hex(2**96 - 1)}),
        ("erc20-token-stream", {"tokenAddress": USDC, "initialAmount": "0x1", "amountPerSecond": "0x1"}),
        ("erc20-token-periodic", {"tokenAddress": USDC, "periodAmount": "0x1", "periodDuration": 0}),
        ("erc20-token-periodic", {"tokenAddress": USDC, "periodAmount": "0x1"}),
    ],
)
def test_what_has_no_limit_is_marked(kind: str, data: Any) -> None:
    found = summary(grant(kind, data))
    assert found.warnings == (GRANT_WARNING, DANGER_TEXTS["unlimited"])
    assert any(row.tone == "warning" for row in found.parts[1].rows)


def policy(kind: str, **data: Any) -> list[dict[str, Any]]:
    return [{"type": kind, "data": data}]


@pytest.mark.parametrize(
    ("policies", "told"),
    [
        (policy("gas-limit", limit="0x1DCD6500"), {"Gas at most": "500000000"}),
        (policy("call-limit", count=5), {"Calls at most": "5"}),
        (policy("rate-limit", count=2, interval=3600), {"Calls at most": "2 every 1 hour"}),
        (policy("spent-limit", allowance="0x2386f26fc10000"), {"Altogether at most": "0.01 ETH"}),
        (policy("moon-phase", full=True), {"Rule": "", "type": "moon-phase", "data": "", "full": "yes"}),
    ],
)
def test_policies_say_what_they_limit(policies: Any, told: dict[str, str]) -> None:
    found = summary({**COINS, "policies": policies})
    assert {name: rows(found, 0)[name] for name in told} == told


def test_a_limit_may_stand_in_a_policy() -> None:
    permission = {
        "type": "erc20-token-transfer",
        "data": {"address": USDC, "ticker": "USDC"},
        "policies": policy("token-allowance", allowance=5_000_000),
    }
    found = summary({**COINS, "permission": permission})
    assert (rows(found)["Altogether at most"], found.warnings) == ("5 USDC", (GRANT_WARNING,))


def test_a_limit_of_coins_limits_no_token() -> None:
    found = summary(grant("erc20-token-transfer", {"address": USDC}, policies=policy("spent-limit", allowance="0x1")))
    assert DANGER_TEXTS["unlimited"] in found.warnings


@pytest.mark.parametrize("end", [{}, {"expiry": 0}, {"expiry": 2**32}, {"expiry": "soon"}, {"expiry": 2**64}])
def test_what_never_ends_is_marked(end: dict[str, Any]) -> None:
    given = {name: value for name, value in COINS.items() if name != "expiry"}
    found = summary({**given, **end})
    assert (DANGER_TEXTS["no_expiry"] in found.warnings, found.parts[0].rows[-1].tone) == (True, "warning")


@pytest.mark.parametrize("again", ["to", "signer"])
def test_an_end_may_stand_in_a_rule(again: str) -> None:
    given = {name: value for name, value in COINS.items() if name not in ("expiry", "signer")}
    who = {"to": SHOP} if again == "to" else {"signer": COINS["signer"]}
    found = summary({**given, **who, "rules": policy("expiry", timestamp=NEW_YEAR)})
    assert rows(found, 0) == {"Address": SHOP, "Until": "2027-01-01 00:00 UTC"}


def test_of_two_ends_the_later_one_counts() -> None:
    found = summary({**COINS, "rules": policy("expiry", timestamp=NEW_YEAR + DAY)})
    assert rows(found, 0)["Until"] == "2027-01-02 00:00 UTC"


@pytest.mark.parametrize(
    ("signer", "told"),
    [
        ({"type": "account", "data": {"id": SHOP}}, {"Address": SHOP}),
        ({"type": "wallet"}, {"Key": "your wallet's own, for this site"}),
        ({"type": "key", "data": {"id": "did:key:z6"}}, {"Key": "", "type": "key", "data": "", "id": "did:key:z6"}),
        ({"type": "account", "data": {"id": SHOP, "address": ME}}, {"id": SHOP, "address": ME}),
        ({"type": "account", "data": "all"}, {"data": "all"}),
    ],
)
def test_whoever_may_act_is_named(signer: Any, told: dict[str, str]) -> None:
    found = rows(summary({**COINS, "signer": signer}), 0)
    assert {name: found[name] for name in told} == told


def test_nobody_who_may_act_is_marked() -> None:
    found = summary({name: value for name, value in COINS.items() if name != "signer"})
    assert (rows(found, 0)["Address"], UNKNOWN_WARNING in found.warnings) == ("not named", True)


def test_an_unknown_permission_is_shown_as_it_came_and_marked() -> None:
    found = summary(grant("everything", {"how": "always"}))
    assert (found.parts[1].title, rows(found), found.warnings) == (
        "Unknown: everything",
        {"type": "everything", "data": "", "how": "always"},
        (GRANT_WARNING, UNKNOWN_WARNING),
    )


@pytest.mark.parametrize("permission", [None, 5, [], {}, {"type": 7}, {"type": {"custom": "x"}, "data": {}}])
def test_what_is_no_permission_is_marked(permission: object) -> None:
    assert UNKNOWN_WARNING in summary({**COINS, "permission": permission}).warnings


def test_a_grant_without_permissions_is_marked() -> None:
    assert UNKNOWN_WARNING in summary({name: value for name, value in COINS.items() if name != "permission"}).warnings


def test_several_permissions_of_one_grant_are_all_told() -> None:
    found = summary(
        {**COINS, "permissions": [COINS["permission"], {"type": "contract-call", "data": {"address": USDC}}]}
    )
    assert [part.title for part in found.parts] == ["Who may act", "Spend ETH", "Call a contract", "Spend ETH"]


def test_what_is_not_understood_beside_is_shown() -> None:
    permission = {**COINS["permission"], "data": {"allowance": "0x1", "tickets": 7}, "secretly": "yes"}
    found = summary({**COINS, "extra": "more", "permission": permission})
    assert (rows(found, 0)["extra"], rows(found)["tickets"], rows(found)["secretly"]) == ("more", "7", "yes")


def test_another_account_is_marked() -> None:
    found = summary({**COINS, "address": SHOP})
    assert (rows(found, 0)["Acts for (address)"], OTHER_ACCOUNT_WARNING in found.warnings) == (SHOP, True)


def test_the_account_that_is_shown_is_not_said_again() -> None:
    assert rows(summary({**COINS, "from": ME.lower()}), 0) == rows(summary(COINS), 0)


def test_another_network_is_marked_and_has_its_own_coin() -> None:
    found = summary({**COINS, "chainId": "0x89"})
    assert (rows(found, 0)["Network"], rows(found)["How much"]) == ("Polygon", "0.1 POL")
    assert any("another network" in one for one in found.warnings)


def test_a_token_of_another_network_is_not_taken_for_ours() -> None:
    found = summary({**grant("erc20-token-transfer", {"address": USDC, "allowance": "0x64"}), "chainId": "0x89"})
    assert (found.parts[1].title, rows(found)["How much"], found.tokens) == ("Spend a token", "100 base units", ())


def test_texts_of_the_site_hide_nothing() -> None:
    found = summary(grant("native-token-transfer", {"allowance": "0x1", "justification": "for \u202eyou"}))
    assert rows(found)["The site says"] == "for [U+202E]you"


def test_more_than_fits_is_marked() -> None:
    found = summary(*[COINS] * 9)
    assert (len(found.parts), found.hidden, found.warnings[-1]) == (6, True, MORE_WARNING)


def test_what_is_wrong_with_a_grant_that_is_not_shown_is_marked_all_the_same() -> None:
    assert DANGER_TEXTS["no_expiry"] in summary(*[COINS] * 9, {**COINS, "expiry": 0}).warnings


@pytest.mark.parametrize("grants", [[], [1], [COINS] * 101, [{**COINS, "permissions": [{}] * 5000}]])
def test_what_nobody_could_read_is_refused(grants: list[Any]) -> None:
    with pytest.raises(PayloadError):
        summary(*grants)


def burdened(number: int, how: str) -> list[Any]:
    """Grants with so many rules, or fields that mean nothing."""
    rule = {"type": "call-limit", "data": {"count": "0x5"}}
    fields = {f"field{one}": one for one in range(number)}
    coins: dict[str, Any] = {"type": "native-token-transfer", "data": {"allowance": "0x1"}}
    return {
        "rules": [{**COINS, "rules": [rule] * number}],
        "policies of the grant": [{**COINS, "policies": [rule] * number}],
        "policies of a permission": [{**COINS, "permission": {**coins, "policies": [rule] * number}}],
        "fields of a grant": [{**COINS, **fields}],
        "fields of a permission": [{**COINS, "permission": {**coins, **fields}}],
        "fields of what it is about": [grant("native-token-transfer", {"allowance": "0x1", **fields})],
        "rules of several grants": [
            {**COINS, "rules": [rule] * (number // 2)},
            {**COINS, "rules": [rule] * (number - number // 2)},
        ],
    }[how]


BURDENS = (
    "rules",
    "policies of the grant",
    "policies of a permission",
    "fields of a grant",
    "fields of a permission",
    "fields of what it is about",
    "rules of several grants",
)


@pytest.mark.parametrize("how", BURDENS)
def test_more_rules_than_anybody_could_read_are_refused_with_the_reason(how: str) -> None:
    with pytest.raises(PayloadError) as refused:
        summary(*burdened(MAX_RULES + 1, how))
    assert refused.value.details == "too many rules"


@pytest.mark.parametrize("how", BURDENS)
def test_as_many_rules_as_may_be_are_read(how: str) -> None:
    assert summary(*burdened(MAX_RULES, how)).title == "Grant permissions"


def mints(*names: str, count: int = 5, **changes: Any) -> dict[str, Any]:
    """A grant of the draft with the ABI of a contract."""
    abi = [{"type": "function", "name": name, "inputs": [{"type": "address"}, {"type": "uint256"}]} for name in names]
    functions = [{"functionName": name, "valueLimit": hex(10**17), **changes} for name in names]
    data = {"address": USDC, "abi": abi, "functions": functions}
    policies = [{"type": "call-limit", "data": {"count": count}}]
    return grant("contract-call", data, policies=policies, expiry=NEW_YEAR)


def test_calls_of_a_contract_are_told_with_the_most_that_they_cost() -> None:
    found = summary(mints("mint"), at=NOW)
    assert rows(found) == {
        "In short": "5 calls of mint of 0xA0...06eB48 with up to 0.1 ETH each, by shop.example until 1 January 2027",
        "Contract": USDC,
        "Function": "mint(address,uint256)",
        "Altogether at most": "0.5 ETH",
        "Besides": TAKEN_BY_CALLS,
    }
    assert found.warnings == (GRANT_WARNING,)


@pytest.mark.parametrize("name", ["transfer", "approve"])
def test_calls_that_move_tokens_have_no_limit(name: str) -> None:
    assert DANGER_TEXTS["unlimited"] in summary(mints(name), at=NOW).warnings


def test_calls_with_conditions_stand_there_as_they_came() -> None:
    found = summary(mints("mint", args=[{"operator": "EQUAL", "value": "0x1"}]), at=NOW)
    assert UNKNOWN_WARNING in found.warnings
    assert rows(found)["operator"] == "EQUAL"
