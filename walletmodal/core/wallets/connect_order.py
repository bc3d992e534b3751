"""Content and order of the Connect view."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, TypeVar

from walletmodal.core.constants import CONNECTOR_TYPE_ORDER
from walletmodal.core.protocol.options import AllWalletsOption, ConnectMethod, ConnectorKind
from walletmodal.core.wallets.connectors import (
    BROWSER_WALLET,
    COINBASE_SDK_ID,
    WALLET_CONNECT_ID,
    WALLET_CONNECT_NAME,
    Connector,
    Exclusions,
    Identified,
    shows_connector,
)
from walletmodal.core.wallets.lists import Keyed, not_shown_yet, recents_shown, unique

METHODS: Final[tuple[ConnectMethod, ...]] = ("email", "social", "wallet")
METHODS_WHEN_INSTALLED: Final[tuple[ConnectMethod, ...]] = ("wallet", "email", "social")
ConnectBlock = ConnectMethod | Literal["passkey"]
_RECOMMENDED_ROOM: Final = 2
_EXACT_COUNT: Final = 10

_W = TypeVar("_W", bound=Identified)
_R = TypeVar("_R", bound=Identified)
_C = TypeVar("_C", bound=Keyed)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the visitor's browser and the host's options say about the list.

    Attributes:
        mobile: the device is a phone or tablet.
        provider_injected: the page has a `window.ethereum`.
        wallet_connect: the option `enableWalletConnect`.
        paired: a namespace is connected through WalletConnect already.
        announcements: the option `enableEIP6963`.
        excluded: what `excludeWalletIds` leaves out.
    """

    mobile: bool = False
    provider_injected: bool = False
    wallet_connect: bool = True
    paired: bool = False
    announcements: bool = True
    excluded: Exclusions = field(default_factory=Exclusions)


@dataclass(frozen=True, slots=True)
class WalletSections(Generic[_W, _R, _C]):
    """The rows of each section, without repetition. `wallet_connect` has at most one; `injected` has merged, announced, injected."""

    wallet_connect: tuple[Connector, ...]
    recent: tuple[_R, ...]
    injected: tuple[Connector, ...]
    featured: tuple[_W, ...]
    custom: tuple[_C, ...]
    external: tuple[Connector, ...]
    recommended: tuple[_W, ...]

    def filled(self) -> frozenset[ConnectorKind]:
        """The sections that have a row."""
        rows: dict[ConnectorKind, Sequence[object]] = {
            "walletConnect": self.wallet_connect,
            "recent": self.recent,
            "injected": self.injected,
            "featured": self.featured,
            "custom": self.custom,
            "external": self.external,
            "recommended": self.recommended,
        }
        return frozenset(kind for kind, listed in rows.items() if listed)


def wallet_sections(
    connectors: Sequence[Connector],
    around: Surroundings,
    *,
    recents: Sequence[_R] = (),
    featured: Sequence[_W] = (),
    custom: Sequence[_C] = (),
    recommended: Sequence[_W] = (),
) -> WalletSections[_W, _R, _C]:
    """The rows of the wallet list.

    Args:
        connectors: merged, in the order in which they were found.
        around: browser and options.
        recents: as stored, most recent first.
        featured: of the directory, in the host's order.
        custom: the host's own.
        recommended: of the directory.
    """
    kept = tuple(wallet for wallet in recents if not around.excluded.match_wallet(wallet))
    recent = recents_shown(kept, connectors)
    listed = {wallet.id for wallet in recent} | {c.explorer_id for entry in connectors for c in entry.each()}
    own = bool(featured or custom)
    return WalletSections(
        wallet_connect=_wallet_connect(connectors, around),
        recent=recent,
        injected=installed_connectors(connectors, around),
        featured=_left(featured, connectors, kept, around),
        custom=tuple(wallet for wallet in unique(custom) if wallet.id not in listed),
        external=tuple(c for c in connectors if c.type == "EXTERNAL" and c.id != COINBASE_SDK_ID),
        recommended=() if own else _left(recommended, connectors, kept, around)[: _room(connectors, kept)],
    )


def installed_connectors(connectors: Iterable[Connector], around: Surroundings) -> tuple[Connector, ...]:
    """The section `injected`: merged connectors, then announced, then injected ones, without the hidden."""
    shown = [
        c
        for c in connectors
        if c.is_installed
        and c.name != WALLET_CONNECT_NAME
        and shows_connector(
            c, mobile=around.mobile, provider_injected=around.provider_injected, excluded=around.excluded
        )
    ]
    return tuple(c for kind in ("MULTI_CHAIN", "ANNOUNCED", "INJECTED") for c in shown if c.type == kind)


