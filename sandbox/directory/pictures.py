"""The pictures behind ids, codes and symbols: of wallets, connectors, networks, currencies and tokens."""

import html
import json
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final, TypedDict

from walletmodal.core.chains.networks import bundled_networks
from walletmodal.sandbox.directory.chance import Chance
from walletmodal.sandbox.directory.marks import SIZE, shade, svg, wallet_mark
from walletmodal.sandbox.directory.wallets import picture_subjects
from walletmodal.sandbox.evm.world import worlds
from walletmodal.sandbox.solana.world import TOKENS as SOLANA_TOKENS

_NETWORK_FILES: Final = Path(__file__).parents[2] / "assets" / "networks"


class _Table(TypedDict):
    connectors: dict[str, str]
    networks_without_a_picture: dict[str, str]
    currencies: dict[str, tuple[str, str]]
    tokens: dict[str, str | None]


def wallet_picture(image_id: str) -> str | None:
    """The picture of a wallet by the id of the picture; None when there is no such id."""
    found = picture_subjects().get(image_id.lower())
    return None if found is None else wallet_mark(*found)


def asset_picture(image_id: str) -> str | None:
    """The picture of a network or a connector by its image id; None when there is no such id."""
    wanted, table = image_id.lower(), _table()
    file = _network_files().get(wanted)
    if file is not None:
        return file.read_text(encoding="utf-8")
    if wanted in table["connectors"]:
        return wallet_mark(wanted, table["connectors"][wanted])
    if wanted in table["networks_without_a_picture"]:
        return wallet_mark(wanted, table["networks_without_a_picture"][wanted])
    return None


def currency_picture(code: str) -> str | None:
    """The picture of a currency by its code, such as `USD`; None when it is none of those known."""
    found = _table()["currencies"].get(code.upper())
    return None if found is None else _coin(*found)


def token_picture(symbol: str) -> str | None:
    """The picture of a token by its symbol, whatever its case; None when it is none of those known."""
    symbols = _symbols()
    known = symbols.get(symbol.upper())
    return None if known is None else _coin(known, _table()["tokens"].get(known) or _colour_of(known))


def known_symbols() -> list[str]:
    """The symbols that have a picture."""
    return sorted(_symbols().values())


@lru_cache(maxsize=1)
def _table() -> _Table:
    table: _Table = json.loads(files(__package__).joinpath("pictures.json").read_text("utf-8"))
    return table


@lru_cache(maxsize=1)
def _symbols() -> dict[str, str]:
    native = (network.native_currency.symbol for network in bundled_networks().values())
    deployed = (token.symbol for world in worlds().values() for token in world.tokens)
    return {
        symbol.upper(): symbol
        for symbol in (*deployed, *(token.symbol for token in SOLANA_TOKENS), *native, *_table()["tokens"])
    }


@lru_cache(maxsize=1)
def _network_files() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for caip_id, network in bundled_networks().items():
        file = _NETWORK_FILES / f"{caip_id.replace(':', '-')}.svg"
        if network.image_id and file.is_file():
            found.setdefault(network.image_id, file)
    return found


def _coin(text: str, colour: str) -> str:
    shown = text if len(text) <= 5 else text[:4]
    size = {1: 46, 2: 38, 3: 29, 4: 23}.get(len(shown), 19)
    return svg(
        f'<defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="{shade(colour, 1.18)}"/>'
        f'<stop offset="1" stop-color="{shade(colour, 0.82)}"/></linearGradient></defs>'
        f'<circle cx="48" cy="48" r="48" fill="url(#g)"/>'
        f'<circle cx="48" cy="48" r="41" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="2.500"/>'
        f'<text x="48" y="{SIZE / 2 + size * 0.355:.1f}" fill="#fff" font-family="system-ui,Segoe UI,Roboto,sans-serif" '
        f'font-size="{size}" font-weight="700" text-anchor="middle">{html.escape(shown)}</text>'
    )


def _colour_of(symbol: str) -> str:
    chance = Chance(f"coin {symbol}")
    return "#" + "".join(f"{chance.between(40, 150):02x}" for _ in range(3))
