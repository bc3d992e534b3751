"""Connectors: the ways to reach a wallet, their merging and their filters."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal, Protocol

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.wallets.announced import Wallet

ConnectorType = Literal["MULTI_CHAIN", "ANNOUNCED", "INJECTED", "EXTERNAL", "WALLET_CONNECT", "AUTH", "ID_AUTH"]

WALLET_CONNECT_ID: Final = "walletConnect"
WALLET_CONNECT_NAME: Final = "WalletConnect"
AUTH_ID: Final = "ID_AUTH"
COINBASE_SDK_ID: Final = "coinbaseWalletSDK"
BROWSER_WALLET: Final = "Browser Wallet"
"""The name of `window.ethereum` while nobody has announced what it is."""

_METAMASK: Final = "io.metamask"
_METAMASK_MOBILE: Final = "io.metamask.mobile"
_MERGED_CHAIN: Final[Namespace] = "eip155"


@dataclass(frozen=True, slots=True)
class Connector:
    """One way to reach a wallet.

    Attributes:
        id: what commands and storage call it.
        type: how it was found; `AUTH` and `ID_AUTH` are both the embedded wallet.
        name: as shown; clean text.
        chain: its namespace; of a merged one a placeholder, see `members`.
        rdns: reverse domain name, or "".
        explorer_id: the wallet's id in the directory, or "".
        image_id: id of its picture at the directory, or ""; image_url: a picture's own URL, or "".
        members: of a merged connector the connectors that it stands for, one of each namespace; else empty.
    """

    id: str
    type: ConnectorType
    name: str
    chain: Namespace
    rdns: str = ""
    explorer_id: str = ""
    image_id: str = ""
    image_url: str = ""
    members: tuple["Connector", ...] = ()

    @property
    def is_embedded(self) -> bool:
        """Whether it is the embedded wallet of email and social login."""
        return self.type in ("AUTH", "ID_AUTH") or self.id == AUTH_ID

    @property
    def is_installed(self) -> bool:
        """Whether the browser brought it."""
        return self.type in ("ANNOUNCED", "INJECTED", "MULTI_CHAIN")

    def each(self) -> tuple["Connector", ...]:
        """The connectors that it stands for: itself, unless it is merged."""
        return self.members or (self,)


class Identified(Protocol):
    """A wallet as the directory, a host, or storage knows it. `rdns` is None or "" where there is none."""

    @property
    def id(self) -> str:
        """Its id in the directory."""
        ...

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def rdns(self) -> str | None:
        """Its reverse domain name."""
        ...


def connector(
    connector_id: str,
    connector_type: ConnectorType,
    chain: Namespace,
    *,
    name: str = "",
    rdns: str = "",
    image_url: str = "",
) -> Connector:
    """A connector with what is known of its id and name beforehand: name, picture, directory id, rdns."""
    known = _presets()
    shown = name or known["names"].get(connector_id, "")
    return Connector(
        id=connector_id,
        type=connector_type,
        name=shown,
        chain=chain,
        rdns=rdns or known["rdns"].get(connector_id, ""),
        explorer_id=known["explorerIds"].get(connector_id) or known["explorerIds"].get(shown, ""),
        image_id=known["imageIds"].get(connector_id, ""),
        image_url=image_url,
    )


def connectors_of(wallet: Wallet) -> tuple[Connector, ...]:
    """The connectors of a wallet of the browser, one of each namespace that it serves."""
    return tuple(
        connector(wallet.id, wallet.type, space, name=wallet.name, rdns=wallet.rdns, image_url=wallet.icon)
        for space in wallet.namespaces
    )


def merge_connectors(connectors: Iterable[Connector]) -> tuple[Connector, ...]:
    """One connector for each wallet, in order of first appearance; a wallet is a name, and nameless ones are left out.

    Of several namespaces becomes one `MULTI_CHAIN` connector, `AUTH` when it is the embedded wallet; of several connectors of
    one namespace the first counts. Names and rdns are free to take, so what cannot be one wallet stays two: see `_rivals`.
    """
    groups: list[dict[Namespace, Connector]] = []
    named: dict[str, list[dict[Namespace, Connector]]] = {}
    for single in (single for entry in connectors for single in entry.each() if _group(single.name)):
        namesakes = named.setdefault(_group(single.name), [])
        group = _group_of(single, namesakes)
        if group is None:
            group = {}
            groups.append(group)
            namesakes.append(group)
        group.setdefault(single.chain, single)
    return tuple(_merged(tuple(group.values())) for group in groups)


def of_namespace(connectors: Iterable[Connector], namespace: Namespace) -> tuple[Connector, ...]:
    """The raw connectors of a namespace, merged again."""
    return merge_connectors(single for entry in connectors for single in entry.each() if single.chain == namespace)


def auth_connector(connectors: Iterable[Connector], namespace: Namespace) -> Connector | None:
    """The embedded wallet's connector of a namespace: a merged one has one of each, a single one serves all."""
    found = next((entry for entry in connectors if entry.is_embedded), None)
    if found is None or not found.members:
        return found
    return next((member for member in found.members if member.chain == namespace), None)


