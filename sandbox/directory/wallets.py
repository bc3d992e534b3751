"""The catalogue: the well-known wallets by their real ids, the sandbox's phone, and invented ones behind them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict

from walletmodal.sandbox.directory.invented import invent
from walletmodal.sandbox.directory.phone import COLOUR, WALLET_ID, phone_wallet

Badge = Literal["none", "certified"]


class InjectedProvider(BaseModel):
    """How a wallet's injected provider is known: the flag it carries, in its namespace."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    namespace: str
    injected_id: str


class Wallet(BaseModel):
    """One wallet, in the shape of the directory's answer.

    Attributes:
        id: 64 hexadecimal digits.
        image_id: id of its picture.
        image_url: always null here: pictures go by their id.
        chains: CAIP-2 ids.
        order: place in the list, ascending.
        mobile_link, desktop_link, webapp_link, app_store, play_store, chrome_store, homepage: links, null where it has none.
        rdns: its EIP-6963 name in the browser.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    name: str
    badge_type: Badge
    description: str | None
    chains: tuple[str, ...]
    homepage: str | None
    image_id: str
    image_url: None = None
    order: int
    display_index: int
    mobile_link: str | None
    desktop_link: str | None
    webapp_link: str | None
    link_mode: str | None
    app_store: str | None
    play_store: str | None
    chrome_store: str | None
    rdns: str | None
    injected: tuple[InjectedProvider, ...] | None
    supports_wc: bool
    supports_wcpay: bool


@dataclass(frozen=True)
class Wanted:
    """Which wallets are asked for; an empty set or text does not limit.

    Attributes:
        include: only these ids.
        exclude: not these ids.
        chains: only wallets that know at least one of these CAIP-2 ids.
        search: only names that contain this, whatever the case.
        badge: only wallets with this badge.
    """

    include: frozenset[str] = frozenset()
    exclude: frozenset[str] = frozenset()
    chains: frozenset[str] = frozenset()
    search: str = ""
    badge: Badge | None = None

    def takes(self, wallet: Wallet) -> bool:
        """Whether the wallet is one of those."""
        return (
            (not self.include or wallet.id in self.include)
            and wallet.id not in self.exclude
            and (not self.chains or not self.chains.isdisjoint(wallet.chains))
            and self.search.casefold() in wallet.name.casefold()
            and self.badge in (None, wallet.badge_type)
        )


@lru_cache(maxsize=4)
def catalogue(sandbox_url: str) -> Sequence[Wallet]:
    """All wallets, in their order.

    Args:
        sandbox_url: where the sandbox's phone is found.
    """
    raw: list[dict[str, object]] = json.loads(files(__package__).joinpath("known.json").read_text("utf-8"))
    known = [{**one, "image_id": one["image_id"] or picture_id(str(one["id"]))} for one in raw]
    ours = (phone_wallet(sandbox_url), *invent({str(one["name"]) for one in known}))
    behind = [{**one, "image_id": picture_id(str(one["id"]))} for one in ours]
    return tuple(_wallet(one, place) for place, one in enumerate((*known, *behind), 1))


def find_wallets(wanted: Wanted, sandbox_url: str) -> Sequence[Wallet]:
    """The wallets that are asked for, in their order; `sandbox_url` as for the catalogue."""
    return [wallet for wallet in catalogue(sandbox_url) if wanted.takes(wallet)]


@lru_cache(maxsize=1)
def picture_subjects() -> dict[str, tuple[str, str | None, str]]:
    """For the id of each wallet's picture: the wallet's id, its own colour where it is known for one, and the name of a well-known one."""
    raw: list[dict[str, str]] = json.loads(files(__package__).joinpath("known.json").read_text("utf-8"))
    names = {one["id"]: one["name"] for one in raw}
    colours = {one["id"]: one["colour"] for one in raw} | {WALLET_ID: COLOUR}
    return {wallet.image_id: (wallet.id, colours.get(wallet.id), names.get(wallet.id, "")) for wallet in catalogue("")}


def picture_id(wallet_id: str) -> str:
    """The id of a wallet's picture, in the form of a UUID, from the wallet's own."""
    return "-".join((wallet_id[:8], wallet_id[8:12], wallet_id[12:16], wallet_id[16:20], f"{wallet_id[20:30]}00"))


def _wallet(facts: dict[str, object], place: int) -> Wallet:
    paired = any(facts[link] for link in ("mobile_link", "desktop_link", "webapp_link"))
    given = {name: value for name, value in facts.items() if name != "colour"}
    return Wallet.model_validate(
        {
            "description": None,
            "link_mode": None,
            "order": place * 10,
            "display_index": place,
            "supports_wc": paired,
            "supports_wcpay": False,
            **given,
        }
    )
