"""The one place that changes who is connected."""

from __future__ import annotations

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.connections.connections import (
    Changes,
    Connections,
    Preference,
    apply,
    begin_page,
    use_account,
    use_chain,
)
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.features.substates import AssigningMixin


class ConnectionsMixin(AssigningMixin, mixin=True):
    """Holds the connections. Features read `_connections`; what of them the views show, each draws in its own variables."""

    _connections: Connections = Connections()

    def _follow_browser(self, snapshot: Snapshot) -> Changes:
        """Applies a snapshot that was accepted; once for each."""
        after, changes = apply(self._connections, snapshot)
        self._put(_connections=after)
        return changes

    def _begin_page(self) -> None:
        self._put(_connections=begin_page(self._connections))

    def _use_account(self, namespace: Namespace, address: str) -> None:
        """The visitor has chosen another of a wallet's accounts."""
        self._put(_connections=use_account(self._connections, namespace, address))

    def _use_chain(self, namespace: Namespace, chain: str) -> None:
        """An account is on another network of its namespace, by CAIP-2 reference."""
        self._put(_connections=use_chain(self._connections, namespace, chain))

    def _activate(self, namespace: Namespace) -> None:
        """The network in use is one of this namespace."""
        self._put(_connections=self._connections._replace(active=namespace))

    def _restore_preferred(self, preferred: tuple[Preference, ...]) -> None:
        """A lost session is brought back: its wallets are told of by the next snapshot."""
        self._put(_connections=Connections(preferred=preferred))