def connector_for(wallet: Identified, connectors: Iterable[Connector], namespace: Namespace) -> Connector | None:
    """The connector of a namespace that reaches a listed wallet: the same rdns, or, where one lacks it, the same directory id.

    A missing rdns equals nothing, so that a wallet without one is not taken for the first connector without one; and
    a connector whose rdns is another's is another wallet, since its directory id may come from its name alone.
    """
    singles = (single for entry in connectors for single in entry.each() if single.chain == namespace)
    return next((single for single in singles if _reaches(single, wallet)), None)


def find_connector(wallet: Identified, connectors: Iterable[Connector]) -> Connector | None:
    """Finds the connector, merged or not, that reaches a listed wallet in any namespace, by the rule of `connector_for`."""
    return next((entry for entry in connectors if any(_reaches(single, wallet) for single in entry.each())), None)


def browser_connector(wallet: Identified, connectors: Iterable[Connector], namespace: Namespace) -> Connector | None:
    """The installed connector that the browser pane of a wallet asks: as `connector_for`, else by name, where one lacks an rdns.

    An injected provider of another name is another wallet, whatever the visitor chose.
    """
    installed = [c for entry in connectors for c in entry.each() if c.type in ("ANNOUNCED", "INJECTED")]
    by_name = (
        c
        for c in installed
        if c.chain == namespace and _folded(c.name) == _folded(wallet.name) and not (c.rdns and wallet.rdns)
    )
    return connector_for(wallet, installed, namespace) or next(by_name, None)


@dataclass(frozen=True, slots=True)
class Exclusions:
    """Wallets that a host does not want, in lower case: `identifiers` are directory ids, connector ids and rdns."""

    identifiers: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def match(self, entry: Connector) -> bool:
        """Whether a connector is one of them, by an identifier or by name."""
        return self._has(entry.name, entry.id, entry.rdns, entry.explorer_id)

    def match_wallet(self, wallet: Identified) -> bool:
        """Whether a listed or remembered wallet is one of them, by an identifier or by name."""
        return self._has(wallet.name, wallet.id, wallet.rdns)

    def _has(self, name: str, *identifiers: str | None) -> bool:
        return _folded(name) in self.names or not self.identifiers.isdisjoint(_folded(text) for text in identifiers)


def exclusions(exclude_ids: Iterable[str], recalled: Iterable[Identified] = ()) -> Exclusions:
    """What a host's `excludeWalletIds` leave out.

    Args:
        exclude_ids: directory ids or rdns, as the host gave them.
        recalled: the same wallets as the directory describes them, for their rdns and names.
    """
    found = tuple(recalled)
    identifiers = {*exclude_ids, *(wallet.id for wallet in found), *(wallet.rdns or "" for wallet in found)}
    return Exclusions(
        frozenset(_folded(text) for text in identifiers) - {""}, frozenset(_folded(w.name) for w in found) - {""}
    )