def section_order(filled: Iterable[ConnectorKind], hosts: Iterable[ConnectorKind] = ()) -> tuple[ConnectorKind, ...]:
    """The sections that have rows: those of the host's `connectorTypeOrder` first, the others in the default order."""
    present = set(filled)
    return tuple(dict.fromkeys(kind for kind in (*hosts, *CONNECTOR_TYPE_ORDER) if kind in present))


def method_order(
    hosts: Sequence[ConnectMethod] | None, connectors: Iterable[Connector], around: Surroundings
) -> tuple[ConnectMethod, ...]:
    """Email, social, wallet; with an installed wallet that is shown, wallet first; the host's order before both."""
    if hosts:
        return tuple(dict.fromkeys(hosts))
    return METHODS_WHEN_INSTALLED if installed_connectors(connectors, around) else METHODS


def methods_shown(
    order: Iterable[ConnectMethod], *, email: bool, socials: bool, wallets: bool
) -> tuple[ConnectMethod, ...]:
    """The methods of the order that are offered."""
    offered: dict[ConnectMethod, bool] = {"email": email, "social": socials, "wallet": wallets}
    return tuple(method for method in order if offered[method])


def blocks_shown(methods: Sequence[ConnectMethod], *, passkeys: bool = True) -> tuple[ConnectBlock, ...]:
    """The blocks of the view: the methods, and, with `passkeys`, a login by passkey after the last one that makes a wallet which a passkey can open."""
    if not passkeys:
        return tuple(methods)
    last = max((index for index, method in enumerate(methods) if method != "wallet"), default=None)
    return tuple(methods) if last is None else (*methods[: last + 1], "passkey", *methods[last + 1 :])


def separators(methods: Sequence[ConnectBlock]) -> frozenset[int]:
    """Indexes of the methods that an 'or' follows: between the wallets and the rest, never between logins."""
    return frozenset(index for index in range(len(methods) - 1) if "wallet" in (methods[index], methods[index + 1]))


def collapses_wallets(methods: Sequence[ConnectMethod], *, collapse: bool, email_show_wallets: bool) -> bool:
    """Whether one button stands for the wallets: asked for by either feature, and another method is offered."""
    return "wallet" in methods and len(methods) > 1 and (collapse or not email_show_wallets)


def shows_all_wallets(option: AllWalletsOption, connectors: Iterable[Connector], *, mobile: bool) -> bool:
    """Whether the row All Wallets closes the list: it leads to pairing, and the host may hide it, or leave it to phones."""
    return has_wallet_connect(connectors) and (option == "SHOW" or (option == "ONLY_MOBILE" and mobile))


def all_wallets_count(count: int, featured: int) -> str:
    """The number on the row All Wallets: exact below 10, else floored to tens, with a `+` where something was floored."""
    total = count + featured
    floored = total if total < _EXACT_COUNT else total // 10 * 10
    return f"{floored}+" if floored < total else str(floored)


def has_wallet_connect(connectors: Iterable[Connector]) -> bool:
    """Whether pairing is on offer."""
    return any(c.id == WALLET_CONNECT_ID for c in connectors)


def _wallet_connect(connectors: Iterable[Connector], around: Surroundings) -> tuple[Connector, ...]:
    if around.mobile or around.paired or not around.wallet_connect:
        return ()
    return tuple(c for c in connectors if c.id == WALLET_CONNECT_ID)[:1]


def _left(
    wallets: Iterable[_W], connectors: Sequence[Connector], recents: Sequence[Identified], around: Surroundings
) -> tuple[_W, ...]:
    """Wallets of the directory that are neither shown already nor excluded."""
    left = not_shown_yet(unique(wallets), connectors, recents, mobile=around.mobile, announcements=around.announcements)
    return tuple(wallet for wallet in left if not around.excluded.match_wallet(wallet))


def _room(connectors: Sequence[Connector], recents: Sequence[Identified]) -> int:
    """How many wallets are recommended beside what the visitor has: two are choice enough, and without pairing none can connect."""
    if not has_wallet_connect(connectors):
        return 0
    installed = sum(c.is_installed and c.name != BROWSER_WALLET for c in connectors)
    return max(0, _RECOMMENDED_ROOM - installed - len(unique(recents)))
