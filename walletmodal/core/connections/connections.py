"""The connections of a visitor as one immutable value: rules that give the next value, and what one snapshot changed.

The bridge holds the value and is the only one to replace it; everybody else reads it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.protocol.snapshots import Session, Snapshot


class Connection(NamedTuple):
    """A connection in one namespace: what the wallet gives, and what of it is in use.

    Attributes:
        session: as the wallet says itself; its first account is the one that is active in the wallet.
        address: the account in use, one of the session's.
        chain: the network in use, a CAIP-2 reference; the one that the wallet has named, until another is chosen.
    """

    namespace: Namespace
    session: Session
    address: str
    chain: str

    @property
    def connector(self) -> str:
        """The connector's id."""
        return self.session.connector

    @property
    def accounts(self) -> tuple[str, ...]:
        """Every account, the one in use first."""
        return tuple(dict.fromkeys((self.address, *self.session.accounts)))

    def permits(self, chain: str) -> bool:
        """Whether the wallet has approved a network, by CAIP-2 id; most approve any."""
        return self.session.approved is None or chain in self.session.approved


class Preference(NamedTuple):
    """The account that the visitor prefers to the wallet's first; it holds until the wallet itself moves on to another."""

    namespace: Namespace
    connector: str
    first: str
    address: str


class Connections(NamedTuple):
    """Every connection of a visitor.

    Attributes:
        held: one for each namespace that has an account, in the browser's order.
        awaited: namespaces whose remembered wallet has not answered yet, and may still.
        active: the namespace of the network in use, whether it has an account or not.
        preferred: outlives a reload of the page, during which wallets are asked anew.
        fresh: no snapshot of this page was applied: what is held is from the page before.
    """

    held: tuple[Connection, ...] = ()
    awaited: tuple[Namespace, ...] = ()
    active: Namespace = "eip155"
    preferred: tuple[Preference, ...] = ()
    fresh: bool = True

    def of(self, namespace: Namespace) -> Connection | None:
        """Returns a namespace's connection."""
        return next((one for one in self.held if one.namespace == namespace), None)

    @property
    def namespaces(self) -> tuple[Namespace, ...]:
        """Lists the namespaces that have an account."""
        return tuple(one.namespace for one in self.held)

    def has_account(self, namespace: Namespace | None = None) -> bool:
        """Whether an account of a namespace is connected; None: of the active one."""
        return (namespace or self.active) in self.namespaces

    def by_connector(self, connector: str) -> dict[Namespace, Session]:
        """Lists the sessions of one connector, which may serve several namespaces."""
        return {one.namespace: one.session for one in self.held if one.connector == connector}


class Changes(NamedTuple):
    """What a snapshot changed. The first one of a page is compared with nothing: to the page, every account is new.

    Attributes:
        before, after: the connections before and after it was applied.
    """

    before: Connections
    after: Connections

    @property
    def first(self) -> bool:
        """Whether it was the first snapshot of the page."""
        return self.before.fresh

    @property
    def connected(self) -> frozenset[Namespace]:
        """Lists namespaces that had no account before."""
        return frozenset(self.after.namespaces) - frozenset(self.before.namespaces)

    @property
    def disconnected(self) -> frozenset[Namespace]:
        """Lists namespaces that have no account any more."""
        return frozenset(self.before.namespaces) - frozenset(self.after.namespaces)

    @property
    def wallets(self) -> frozenset[Namespace]:
        """Lists namespaces that another connector serves than before, or one for the first time."""
        before = {one.namespace: one.connector for one in self.before.held}
        return frozenset(one.namespace for one in self.after.held if before.get(one.namespace) != one.connector)

    def added_connector(self, connector: str) -> bool:
        """Whether a connector serves a namespace that served none before."""
        return bool(self.after.by_connector(connector)) and not self.before.by_connector(connector)


def apply(connections: Connections, snapshot: Snapshot) -> tuple[Connections, Changes]:
    """Applies a snapshot: the new connections, and what it changed.

    What the visitor has chosen stays while the same wallet goes on: the account until the wallet moves on to another first one, the
    network until the wallet names one anew. A preferred account is forgotten once the browser is sure that the wallet has gone.
    """
    held = tuple(_connection(connections, namespace, session) for namespace, session in snapshot.sessions.items())
    sure_to_be_gone = set(connections.namespaces) - set(snapshot.sessions) if snapshot.settled else set[Namespace]()
    preferred = tuple(
        one
        for one in connections.preferred
        if one.namespace not in sure_to_be_gone and _is_still_valid(one, snapshot.sessions.get(one.namespace))
    )
    remembered = () if snapshot.settled else snapshot.storage.connectors
    awaited = tuple(namespace for namespace in remembered if namespace not in snapshot.sessions)
    after = connections._replace(held=held, awaited=awaited, preferred=preferred, fresh=False)
    return after, Changes(connections._replace(held=(), awaited=()) if connections.fresh else connections, after)


def begin_page(connections: Connections) -> Connections:
    """Starts another life of the host page: what is held is shown until its first snapshot, which then is news."""
    return connections._replace(fresh=True)


def use_account(connections: Connections, namespace: Namespace, address: str) -> Connections:
    """Uses another of a wallet's accounts; the one that is in use, or one that it has not given, changes nothing."""
    found = connections.of(namespace)
    if found is None or address == found.address or address not in found.session.accounts:
        return connections
    choice = Preference(namespace, found.connector, found.session.accounts[0], address)
    changed = _replaced(connections, found._replace(address=address))
    return changed._replace(preferred=(*_others(connections.preferred, namespace), choice))


def use_chain(connections: Connections, namespace: Namespace, chain: str) -> Connections:
    """Puts an account on another network of its namespace, by CAIP-2 reference."""
    found = connections.of(namespace)
    return connections if found is None else _replaced(connections, found._replace(chain=chain))


def _connection(connections: Connections, namespace: Namespace, session: Session) -> Connection:
    before = connections.of(namespace)
    choice = next((one for one in connections.preferred if one.namespace == namespace), None)
    address = choice.address if choice is not None and _is_still_valid(choice, session) else session.accounts[0]
    # What a wallet has said of its network before is no news: the visitor may have chosen another one since.
    goes_on = before is not None and _named(before.session) == _named(session)
    return Connection(namespace, session, address, before.chain if before is not None and goes_on else session.chain)


def _named(session: Session) -> tuple[str, str, int]:
    """Returns which wallet has named which chain, and how often it has named one."""
    return session.connector, session.chain, session.said


def _is_still_valid(choice: Preference, session: Session | None) -> bool:
    """Whether a preferred account may be used; a wallet that has not been asked yet may still give it."""
    if session is None:
        return True
    goes_on = (choice.connector, choice.first) == (session.connector, session.accounts[0])
    return goes_on and choice.address in session.accounts


def _replaced(connections: Connections, changed: Connection) -> Connections:
    held = tuple(changed if one.namespace == changed.namespace else one for one in connections.held)
    return connections._replace(held=held)


def _others(preferred: Iterable[Preference], namespace: Namespace) -> tuple[Preference, ...]:
    return tuple(one for one in preferred if one.namespace != namespace)