def same_rdns(text: str | None, *, mobile: bool = True) -> str:
    """The rdns under which wallets are compared: in lower case, and MetaMask's of phones as the other one, on phones."""
    rdns = _folded(text)
    return _METAMASK if mobile and rdns == _METAMASK_MOBILE else rdns


def shows_connector(
    entry: Connector, *, mobile: bool, provider_injected: bool, excluded: Exclusions | None = None
) -> bool:
    """Whether an installed connector is listed; of other types every one is.

    Args:
        entry: the connector, merged or not.
        mobile: whether the visitor's device is a phone or tablet.
        provider_injected: whether the page has a `window.ethereum`.
        excluded: what the host leaves out.
    """
    if not entry.is_installed:
        return True
    if excluded is not None and any(excluded.match(single) for single in entry.each()):
        return False
    if entry.type != "INJECTED":
        return True
    if not mobile and entry.name == BROWSER_WALLET:
        return False
    return bool(entry.rdns) or provider_injected


def _merged(group: tuple[Connector, ...]) -> Connector:
    first = group[0]
    if len(group) == 1:
        return first
    # Not every standard has a picture in it.
    picture = next((member.image_url for member in group if member.image_url), "")
    return Connector(
        id=first.id,
        type="AUTH" if first.is_embedded else "MULTI_CHAIN",
        name=first.name,
        chain=_MERGED_CHAIN,
        rdns=first.rdns,
        explorer_id=first.explorer_id,
        image_id=first.image_id,
        image_url=picture,
        members=tuple(member if member.image_url else replace(member, image_url=picture) for member in group),
    )


def _group_of(single: Connector, namesakes: list[dict[Namespace, Connector]]) -> dict[Namespace, Connector] | None:
    """The wallet of its name that a connector belongs to: the one that has its id, else the first that it is no rival of."""
    same = (group for group in namesakes if any(_same(member, single) for member in group.values()))
    free = (group for group in namesakes if not any(_rivals(member, single) for member in group.values()))
    return next(same, None) or next(free, None)


def _same(one: Connector, other: Connector) -> bool:
    return one.id == other.id and _folded(one.rdns) == _folded(other.rdns) and not _rivals(one, other)


def _rivals(one: Connector, other: Connector) -> bool:
    """Whether two connectors of one name are two wallets.

    They are when their rdns differ, and when both announced themselves on one namespace, unless neither has an rdns: then it
    is one wallet that was found in two ways. What the host added is never one with what the browser brought: whoever announces
    the host's name must not take its place.
    """
    if (one.type == "EXTERNAL") != (other.type == "EXTERNAL"):
        return True
    ours, theirs = _folded(one.rdns), _folded(other.rdns)
    if ours and theirs and ours != theirs:
        return True
    announced = one.type == other.type == "ANNOUNCED" and one.chain == other.chain
    return announced and bool(ours or theirs) and one.id != other.id


def _reaches(entry: Connector, wallet: Identified) -> bool:
    ours, theirs = same_rdns(entry.rdns), same_rdns(wallet.rdns)
    if ours and theirs:
        return ours == theirs
    return bool(entry.explorer_id) and entry.explorer_id == wallet.id


def _group(name: str) -> str:
    """The name under which connectors of one wallet meet: it calls itself so on one namespace and so on another."""
    return "Trust" if name == "Trust Wallet" else name


def _folded(text: str | None) -> str:
    return (text or "").casefold()


@lru_cache(maxsize=1)
def _presets() -> Mapping[str, Mapping[str, str]]:
    presets: dict[str, dict[str, str]] = json.loads(
        files("walletmodal.core").joinpath("data/connectors.json").read_text("utf-8")
    )
    return presets
