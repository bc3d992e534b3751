"""Wallets as a browser announces them: hostile input until checked here."""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from walletmodal.core.chains.caip import Namespace, is_namespace
from walletmodal.core.parsing.urls import is_secure_url
from walletmodal.core.protocol.limits import text_bytes
from walletmodal.core.text.display_text import clean_text

MAX_WALLETS: Final = 40
MAX_ICON: Final = 64 * 1024
MAX_ICONS: Final = 96 * 1024
"""Bytes of the icons of all wallets of a page; the loader sends no more."""
MAX_NAME: Final = 40

WalletType = Literal["ANNOUNCED", "INJECTED", "EXTERNAL"]

_ID: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ._:@-]{0,94}[A-Za-z0-9._:@-])?")
_RDNS: Final = re.compile(r"[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+")
_DATA_IMAGE: Final = re.compile(
    r"data:image/(svg\+xml|png|jpeg|gif|webp|avif)((?:;[a-zA-Z0-9=-]{1,32}){0,3}),(.+)", re.DOTALL
)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class Wallet(BaseModel):
    """One wallet of the browser, checked.

    Attributes:
        id: the connector id: rdns or uuid of an announcement, `injected` for `window.ethereum`.
        namespaces: those that it serves, without repetition.
        type: `ANNOUNCED` (EIP-6963, Wallet Standard), `INJECTED`, or `EXTERNAL`: the host page added it.
        name: clean text, at most 40 characters, never empty.
        icon: a `data:image/…` or https URL for an `<img>`, or "" when it had none that we show.
        rdns: reverse domain name, or "".
    """

    model_config = ConfigDict(frozen=True)

    id: str
    namespaces: tuple[Namespace, ...]
    type: WalletType
    name: str
    icon: str
    rdns: str


def safe_icon(text: object) -> str:
    """The icon when it may be shown through `<img>`, else "".

    Allowed are https (http on loopback) URLs and data URLs of SVG, PNG, JPEG, GIF, WebP and AVIF up to 64 kB. An `<img>` runs no
    script of an SVG; other types and `data:text/html` have no business here.
    """
    if not isinstance(text, str) or not text or text_bytes(text) > MAX_ICON:
        return ""
    icon = text.strip()
    if not icon.startswith("data:"):
        return icon if is_secure_url(icon) else ""
    match = _DATA_IMAGE.fullmatch(icon)
    if match is None or _SURROGATE.search(icon):
        return ""
    if ";base64" in match[2]:
        try:
            base64.b64decode(match[3], validate=True)
        except (binascii.Error, ValueError):
            return ""
    return icon


def safe_rdns(text: object) -> str:
    """The reverse domain name, or "" when it is none."""
    if not isinstance(text, str) or len(text) > 96 or not _RDNS.fullmatch(text):
        return ""
    return text


def is_connector_id(text: object) -> bool:
    """Whether the text can name a connector in a command, a storage key and a test id."""
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def parse_wallet(raw: object) -> Wallet | None:
    """The wallet of one entry of a snapshot, or None when it cannot be listed.

    A wallet is left out for a wrong id, type or namespaces, or a name of which nothing remains; a wrong icon or rdns
    is only emptied, since the visitor may still want the wallet.
    """
    if not isinstance(raw, Mapping):
        return None
    wallet_id, kind, name, announced = raw.get("id"), raw.get("type"), raw.get("name"), raw.get("namespaces")
    if not isinstance(wallet_id, str) or not is_connector_id(wallet_id) or not isinstance(name, str):
        return None
    if (
        kind not in ("ANNOUNCED", "INJECTED", "EXTERNAL")
        or not isinstance(announced, list | tuple)
        or len(announced) > 16
    ):
        return None
    namespaces = tuple(dict.fromkeys(space for space in announced if is_namespace(space)))
    shown = clean_text(name, limit=MAX_NAME)
    if not namespaces or not shown:
        return None
    return Wallet(
        id=wallet_id,
        namespaces=namespaces,
        type=kind,
        name=shown,
        icon=safe_icon(raw.get("icon")),
        rdns=safe_rdns(raw.get("rdns")),
    )


def parse_wallets(raw: list[object]) -> tuple[tuple[Wallet, ...], int]:
    """The wallets of a snapshot, the first of each id, at most 40, an icon where it has room; and how many entries were left out."""
    kept: dict[str, Wallet] = {}
    room = MAX_ICONS
    for entry in raw:
        if len(kept) == MAX_WALLETS:
            break
        wallet = parse_wallet(entry)
        if wallet is None or wallet.id in kept:
            continue
        if (size := text_bytes(wallet.icon)) > room:
            wallet, size = wallet.model_copy(update={"icon": ""}), 0
        room -= size
        kept[wallet.id] = wallet
    return tuple(kept.values()), len(raw) - len(kept)
