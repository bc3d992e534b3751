"""Wallets and connectors that the tests of the lists share."""

from dataclasses import dataclass

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.wallets.connectors import Connector, ConnectorType


@dataclass(frozen=True)
class Listed:
    """A wallet as a directory lists it, with as much as the rules look at."""

    id: str
    name: str = ""
    rdns: str | None = None
    chains: tuple[str, ...] = ()
    mobile_link: str | None = None
    desktop_link: str | None = None
    webapp_link: str | None = None


def way(
    connector_id: str,
    kind: ConnectorType = "ANNOUNCED",
    name: str = "",
    *,
    chain: Namespace = "eip155",
    rdns: str = "",
    explorer_id: str = "",
) -> Connector:
    """A connector; its name is its id where none is given."""
    return Connector(connector_id, kind, name or connector_id, chain, rdns=rdns, explorer_id=explorer_id)


PAIRING = way("walletConnect", "WALLET_CONNECT", "WalletConnect")
BROWSER = way("injected", "INJECTED", "Browser Wallet")
METAMASK = way("io.metamask", name="MetaMask", rdns="io.metamask", explorer_id="c57c")
