"""Messages from the browser: read, or refused with a reason."""

import contextlib
import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walletmodal.core.errors import ProtocolError
from walletmodal.core.message_limits import MAX_BYTES, MAX_DEPTH, check_limits
from walletmodal.core.protocol import parse_init, parse_reply
from walletmodal.core.snapshots import parse_session, parse_snapshot

ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
WALLET = {"id": "injected", "namespaces": ["eip155"], "type": "INJECTED", "name": "W", "icon": "", "rdns": ""}
SESSION = {"connector": "injected", "accounts": [ADDRESS.lower()], "chain": "1", "approved": None, "peer": None}
SNAPSHOT: dict[str, Any] = {
    "epoch": "e1",
    "rev": 3,
    "settled": True,
    "wallets": [WALLET],
    "sessions": {"eip155": SESSION},
    "marks": ["isMetaMask", "phantom"],
    "injected": True,
    "storage": {
        "activeNetworkId": "eip155:1",
        "activeNamespace": "eip155",
        "recent": [{"id": "injected", "name": "W", "rdns": ""}],
        "interrupted": {"namespace": "solana", "connector": "Phantom", "wallet": None},
        "connectors": {"eip155": "injected"},
    },
}
REPLY: dict[str, Any] = {"id": "c1", "epoch": "e1", "ok": True, "value": {"a": 1}, "error": None}
INIT: dict[str, Any] = {
    "epoch": "e1",
    "host": {
        "origin": "https://app.example",
        "url": "https://app.example/a?b",
        "title": "App",
        "description": "",
        "icon": "https://app.example/i.png",
        "standalone": False,
        "mobile": False,
        "telegram": True,
        "system": "ios",
    },
    "options": {"networks": ["eip155:1"]},
    "theme": {"mode": None, "variables": {}},
    "snapshot": SNAPSHOT,
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=20,
)


def changed(message: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """The message with one part replaced; `KeyError` as value takes it out."""
    result = copy.deepcopy(message)
    *parents, last = path.split(".")
    target: Any = result
    for key in parents:
        target = target[key]
    if value is KeyError:
        del target[last]
    else:
        target[last] = value
    return result


def test_a_snapshot_is_read_whole() -> None:
    snapshot = parse_snapshot(SNAPSHOT)
    assert snapshot.model_dump(by_alias=True, mode="json") == changed(SNAPSHOT, "sessions.eip155.accounts", [ADDRESS])


def test_nothing_of_an_honest_snapshot_is_ignored() -> None:
    assert parse_snapshot(SNAPSHOT).ignored == ()


def test_addresses_come_in_their_normal_spelling() -> None:
    assert parse_snapshot(SNAPSHOT).sessions["eip155"].accounts == (ADDRESS,)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("epoch", ""),
        ("epoch", "a b"),
        ("epoch", "x" * 65),
        ("epoch", 5),
        ("epoch", KeyError),
        ("rev", -1),
        ("rev", True),
        ("rev", "3"),
        ("rev", 1.0),
        ("settled", 1),
        ("wallets", {}),
        ("wallets", [WALLET] * 201),
        ("wallets", KeyError),
        ("sessions", []),
        ("sessions", KeyError),
        ("storage", None),
        ("storage", KeyError),
    ],
)
def test_a_snapshot_of_the_wrong_shape_is_refused(path: str, value: object) -> None:
    with pytest.raises(ProtocolError) as raised:
        parse_snapshot(changed(SNAPSHOT, path, value))
    assert raised.value.reason == "malformed"


