"""Who is connected follows the snapshots, and keeps what the visitor has chosen."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.browser_messages import SNAPSHOT
from walletmodal.core.chains.caip import NAMESPACES, Namespace
from walletmodal.core.connections.connections import (
    Changes,
    Connections,
    apply,
    begin_page,
    use_account,
    use_chain,
)
from walletmodal.core.protocol.snapshots import Session, Snapshot, parse_snapshot

WALLETS = ("io.metamask", "walletConnect", "app.phantom")
SESSIONS = st.builds(
    Session,
    connector=st.sampled_from(WALLETS),
    accounts=st.lists(st.sampled_from("abc"), min_size=1, unique=True).map(tuple),
    chain=st.sampled_from(("1", "10", "137")),
    approved=st.none() | st.just(("eip155:1",)),
    said=st.integers(0, 1),
)
SNAPSHOTS = st.builds(
    lambda sessions, settled: snapshot(settled=settled, **sessions),
    st.dictionaries(st.sampled_from(NAMESPACES), SESSIONS),
    st.booleans(),
)
STEPS = st.lists(
    SNAPSHOTS
    | st.just(begin_page)
    | st.builds(
        lambda ns, to: lambda one: use_account(one, ns, to), st.sampled_from(NAMESPACES), st.sampled_from("abcd")
    )
    | st.builds(
        lambda ns, to: lambda one: use_chain(one, ns, to), st.sampled_from(NAMESPACES), st.sampled_from(("1", "5"))
    ),
    max_size=8,
)


def snapshot(*, settled: bool = True, remembered: tuple[Namespace, ...] = (), **sessions: Session) -> Snapshot:
    found = parse_snapshot(SNAPSHOT)
    storage = found.storage.model_copy(update={"connectors": dict.fromkeys(remembered, WALLETS[0])})
    return found.model_copy(update={"sessions": sessions, "settled": settled, "storage": storage})


def wallet(
    *accounts: str,
    connector: str = WALLETS[0],
    chain: str = "1",
    said: int = 0,
    approved: tuple[str, ...] | None = None,
) -> Session:
    return Session(connector=connector, accounts=accounts or ("a", "b"), chain=chain, said=said, approved=approved)


def after(*steps: Any) -> Connections:
    """What these steps lead to: snapshots are applied, functions are called."""
    connections = Connections()
    for step in steps:
        connections = apply(connections, step)[0] if isinstance(step, Snapshot) else step(connections)
    return connections


def changes(*steps: Any) -> Changes:
    """What the last of the snapshots changed."""
    return apply(after(*steps[:-1]), steps[-1])[1]


def uses(namespace: Namespace, address: str) -> Any:
    return lambda connections: use_account(connections, namespace, address)


def moves(namespace: Namespace, chain: str) -> Any:
    return lambda connections: use_chain(connections, namespace, chain)


def in_use(connections: Connections, namespace: Namespace = "eip155") -> tuple[str, str] | None:
    found = connections.of(namespace)
    return None if found is None else (found.address, found.chain)


@given(STEPS, SNAPSHOTS)
def test_a_snapshot_that_is_applied_twice_changes_nothing_the_second_time(steps: list[Any], last: Snapshot) -> None:
    once = after(*steps, last)
    again, changed = apply(once, last)
    assert again == once
    assert not any((changed.first, changed.connected, changed.disconnected, changed.wallets))


@given(STEPS, SNAPSHOTS)
def test_who_is_connected_is_what_the_last_snapshot_says(steps: list[Any], last: Snapshot) -> None:
    connections = after(*steps, last)
    assert {one.namespace: one.session for one in connections.held} == last.sessions


@given(STEPS, SNAPSHOTS)
def test_the_account_in_use_is_one_that_the_wallet_gives(steps: list[Any], last: Snapshot) -> None:
    connections = after(*steps, last)
    assert all(one.address in one.session.accounts for one in connections.held)
    assert all(one.accounts[0] == one.address for one in connections.held)
    assert all(set(one.accounts) == set(one.session.accounts) for one in connections.held)


@given(STEPS, SNAPSHOTS)
def test_what_came_and_went_leads_from_one_to_the_other(steps: list[Any], last: Snapshot) -> None:
    before = after(*steps)
    changed = apply(before, last)[1]
    known = set() if before.fresh else set(before.namespaces)
    assert (known | changed.connected) - changed.disconnected == set(last.sessions)
    assert changed.connected <= changed.wallets
    assert not changed.connected & known
    assert changed.disconnected <= known


def test_a_wallet_begins_with_its_first_account_on_its_own_network() -> None:
    assert in_use(after(snapshot(eip155=wallet("b", "a", chain="10")))) == ("b", "10")


def test_a_chosen_account_stays_while_the_wallet_keeps_its_first() -> None:
    chosen = uses("eip155", "b")
    assert in_use(after(snapshot(eip155=wallet()), chosen, snapshot(eip155=wallet("a", "c", "b")))) == ("b", "1")


@pytest.mark.parametrize(
    "then",
    [wallet("b", "a"), wallet("a", "c"), wallet("a", "b", connector=WALLETS[1])],
    ids=["wallet moved on", "account withdrawn", "another wallet"],
)
def test_a_chosen_account_ends_when_the_wallet_does_otherwise(then: Session) -> None:
    found = after(snapshot(eip155=wallet()), uses("eip155", "b"), snapshot(eip155=then), snapshot(eip155=wallet()))
    assert in_use(found) == ("a", "1")


def test_a_chosen_account_outlives_a_reload_during_which_the_wallet_is_asked_anew() -> None:
    reloaded = (begin_page, snapshot(settled=False), snapshot(eip155=wallet()))
    assert in_use(after(snapshot(eip155=wallet()), uses("eip155", "b"), *reloaded)) == ("b", "1")


def test_a_chosen_account_ends_with_its_connection() -> None:
    gone = (snapshot(), snapshot(eip155=wallet()))
    assert in_use(after(snapshot(eip155=wallet()), uses("eip155", "b"), *gone)) == ("a", "1")


@pytest.mark.parametrize(
    ("namespace", "address"), [("eip155", "c"), ("solana", "a"), ("eip155", "a")], ids=["foreign", "nobody's", "in use"]
)
def test_an_account_that_cannot_be_used_or_is_used_already_changes_nothing(namespace: Namespace, address: str) -> None:
    connected = after(snapshot(eip155=wallet()))
    assert use_account(connected, namespace, address) == connected


def test_a_chosen_network_stays_until_the_wallet_names_one_anew() -> None:
    chosen = (snapshot(eip155=wallet()), moves("eip155", "137"), snapshot(eip155=wallet("b")))
    assert in_use(after(*chosen)) == ("b", "137")
    assert in_use(after(*chosen, snapshot(eip155=wallet("b", said=1)))) == ("b", "1")
    assert in_use(after(*chosen, snapshot(eip155=wallet("b", chain="10")))) == ("b", "10")
    assert in_use(after(*chosen, snapshot(eip155=wallet("b", connector=WALLETS[1])))) == ("b", "1")


def test_a_network_of_a_namespace_that_is_not_connected_is_not_kept() -> None:
    assert after(moves("eip155", "10")) == Connections()


def test_a_wallet_that_names_no_networks_permits_any() -> None:
    connections = after(snapshot(eip155=wallet(), solana=wallet(approved=("solana:x",))))
    permits = [one.permits(f"{one.namespace}:{reference}") for one in connections.held for reference in "xy"]
    assert permits == [True, True, True, False]


def test_another_wallet_in_the_same_namespace_is_no_new_connection() -> None:
    changed = changes(snapshot(eip155=wallet()), snapshot(eip155=wallet(connector=WALLETS[1]), solana=wallet()))
    assert (sorted(changed.connected), sorted(changed.wallets)) == (["solana"], ["eip155", "solana"])


def test_a_connector_is_brought_once_whatever_it_serves_later() -> None:
    paired = wallet(connector=WALLETS[1])
    assert changes(snapshot(eip155=paired)).added_connector(WALLETS[1])
    assert not changes(snapshot(eip155=paired), snapshot(eip155=paired, solana=paired)).added_connector(WALLETS[1])
    assert not changes(snapshot(eip155=paired), snapshot()).added_connector(WALLETS[1])


def test_to_a_new_page_every_account_is_new_and_nothing_has_gone() -> None:
    first = snapshot(eip155=wallet(), solana=wallet())
    changed = changes(first, begin_page, snapshot(eip155=wallet()))
    assert (changed.first, sorted(changed.connected), sorted(changed.disconnected)) == (True, ["eip155"], [])


def test_a_remembered_wallet_is_awaited_until_it_answers_or_all_is_settled() -> None:
    asked = snapshot(settled=False, remembered=("eip155", "solana"), solana=wallet())
    assert after(asked).awaited == ("eip155",)
    assert after(asked, snapshot(remembered=("eip155",))).awaited == ()


def test_what_the_page_before_has_waited_for_is_no_news() -> None:
    asked = snapshot(settled=False, remembered=("eip155",))
    assert changes(asked, snapshot()).before.awaited == ("eip155",)
    assert changes(asked, begin_page, snapshot()).before.awaited == ()


def test_the_account_of_the_active_namespace_is_meant_where_none_is_named() -> None:
    connections = after(snapshot(solana=wallet()))
    assert not connections.has_account()
    assert connections.has_account("solana")
    assert connections._replace(active="solana").has_account()


def test_the_sessions_of_one_connector_are_told_apart() -> None:
    paired = wallet(connector=WALLETS[1])
    assert after(snapshot(eip155=wallet(), solana=paired)).by_connector(WALLETS[1]) == {"solana": paired}
