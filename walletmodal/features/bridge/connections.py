"""The only writer of who is connected."""

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

    def _apply_connections(self, snapshot: Snapshot) -> Changes:
        """Applies an accepted snapshot; once for each."""
        after, changes = apply(self._connections, snapshot)
        self._put(_connections=after)
        return changes

    def _begin_page(self) -> None:
        self._put(_connections=begin_page(self._connections))

    def _use_account(self, namespace: Namespace, address: str) -> None:
        """Uses another of a wallet's accounts: the visitor's choice."""
        self._put(_connections=use_account(self._connections, namespace, address))

    def _use_chain(self, namespace: Namespace, chain: str) -> None:
        """Puts an account on another network of its namespace, by CAIP-2 reference."""
        self._put(_connections=use_chain(self._connections, namespace, chain))

    def _set_active_namespace(self, namespace: Namespace) -> None:
        """Sets the namespace of the network in use."""
        self._put(_connections=self._connections._replace(active=namespace))

    def _restore_preferred(self, preferred: tuple[Preference, ...]) -> None:
        """Restores the preferred accounts of a lost session; its wallets come with the next snapshot."""
        self._put(_connections=Connections(preferred=preferred))
