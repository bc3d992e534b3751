"""Snapshots from the browser: read, or refused with a reason."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from tests.core.browser_messages import ADDRESS, JSON, SESSION, SNAPSHOT, WALLET, changed
from walletmodal.core.errors import ProtocolError
from walletmodal.core.protocol.snapshots import MAX_PEER_ICON, parse_session, parse_snapshot


def test_a_snapshot_is_read_whole() -> None:
    snapshot = parse_snapshot(SNAPSHOT)
    assert snapshot.model_dump(by_alias=True, mode="json") == changed(SNAPSHOT, "sessions.eip155.accounts", [ADDRESS])


def test_nothing_of_an_honest_snapshot_is_ignored() -> None:
    assert parse_snapshot(SNAPSHOT).ignored == ()


def test_addresses_come_in_their_normal_spelling() -> None:
    assert parse_snapshot(SNAPSHOT).sessions["eip155"].accounts == (ADDRESS,)


@every_case(
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


@every_case(
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
        ("storage.interrupted", "injected", ("storage",)),
        ("storage.interrupted", {"namespace": "eip155", "connector": "a\ud800"}, ("storage",)),
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


@pytest.mark.parametrize("field", ["name", "icon", "rdns"])
@pytest.mark.parametrize("text", ["W\ud83d", "https://a.example/\ud800", "data:image/svg+xml,<svg\ud800/>"])
def test_all_that_is_kept_of_a_wallet_can_be_sent(field: str, text: str) -> None:
    snapshot = parse_snapshot(changed(SNAPSHOT, "wallets", [{**WALLET, field: text}]))
    assert snapshot.model_dump_json().encode()


def test_at_most_two_recent_wallets_are_remembered() -> None:
    recent = [{"id": f"w{number}", "name": "W", "rdns": ""} for number in range(5)]
    snapshot = parse_snapshot(changed(SNAPSHOT, "storage.recent", recent))
    assert [wallet.id for wallet in snapshot.storage.recent] == ["w0", "w1"]


LEAST = {
    **{key: value for key, value in SNAPSHOT.items() if key not in ("marks", "injected")},
    "sessions": {"eip155": {key: SESSION[key] for key in ("connector", "accounts", "chain")}},
    "storage": {"activeNetworkId": None, "activeNamespace": None, "recent": []},
}


def test_a_snapshot_may_leave_out_what_is_not_there() -> None:
    snapshot = parse_snapshot(LEAST)
    assert (snapshot.ignored, snapshot.marks, snapshot.injected, snapshot.storage.connectors) == ((), (), False, {})
    assert (snapshot.sessions["eip155"].approved, snapshot.sessions["eip155"].peer) == (None, None)


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


def test_unknown_fields_are_dropped() -> None:
    assert "later" not in parse_snapshot({**SNAPSHOT, "later": 1}).model_dump()


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


@given(st.sampled_from(PATHS), JSON)
def test_any_part_of_a_snapshot_may_be_nonsense(path: str, value: Any) -> None:
    with contextlib.suppress(ProtocolError):
        parse_snapshot(changed(SNAPSHOT, path, value))


def test_the_value_of_a_connect_reply_is_a_session() -> None:
    session = parse_session("eip155", "injected", {"accounts": [ADDRESS.lower(), ADDRESS], "chain": "137"})
    assert (session.connector, session.accounts, session.chain) == ("injected", (ADDRESS,), "137")


@pytest.mark.parametrize(("more", "kept"), [(0, True), (1, False)])
def test_a_peer_has_a_small_icon_or_none(more: int, kept: bool) -> None:
    icon = "data:image/svg+xml,".ljust(MAX_PEER_ICON + more, "a")
    peer = (
        parse_snapshot(changed(SNAPSHOT, "sessions.eip155.peer", {"name": "W", "icon": icon})).sessions["eip155"].peer
    )
    assert peer is not None
    assert bool(peer.icon) is kept


@every_case(
    ("given", "kept"),
    [
        ({"email": " kim@example.org "}, ("kim@example.org", "")),
        ({"email": "kim@example.org", "name": "Kim\u202e"}, ("kim@example.org", "Kim")),
        ({"email": "kim@example.org", "name": 7}, ("kim@example.org", "")),
        ({"email": "kim"}, None),
        ({"email": 7}, None),
        ({"name": "Kim"}, None),
        ("kim@example.org", None),
    ],
)
def test_who_has_logged_in_is_an_address_or_nobody(given: object, kept: tuple[str, str] | None) -> None:
    session = parse_session("eip155", "ID_AUTH", {**SESSION, "user": given})
    assert (session.user and (session.user.email, session.user.name)) == kept


def test_only_the_embedded_wallet_has_somebody_logged_in() -> None:
    assert parse_session("eip155", "injected", {**SESSION, "user": {"email": "kim@example.org"}}).user is None
