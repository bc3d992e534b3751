"""Lists of wallets before they are shown: filters, duplicates, what is installed, recents."""

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.constants import RECENT_WALLETS
from walletmodal.core.wallets.connectors import Connector, Identified, same_rdns

_T = TypeVar("_T", bound=Identified)


class Linked(Protocol):
    """A wallet's links; each None or "" where there is none."""

    @property
    def mobile_link(self) -> str | None:
        """Opens the app on a phone."""
        ...

    @property
    def desktop_link(self) -> str | None:
        """Opens the app on a computer."""
        ...

    @property
    def webapp_link(self) -> str | None:
        """The wallet's web page."""
        ...


class OnChains(Protocol):
    """A wallet that says which networks it serves."""

    @property
    def chains(self) -> Sequence[str]:
        """CAIP-2 ids."""
        ...


class Keyed(Protocol):
    """Anything with an id."""

    @property
    def id(self) -> str:
        """What makes it the same."""
        ...


_L = TypeVar("_L", bound=Linked)
_C = TypeVar("_C", bound=OnChains)
_K = TypeVar("_K", bound=Keyed)


def unique(*lists: Iterable[_K]) -> tuple[_K, ...]:
    """The lists behind each other, the first of each id."""
    kept: dict[str, _K] = {}
    for wallets in lists:
        for wallet in wallets:
            kept.setdefault(wallet.id, wallet)
    return tuple(kept.values())


def serving(wallets: Iterable[_C], namespace: Namespace, requested: Iterable[str]) -> tuple[_C, ...]:
    """Wallets that serve one of the requested networks of a namespace. CAIP-2 ids are compared whole: eip155:1 is not eip155:10."""
    wanted = {chain for chain in requested if chain.startswith(f"{namespace}:")}
    return tuple(wallet for wallet in wallets if not wanted.isdisjoint(wallet.chains))


def reachable_by_link(wallets: Iterable[_L]) -> tuple[_L, ...]:
    """Wallets that can be reached without an adapter: with a mobile, desktop or web link."""
    return tuple(wallet for wallet in wallets if wallet.mobile_link or wallet.desktop_link or wallet.webapp_link)


def not_shown_yet(
    wallets: Iterable[_T],
    connectors: Iterable[Connector],
    recents: Iterable[Identified],
    *,
    mobile: bool = False,
    announcements: bool = True,
) -> tuple[_T, ...]:
    """Recommended or featured wallets without those that stand in the list already, announced, injected or recent.

    Args:
        wallets: of the directory.
        connectors: raw or merged.
        recents: as stored.
        mobile: whether the device is a phone or tablet, where MetaMask has another rdns.
        announcements: the option `enableEIP6963`; when off, a connector's rdns says nothing.
    """
    used = tuple(recents)
    installed = [c for entry in connectors for c in entry.each() if c.type in ("ANNOUNCED", "INJECTED")]
    ids = {recent.id for recent in used} | {c.explorer_id for c in installed}
    rdns = {same_rdns(recent.rdns, mobile=mobile) for recent in used}
    if announcements:
        rdns |= {same_rdns(c.rdns, mobile=mobile) for c in installed}
    ids.discard("")
    rdns.discard("")
    return tuple(w for w in wallets if w.id not in ids and same_rdns(w.rdns, mobile=mobile) not in rdns)


def in_hosts_order(wallets: Iterable[_K], ids: Iterable[str]) -> tuple[_K, ...]:
    """Featured wallets as the host listed their ids; those that it did not list come last."""
    place = {wallet_id: index for index, wallet_id in reversed(list(enumerate(ids)))}
    return tuple(sorted(wallets, key=lambda wallet: place.get(wallet.id, len(place))))


def recents_shown(recents: Iterable[_T], connectors: Iterable[Connector]) -> tuple[_T, ...]:
    """The recent wallets that are no connector by id, rdns or name, most recent first, at most two, none twice."""
    listed = [single for entry in connectors for single in entry.each()]
    ids = {text for single in listed for text in (single.id, single.explorer_id, single.rdns)} - {""}
    names = {single.name.casefold() for single in listed} - {""}
    return tuple(
        recent
        for recent in unique(recents)[:RECENT_WALLETS]
        if recent.id not in ids and (recent.rdns or "") not in ids and recent.name.casefold() not in names
    )
