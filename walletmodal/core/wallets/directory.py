"""Wallets as the directory service lists them."""

from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, model_validator

from walletmodal.core.parsing.shapes import (
    IdText,
    Link,
    Name,
    PageUrl,
    Picture,
    SnakeShape,
    Truth,
    Whole,
    read_field,
    read_rows,
    read_shape,
)
from walletmodal.core.wallets.announced import safe_rdns

_MAX_COUNT: Final = 10**9


def _list_or_empty(value: object) -> object:
    return () if value is None else value


class InjectedId(SnakeShape):
    """The flag by which a wallet shows itself in a page, such as `isLantern` on `window.ethereum`."""

    namespace: IdText
    injected_id: IdText


class WalletListing(SnakeShape):
    """One wallet of the directory.

    Attributes:
        id: 64 hexadecimal digits at the public service; any token here.
        badge_type: `certified`, or another word, or "".
        chains: CAIP-2 ids of every namespace, unchecked beyond their form.
        image_id: of the directory's picture, "" for none; image_url wins over it where it is set.
        mobile_link, desktop_link, webapp_link: never one that a browser would run.
        rdns: reverse domain name, or "".
        order: rank at the directory; the lower the earlier.
    """

    id: IdText
    name: Annotated[Name, Field(min_length=1)]
    badge_type: Annotated[str, BeforeValidator(lambda value: value or ""), Field(max_length=64)] = ""
    chains: Annotated[tuple[IdText, ...], BeforeValidator(_list_or_empty), Field(max_length=2000)] = ()
    homepage: PageUrl = None
    image_id: Annotated[str, BeforeValidator(lambda value: value or ""), Field(pattern=r"^[A-Za-z0-9-]{0,64}$")] = ""
    image_url: Picture = ""
    order: Whole | None = None
    mobile_link: Link = None
    desktop_link: Link = None
    webapp_link: PageUrl = None
    app_store: PageUrl = None
    play_store: PageUrl = None
    chrome_store: PageUrl = None
    rdns: Annotated[str, BeforeValidator(safe_rdns)] = ""
    injected: Annotated[tuple[InjectedId, ...], BeforeValidator(_list_or_empty), Field(max_length=64)] = ()

    @model_validator(mode="after")
    def _has_a_name_to_show(self) -> "WalletListing":
        if not self.name:
            raise ValueError("name has nothing to show")
        return self

    @property
    def injected_ids(self) -> tuple[str, ...]:
        """The flags by which it shows itself in a page."""
        return tuple(entry.injected_id for entry in self.injected)


class WalletPage(SnakeShape):
    """One page of the directory: its wallets, and how many there are in all."""

    count: Annotated[Whole, Field(ge=0, le=_MAX_COUNT)]
    data: tuple[WalletListing, ...]


def parse_wallet_listing(raw: object) -> WalletListing:
    """One entry of `GET /getWallets`.

    Raises:
        ShapeError: names the first field that is wrong.
    """
    return read_shape(WalletListing, raw)


def parse_wallet_page(raw: object) -> WalletPage:
    """The answer of `GET /getWallets`; wallets that are wrong are left out, a missing count is that of the list.

    Raises:
        ShapeError: no list of wallets, or none of them is right.
    """
    wallets = read_rows(read_field(raw, "data", of="wallets"), parse_wallet_listing, of="wallets")
    count: Any = raw.get("count") if isinstance(raw, dict) else None
    return read_shape(WalletPage, {"count": len(wallets) if count is None else count, "data": wallets})


class AnalyticsConfig(SnakeShape):
    """Whether the project wants events: what it answers wins over the feature flag."""

    is_analytics_enabled: Annotated[Truth, Field(alias="isAnalyticsEnabled")]


def parse_analytics_config(raw: object) -> AnalyticsConfig:
    """The answer of `GET /getAnalyticsConfig`.

    Raises:
        ShapeError: it does not say true or false.
    """
    return read_shape(AnalyticsConfig, raw)
