"""Target wallet of a pairing, as the views need it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from walletmodal.core.chains.addresses import truncate_text
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.protocol.messages import System
from walletmodal.core.protocol.options import CustomWallet
from walletmodal.core.wallets.connectors import Connector, browser_connector
from walletmodal.core.wallets.directory import WalletListing
from walletmodal.core.wallets.platforms import download
from walletmodal.deployment import deployment

SHORT_NAME: Final = 12

AnyWallet = WalletListing | CustomWallet


class Target(TypedDict):
    """One wallet; every text is "" where there is none.

    `short_name` is that of the download row, `download` what it leads to (`core.wallets.platforms.download`).
    """

    id: str
    name: str
    rdns: str
    icon: str
    short_name: str
    mobile_link: str
    desktop_link: str
    webapp_link: str
    chrome_store: str
    app_store: str
    play_store: str
    homepage: str
    download: str


NO_TARGET: Final = Target(
    id="",
    name="",
    rdns="",
    icon="",
    short_name="",
    mobile_link="",
    desktop_link="",
    webapp_link="",
    chrome_store="",
    app_store="",
    play_store="",
    homepage="",
    download="",
)
"""Pairing without a certain wallet: whichever scans the code."""


def target(wallet: AnyWallet, *, mobile: bool, system: System) -> Target:
    """Returns what the views show of a wallet."""
    listed = wallet if isinstance(wallet, WalletListing) else None
    return Target(
        id=wallet.id,
        name=wallet.name,
        rdns=listed.rdns if listed else "",
        icon=_icon(wallet),
        short_name=truncate_text(wallet.name, SHORT_NAME, 0),
        mobile_link=wallet.mobile_link or "",
        desktop_link=wallet.desktop_link or "",
        webapp_link=wallet.webapp_link or "",
        chrome_store=wallet.chrome_store or "",
        app_store=wallet.app_store or "",
        play_store=wallet.play_store or "",
        homepage=wallet.homepage or "",
        download=download(wallet, mobile=mobile, system=system),
    )


def installed_connector(
    wallet: AnyWallet, connectors: Iterable[Connector], marks: Iterable[str], namespaces: Sequence[Namespace]
) -> Connector | None:
    """Finds the connector of this browser that reaches a wallet.

    A wallet that has left its mark on `window.ethereum` is asked through that, where nobody has announced what it is.

    Args:
        wallet: of the directory or the host.
        connectors: merged or not.
        marks: those of the snapshot.
        namespaces: those that are offered, the preferred one first.
    """
    listed = wallet if isinstance(wallet, WalletListing) else None
    identified = _Identified(wallet.id, wallet.name, listed.rdns if listed else "")
    brought = [single for entry in connectors for single in entry.each()]
    for namespace in namespaces:
        found = browser_connector(identified, brought, namespace)
        if found is not None:
            return found
    marked = listed is not None and not set(marks).isdisjoint(listed.injected_ids)
    injected = (c for c in brought if c.type == "INJECTED" and c.chain == "eip155" and c.chain in namespaces)
    return next(injected, None) if marked else None


def could_be_installed(wallet: AnyWallet) -> bool:
    """Whether a browser could know the wallet: it has a name of its own, or a mark."""
    return isinstance(wallet, WalletListing) and bool(wallet.rdns or wallet.injected_ids)


@dataclass(frozen=True, slots=True)
class _Identified:
    """`core.wallets.connectors.Identified`, which a host's wallet is not: it has no rdns."""

    id: str
    name: str
    rdns: str


def _icon(wallet: AnyWallet) -> str:
    if isinstance(wallet, CustomWallet):
        return wallet.image_url or ""
    images = deployment().services.images
    named = images.remote_path(wallet.image_url) if wallet.image_url else ""
    return named or images.directory_path("wallet", wallet.image_id)