@pytest.mark.parametrize(
    ("path", "value", "ignored"),
    [
        ("wallets", [WALLET, {**WALLET, "id": "x\n"}], ("wallet",)),
        ("sessions.near", SESSION, ("session",)),
        ("sessions.eip155", None, ("session",)),
        ("sessions.eip155.accounts", ["0x12"], ("session",)),
        ("sessions.eip155.accounts", [], ("session",)),
        ("sessions.eip155.accounts", [ADDRESS] * 51, ("session",)),
        ("sessions.eip155.accounts", ADDRESS, ("session",)),
        ("sessions.eip155.chain", "0x1", ("session",)),
        ("sessions.eip155.chain", 1, ("session",)),
        ("sessions.eip155.connector", "<b>", ("session",)),
        ("storage.activeNetworkId", "nonsense", ("storage",)),
        ("storage.activeNamespace", "near", ("storage",)),
        ("storage.interrupted", {"a": 1}, ("storage",)),
        ("storage.interrupted", "a\ud800", ("storage",)),
        ("storage.activeNetworkId", "eip155:\ud800", ("storage",)),
        ("sessions.eip155.connector", "a\ud800", ("session",)),
        ("sessions.eip155.accounts", ["\ud800"], ("session",)),
        ("sessions.eip155.chain", "\ud800", ("session",)),
        ("sessions.\ud800", SESSION, ("session",)),
        ("wallets", [WALLET, {**WALLET, "id": "x\ud800"}], ("wallet",)),
        ("storage.interrupted", {"namespace": "near", "connector": "a"}, ("storage",)),
        ("storage.interrupted", {"namespace": "", "connector": "<b>"}, ("storage",)),
        ("storage.connectors", [], ("storage",)),
        ("storage.connectors", {"eip155": "<b>", "near": "a"}, ("storage",)),
        ("marks", "isMetaMask", ("mark",)),
        ("marks", ["isA", "<b>", 5, "a" * 65, "a\n", "é"], ("mark",)),
        ("marks", [f"is{number}" for number in range(65)], ("mark",)),
        ("storage.recent", "x", ("recent",)),
        ("storage.recent", [{"id": "a", "name": "\u202e", "rdns": ""}, 5], ("recent", "recent")),
    ],
)
def test_a_part_that_cannot_be_used_does_not_take_the_rest_with_it(
    path: str, value: object, ignored: tuple[str, ...]
) -> None:
    snapshot = parse_snapshot(changed(SNAPSHOT, path, value))
    assert (snapshot.ignored, [wallet.id for wallet in snapshot.wallets]) == (ignored, ["injected"])


@pytest.mark.parametrize(
    ("path", "value"),
    [("options", {"metadata": {"name": "\ud83d"}}), ("options", {"\ud83d": 1}), ("theme", {"mode": "\ud800"})],
)
def test_options_with_a_text_that_is_no_unicode_are_refused(path: str, value: object) -> None:
    with pytest.raises(ProtocolError) as raised:
        parse_init(changed(INIT, path, value))
    assert raised.value.reason == "malformed"


@pytest.mark.parametrize("value", ["\ud800", ["a\udfff"], {"\udc00": 1}])
def test_a_value_with_a_text_that_is_no_unicode_is_refused(value: object) -> None:
    with pytest.raises(ProtocolError) as raised:
        parse_reply({**REPLY, "value": value})
    assert raised.value.reason == "malformed"


def test_an_error_that_was_cut_within_an_emoji_is_still_an_answer() -> None:
    reply = parse_reply({**REPLY, "ok": False, "error": {"code": 4001, "message": "no \ud83d"}})
    assert reply.error is not None
    assert reply.error.message == "no"


@pytest.mark.parametrize("field", ["name", "icon", "rdns"])
@pytest.mark.parametrize("text", ["W\ud83d", "https://a.example/\ud800", "data:image/svg+xml,<svg\ud800/>"])
def test_all_that_is_kept_of_a_wallet_can_be_sent(field: str, text: str) -> None:
    snapshot = parse_snapshot(changed(SNAPSHOT, "wallets", [{**WALLET, field: text}]))
    assert snapshot.model_dump_json().encode()


@pytest.mark.parametrize("field", ["url", "title", "description", "icon"])
def test_all_that_is_kept_of_a_host_can_be_sent(field: str) -> None:
    init = parse_init(changed(INIT, f"host.{field}", "https://a.example/\ud83d"))
    assert init.host.model_dump_json().encode()


def test_at_most_two_recent_wallets_are_remembered() -> None:
    recent = [{"id": f"w{number}", "name": "W", "rdns": ""} for number in range(5)]
    snapshot = parse_snapshot(changed(SNAPSHOT, "storage.recent", recent))
    assert [wallet.id for wallet in snapshot.storage.recent] == ["w0", "w1"]


EARLIER = {
    **{key: value for key, value in SNAPSHOT.items() if key not in ("marks", "injected")},
    "sessions": {"eip155": {key: SESSION[key] for key in ("connector", "accounts", "chain")}},
    "storage": {"activeNetworkId": None, "activeNamespace": None, "recent": [], "interrupted": "injected"},
}
"""As a loader of the release before sends it."""


