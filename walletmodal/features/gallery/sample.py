"""Sample data of the gallery."""

from __future__ import annotations

from decimal import Decimal
from typing import Final
from urllib.parse import quote

from walletmodal.core.chains.addresses import avatar, truncate
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.text.formatting import format_exact
from walletmodal.core.wallets.announced import MAX_NAME, MAX_WALLETS
from walletmodal.features.networks.state import NetworkRow, picture
from walletmodal.features.wallets.state import WalletRow

ADDRESS: Final = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
_BALANCE: Final = "9999.997"
CAIP_ADDRESS: Final = f"eip155:1:{ADDRESS}"
_COLORS: Final = ("#3d8bfd", "#c84bd4", "#2fb67c", "#e07a3f", "#7357d8", "#d64562", "#1c8f9e", "#c9a227")
_WALLETS: Final = ("Tidewater", "Marble", "Northstar", "Quill", "Copperfield", "Juniper", "Basalt", "Meridian")

OFFERED: Final = (
    "eip155:1",
    "eip155:137",
    "eip155:10",
    "eip155:42161",
    "eip155:8453",
    "eip155:56",
    "eip155:43114",
    "eip155:11155111",
)


def _icon(number: int) -> str:
    """A made-up wallet's icon: an SVG as a wallet would announce it."""
    color = _COLORS[number % len(_COLORS)]
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96">'
        f'<rect width="96" height="96" fill="{color}"/>'
        f'<path d="M20 60 {34 + number % 5 * 4} 34 48 56 {62 - number % 4 * 3} 30 76 60" fill="none" stroke="#fff"'
        ' stroke-width="8" stroke-linecap="round" stroke-linejoin="round"/></svg>'
    )
    return "data:image/svg+xml," + quote(svg)


def wallet(number: int) -> WalletRow:
    """A made-up wallet; from the ninth on, names get a number."""
    again, which = divmod(number, len(_WALLETS))
    name = f"{_WALLETS[which]} Wallet" + (f" {again + 1}" if again else "")
    return {"id": f"example.wallet{number}", "name": name, "icon": _icon(number), "tag": "installed"}


def wallets(count: int) -> list[WalletRow]:
    """So many wallets."""
    return [wallet(number) for number in range(count)]


def tagged(number: int, tag: str = "") -> WalletRow:
    """A made-up wallet of another section."""
    return {**wallet(number), "tag": tag}


PAIRING: Final[WalletRow] = {"id": "walletConnect", "name": "WalletConnect", "icon": "", "tag": "qr code"}
PLACES: Final[list[WalletRow]] = [{"id": f"place-{n}", "name": "", "icon": "", "tag": ""} for n in range(2)]
MANY_WALLETS: Final = wallets(MAX_WALLETS)
HOSTILE_WALLETS: Final[list[WalletRow]] = [
    {"id": "example.long", "name": "W" * MAX_NAME, "icon": _icon(1), "tag": "installed"},
    {"id": "example.words", "name": "The Wallet Whose Name Goes On And On And", "icon": "", "tag": "installed"},
    {
        "id": "example.broken",
        "name": "<b>Bold</b> & “quoted”",
        "icon": "data:image/png;base64,AAAA",
        "tag": "multichain",
    },
    {
        "id": "example.drawn",
        "name": "A\u0301ccente\u0301d Wallet",
        "icon": "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        "tag": "recent",
    },
]
FOREIGN_WALLETS: Final[list[WalletRow]] = [
    {"id": "example.rtl", "name": "محفظة النجمة", "icon": _icon(3), "tag": "installed"},
    {"id": "example.wide", "name": "星空のウォレット", "icon": _icon(4), "tag": "installed"},
]


def networks(*ids: str) -> list[NetworkRow]:
    """Rows of bundled networks; all of the EVM ones when none is named."""
    table = bundled_networks()
    chosen = ids or tuple(id_ for id_ in table if id_.startswith("eip155:"))
    return [{"id": id_, "name": table[id_].name, "image": picture(table[id_])} for id_ in chosen]


HOSTILE_NETWORKS: Final[list[NetworkRow]] = [
    {"id": "eip155:90001", "name": "N" * 64, "image": ""},
    {"id": "eip155:90002", "name": "A network with a name that nobody could ever read on a phone", "image": ""},
    {"id": "eip155:90003", "name": "<script>alert(1)</script>", "image": "data:image/png;base64,AAAA"},
]


def account(**changes: object) -> dict[str, object]:
    """A connected account with its balance known."""
    balance = str(changes.get("balance", _BALANCE))
    return {
        "status": "connected",
        "address": ADDRESS,
        "caip_address": CAIP_ADDRESS,
        "short_address": truncate(ADDRESS),
        "avatar": avatar(ADDRESS).background,
        "wallet_name": wallet(0)["name"],
        "balance": balance,
        "balance_text": format_exact(Decimal(balance)) if Decimal(balance or 0) else balance,
        "balance_symbol": "ETH",
        "balance_state": "known",
        "explorer_url": f"https://etherscan.io/address/{ADDRESS}",
        **changes,
    }
