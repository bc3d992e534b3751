"""The gallery's entries of NFTs."""

from __future__ import annotations

import itertools
import json
from typing import Final
from urllib.parse import quote

import reflex as rx

from walletmodal.core.chains.addresses import truncate
from walletmodal.features.account.active import ActiveState
from walletmodal.features.account.state import Eip155State
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.nfts.state import NftsState

_CONTRACT: Final = "0xe40cDEA784c61Eb8EB9b736641453e04cadb1000"
_COLORS: Final = ("#3d8bfd", "#c84bd4", "#2fb67c", "#e07a3f", "#7357d8", "#d64562")
# Each entry has a list of its own: the component keeps the pages of the one that it has.
_LISTS: Final = itertools.count(1)
_STACK: Final = ("Account", "NftDetails")

Cell = tuple[str, str, str, str, str]


def _drawing(number: int) -> str:
    color = _COLORS[number % len(_COLORS)]
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96">'
        f'<rect width="96" height="96" fill="{color}"/>'
        f'<circle cx="{30 + number * 7 % 40}" cy="{34 + number * 5 % 30}" r="{14 + number % 9}" fill="#fff" opacity=".8"/></svg>'
    )
    return "data:image/svg+xml," + quote(svg)


def _cell(number: int) -> Cell:
    """A made-up NFT; each fifth has no picture, each seventh there are several of."""
    asset = f"eip155:1/erc721:{_CONTRACT}/{number}"
    picture = "" if number % 5 == 4 else _drawing(number)
    return (asset, f"Lattice Bird {number}", "Lattice Birds", picture, "3" if number % 7 == 3 else "")


_CELLS: Final = tuple(_cell(number) for number in range(24))
_HOSTILE: Final[tuple[Cell, ...]] = (
    ("long", "W" * 80, "C" * 64, _drawing(1), "9999+"),
    ("words", "An artwork whose name goes on and on and on", "", "", ""),
    ("markup", "<b>Bold</b> & “quoted”", "<i>Collection</i>", "data:image/png;base64,AAAA", ""),
)


def _empty() -> dict[str, object]:
    return {"list": next(_LISTS), "number": 0, "entries": "", "texts": [], "more": True}


def _page(cells: tuple[Cell, ...], *, more: bool = False) -> dict[str, object]:
    return {"list": next(_LISTS), "number": 1, "entries": json.dumps(cells), "texts": [], "more": more}


def _tab(page: dict[str, object], phase: str = "shown", *, partial: bool = False) -> dict[type[rx.State], Values]:
    return {
        Eip155State: sample.account(),
        ActiveState: {
            "tab": "NFTs",
            "tabs": ["Tokens", "NFTs", "Activity"],
            "actions": ["receive", "send"] if phase == "none" else [],
        },
        NftsState: {"page": page, "phase": phase, "partial": partial},
    }


def _chosen(phase: str = "shown", **changes: str) -> dict[type[rx.State], Values]:
    told = {
        "chosen": phase,
        "name": "Lattice Bird 7",
        "collection": "Lattice Birds",
        "description": "One of twenty-four birds, each drawn by its own contract from nothing but its number.",
        "picture": _drawing(7),
        "token_id": "7",
        "short_id": "7",
        "contract": _CONTRACT,
        "short_contract": truncate(_CONTRACT),
        "standard": "ERC-721",
        "network": "Ethereum",
        "explorer_url": f"https://etherscan.io/token/{_CONTRACT}?a=7",
        **changes,
    }
    return {Eip155State: sample.account(), NftsState: told}


ENTRIES: Final = (
    Entry("nfts-loading", ("Account",), _tab(_empty(), "loading")),
    Entry("nfts-full", ("Account",), _tab(_page(_CELLS))),
    Entry("nfts-few", ("Account",), _tab(_page(_CELLS[:2]))),
    Entry("nfts-next-page", ("Account",), _tab(_page(_CELLS[:4], more=True), "loading")),
    Entry("nfts-none", ("Account",), _tab(_page(()), "none")),
    Entry("nfts-partial", ("Account",), _tab(_page(_CELLS[:3]), partial=True), note="older ones may be missing"),
    Entry("nfts-none-partial", ("Account",), _tab(_page(()), "none", partial=True)),
    Entry("nfts-down", ("Account",), _tab(_empty(), "failed"), note="the network does not answer"),
    Entry("nfts-hostile", ("Account",), _tab(_page(_HOSTILE))),
    Entry("nft-full", _STACK, _chosen(), {"name": "Lattice Bird 7"}),
    Entry("nft-bare", _STACK, _chosen(description="", picture="", collection="", explorer_url=""), {"name": "NFT #7"}),
    Entry("nft-loading", _STACK, _chosen("loading")),
    Entry("nft-failed", _STACK, _chosen("failed")),
    Entry("nft-gone", _STACK, _chosen("gone")),
    Entry("nft-none", _STACK, _chosen(""), note="opened by a host page, with nothing chosen"),
    Entry(
        "nft-hostile",
        _STACK,
        _chosen(
            name="W" * 80,
            collection="C" * 64,
            description="<b>Bold</b> " + "words and words " * 36,
            token_id="9" * 77,
            short_id="999999…999999",
            amount="1" + "0" * 60,
        ),
        {"name": "W" * 80},
    ),
)