def test_a_loader_of_the_release_before_still_works() -> None:
    snapshot = parse_snapshot(EARLIER)
    assert (snapshot.ignored, snapshot.marks, snapshot.injected, snapshot.storage.connectors) == ((), (), False, {})
    assert (snapshot.sessions["eip155"].approved, snapshot.sessions["eip155"].peer) == (None, None)


def test_what_an_earlier_loader_was_connecting_was_an_evm_wallet() -> None:
    interrupted = parse_snapshot(EARLIER).storage.interrupted
    assert interrupted is not None
    assert (interrupted.namespace, interrupted.connector) == ("eip155", "injected")


def test_an_interrupted_pairing_has_no_namespace() -> None:
    storage = {"namespace": "", "connector": "walletConnect"}
    interrupted = parse_snapshot(changed(SNAPSHOT, "storage.interrupted", storage)).storage.interrupted
    assert interrupted is not None
    assert (interrupted.namespace, interrupted.connector) == ("", "walletConnect")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (None, None),
        ([], ()),
        (["eip155:1", "eip155:137", "eip155:1"], ("eip155:1", "eip155:137")),
        (["solana:x", "eip155:0x1", 5, None, "eip155:10"], ("eip155:10",)),
        ("eip155:1", ()),
        ({}, ()),
        ([f"eip155:{number}" for number in range(300)], tuple(f"eip155:{number}" for number in range(200))),
    ],
)
def test_the_approved_networks_are_those_of_the_namespace(given: object, kept: object) -> None:
    snapshot = parse_snapshot(changed(SNAPSHOT, "sessions.eip155.approved", given))
    assert snapshot.sessions["eip155"].approved == kept


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"name": " A\u202e Wallet ", "icon": "https://a.example/i.png"}, ("A Wallet", "https://a.example/i.png")),
        ({"name": "W", "icon": "javascript:alert(1)"}, ("W", "")),
        ({"name": "W" * 1000, "icon": None}, ("W" * 40, "")),
    ],
)
def test_the_wallet_of_a_pairing_is_shown_as_carefully_as_any(given: object, kept: tuple[str, str]) -> None:
    peer = parse_snapshot(changed(SNAPSHOT, "sessions.eip155.peer", given)).sessions["eip155"].peer
    assert peer is not None
    assert (peer.name, peer.icon) == kept


@pytest.mark.parametrize("peer", ["W", {"name": ""}, {"name": "\u202e"}, {"icon": "x"}, []])
def test_a_wallet_without_a_name_is_no_peer(peer: object) -> None:
    assert parse_snapshot(changed(SNAPSHOT, "sessions.eip155.peer", peer)).sessions["eip155"].peer is None


def test_a_wallet_that_the_host_added_is_read() -> None:
    snapshot = parse_snapshot(changed(SNAPSHOT, "wallets", [{**WALLET, "type": "EXTERNAL"}]))
    assert snapshot.wallets[0].type == "EXTERNAL"


@pytest.mark.parametrize("system", ["windows", None, 5, ["ios"], KeyError])
def test_a_system_that_makes_no_difference_is_none(system: object) -> None:
    assert parse_init(changed(INIT, "host.system", system)).host.system == ""


@pytest.mark.parametrize("value", ["yes", 1, None, KeyError])
def test_only_true_says_that_the_page_is_within_telegram(value: object) -> None:
    assert parse_init(changed(INIT, "host.telegram", value)).host.telegram is False


def test_unknown_fields_are_dropped() -> None:
    assert "later" not in parse_snapshot({**SNAPSHOT, "later": 1}).model_dump()


def test_a_reply_is_read() -> None:
    reply = parse_reply(REPLY)
    assert (reply.id, reply.epoch, reply.ok, reply.value, reply.error) == ("c1", "e1", True, {"a": 1}, None)


def test_the_message_of_a_reply_is_cleaned_and_cut() -> None:
    error = {"code": 4001, "message": "no\u202e\n" + "x" * 1000}
    reply = parse_reply({**REPLY, "ok": False, "error": error})
    assert reply.error is not None
    assert (reply.error.code, reply.error.message) == (4001, ("no " + "x" * 1000)[:500])


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("id", ""),
        ("id", None),
        ("id", "a/b"),
        ("epoch", KeyError),
        ("ok", "true"),
        ("ok", False),
        ("error", {"code": 1, "message": "x"}),
        ("error", {"code": "1", "message": "x"}),
        ("error", "x"),
    ],
)
def test_a_reply_of_the_wrong_shape_is_refused(path: str, value: object) -> None:
    with pytest.raises(ProtocolError) as raised:
        parse_reply(changed(REPLY, path, value))
    assert raised.value.reason == "malformed"


