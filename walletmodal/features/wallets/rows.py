"""Rows of the wallet list: plain values, small enough to be sent and kept for each visitor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypedDict

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.constants import RECOMMENDED_ENTRIES
from walletmodal.core.protocol.options import AllWalletsOption, ConnectorKind
from walletmodal.core.wallets.connect_order import Surroundings, WalletSections
from walletmodal.core.wallets.connectors import Connector, Exclusions
from walletmodal.core.wallets.lists import unique

SECTION_VARS: Final[dict[ConnectorKind, str]] = {
    "walletConnect": "pairing",
    "recent": "recent",
    "injected": "injected",
    "featured": "featured",
    "custom": "custom",
    "external": "external",
    "recommended": "recommended",
}
"""Each section of the list, and the variable of the state that has its rows."""


WALLETS_TO_GET: Final = 4


class WalletRow(TypedDict):
    """One row: `icon` is a data or https URL, a path of ours, or empty; without a name it is a place that a wallet will take."""

    id: str
    name: str
    icon: str
    tag: str


class WalletToGet(TypedDict):
    """One row of the view GetWallet; `page`: where the wallet is to be had."""

    id: str
    name: str
    icon: str
    page: str


class Listed(NamedTuple):
    """A listed wallet of the directory or of the host, as far as the list needs it; all the rest stays in the process's cache.

    Attributes:
        namespaces: those of the requested networks that it serves; None: not known, so no filter leaves it out.
        page: where a visitor gets it, or "".
        name: "" while the directory has not answered.
    """

    id: str
    name: str = ""
    rdns: str = ""
    icon: str = ""
    page: str = ""
    namespaces: tuple[Namespace, ...] | None = None


class Facts(NamedTuple):
    """Facts of page and options that decide the list.

    Attributes:
        namespaces: those that are offered.
        injected: the page has a `window.ethereum`.
        pairing: whether pairing is on offer at all.
        pairing_icon: its picture.
        paired: a namespace is connected that way already.
        excluded_ids: the host's `excludeWalletIds`.
        catalogue: whether there is a directory.
    """

    namespaces: tuple[Namespace, ...] = ()
    mobile: bool = False
    injected: bool = False
    announcements: bool = True
    pairing: bool = False
    pairing_icon: str = ""
    paired: bool = False
    catalogue: bool = False
    excluded_ids: tuple[str, ...] = ()
    featured_ids: tuple[str, ...] = ()
    custom: tuple[Listed, ...] = ()
    all_wallets: AllWalletsOption = "SHOW"
    order: tuple[ConnectorKind, ...] = ()


def list_surroundings(facts: Facts, excluded: Exclusions) -> Surroundings:
    """Converts the facts for the list's rules."""
    return Surroundings(
        mobile=facts.mobile,
        provider_injected=facts.injected,
        wallet_connect=facts.pairing,
        paired=facts.paired,
        announcements=facts.announcements,
        excluded=excluded,
    )


def places(ids: Iterable[str]) -> tuple[Listed, ...]:
    """Makes placeholders of wallets of which only the ids are known yet."""
    return tuple(Listed(wallet_id) for wallet_id in ids)


RECOMMENDED_PLACES: Final = places(f"place-{number}" for number in range(RECOMMENDED_ENTRIES))


def filter_wallets(wallets: Iterable[Listed], namespace: str) -> tuple[Listed, ...]:
    """Filters wallets by namespace; "" means any."""
    return tuple(w for w in wallets if not namespace or w.namespaces is None or namespace in w.namespaces)


def section_rows(sections: WalletSections[Listed, Listed, Listed]) -> dict[str, list[WalletRow]]:
    """Makes the rows of every section under the name of its variable."""
    return {
        "pairing": [_of_connector(entry, "qr code") for entry in sections.wallet_connect],
        "recent": _of_listed(sections.recent, "recent"),
        "injected": [
            _of_connector(entry, "multichain" if entry.type == "MULTI_CHAIN" else "installed")
            for entry in sections.injected
        ],
        "featured": _of_listed(sections.featured),
        "custom": _of_listed(sections.custom),
        "external": [_of_connector(entry) for entry in sections.external],
        "recommended": _of_listed(sections.recommended),
    }


def rows_to_get(
    featured: Iterable[Listed], custom: Iterable[Listed], recommended: Iterable[Listed], excluded: Exclusions
) -> list[WalletToGet]:
    """Makes rows of the first wallets that a visitor without one may get."""
    listed = unique(featured, custom, recommended)
    kept = [w for w in listed if w.page and not excluded.match_wallet(w)]
    return [{"id": w.id, "name": w.name, "icon": w.icon, "page": w.page} for w in kept[:WALLETS_TO_GET]]


def _of_connector(entry: Connector, tag: str = "") -> WalletRow:
    return {"id": entry.id, "name": entry.name, "icon": entry.image_url, "tag": tag}


def _of_listed(wallets: Sequence[Listed], tag: str = "") -> list[WalletRow]:
    return [{"id": w.id, "name": w.name, "icon": w.icon, "tag": tag if w.name else ""} for w in wallets]