def test_init_is_read() -> None:
    init = parse_init(INIT)
    assert (init.epoch, init.host.origin, init.options, init.theme.mode, init.snapshot.rev) == (
        "e1",
        "https://app.example",
        {"networks": ["eip155:1"]},
        None,
        3,
    )


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("epoch", "other"),
        ("host", KeyError),
        ("host.origin", "null"),
        ("host.origin", "https://app.example/"),
        ("host.origin", "https://APP.example"),
        ("host.origin", "https://app.example:443"),
        ("host.origin", "javascript:x"),
        ("host.origin", None),
        ("host.origin", "https://app.example\ud800"),
        ("epoch", "\ud800"),
        ("host.standalone", "no"),
        ("host.mobile", 0),
        ("host.title", None),
        ("options", []),
        ("theme", None),
        ("theme.mode", "blue"),
        ("theme.variables", []),
        ("snapshot", None),
        ("snapshot.rev", -1),
    ],
)
def test_an_init_of_the_wrong_shape_is_refused(path: str, value: object) -> None:
    with pytest.raises(ProtocolError) as raised:
        parse_init(changed(INIT, path, value))
    assert raised.value.reason == "malformed"


@pytest.mark.parametrize(
    ("path", "value", "field", "kept"),
    [
        ("host.url", "javascript:alert(1)", "url", "https://app.example"),
        ("host.url", "https://app.example/" + "x" * 3000, "url", "https://app.example"),
        ("host.icon", "data:text/html,x", "icon", ""),
        ("host.icon", None, "icon", ""),
        ("host.title", "T\u202e" + "x" * 500, "title", "T" + "x" * 119),
    ],
)
def test_what_is_only_shown_of_a_host_is_repaired(path: str, value: object, field: str, kept: str) -> None:
    assert getattr(parse_init(changed(INIT, path, value)).host, field) == kept


@pytest.mark.parametrize("parse", [parse_snapshot, parse_reply, parse_init])
@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (None, "malformed"),
        ([], "malformed"),
        ("x", "malformed"),
        ({"a": "x" * MAX_BYTES}, "oversized"),
        ({"a": ["x"] * 100_000}, "oversized"),
        ({"a": object()}, "malformed"),
        ({1: 2}, "malformed"),
        ({"a": float("nan")}, "malformed"),
        ({"a": 2**53}, "malformed"),
    ],
)
def test_any_message_has_its_limits(parse: Any, message: object, reason: str) -> None:
    with pytest.raises(ProtocolError) as raised:
        parse(message)
    assert raised.value.reason == reason


def test_a_deep_message_is_refused_without_recursion() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ProtocolError) as raised:
        parse_reply({**REPLY, "value": deep})
    assert raised.value.reason == "deep"
    # Python itself would recurse when it frees the list.
    while deep:
        deep = deep.pop()


def test_the_limits_are_exact() -> None:
    check_limits("x" * (MAX_BYTES - 2))
    with pytest.raises(ProtocolError):
        check_limits("x" * (MAX_BYTES - 1))
    nested: list[Any] = []
    for _ in range(MAX_DEPTH - 1):
        nested = [nested]
    check_limits(nested)
    with pytest.raises(ProtocolError):
        check_limits([nested])


@settings(max_examples=400)
@given(JSON)
def test_any_json_is_read_or_refused(value: Any) -> None:
    for parse in (parse_snapshot, parse_reply, parse_init):
        with contextlib.suppress(ProtocolError):
            parse(value)


PATHS = [
    "epoch",
    "rev",
    "wallets",
    "sessions",
    "sessions.eip155",
    "sessions.eip155.accounts",
    "storage",
    "storage.recent",
]


@settings(max_examples=400)
@given(st.sampled_from(PATHS), JSON)
def test_any_part_of_a_snapshot_may_be_nonsense(path: str, value: Any) -> None:
    with contextlib.suppress(ProtocolError):
        parse_snapshot(changed(SNAPSHOT, path, value))


def test_the_value_of_a_connect_reply_is_a_session() -> None:
    session = parse_session("eip155", "injected", {"accounts": [ADDRESS.lower(), ADDRESS], "chain": "137"})
    assert (session.connector, session.accounts, session.chain) == ("injected", (ADDRESS,), "137")
