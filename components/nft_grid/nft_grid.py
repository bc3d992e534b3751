"""Reflex wrapper of the grid of NFTs."""

from __future__ import annotations

from typing import Annotated, Any

import reflex as rx

for _sibling in ("../arrows.ts", "../list_end.ts", "kept.ts", "nft_grid.css"):
    rx.asset(_sibling, shared=True)
_NFT_GRID = rx.asset("nft_grid.tsx", shared=True)


class NftGrid(rx.Component):
    """Cells of NFTs in a scroll area. The server sends one page at a time; the browser keeps those that it has. Children stand below.

    Attributes:
        page: `{list, number, entries, more}`; another `list` begins anew; `entries` is JSON: `[[asset, name, collection, picture, amount], …]`, amount "" for one.
        account: whose they are; when it changes the server is asked anew.
        turn: asks anew when it changes.
        loading: whether a page is on its way.
        ended: no further page is asked for, although there are more.
        label: names the grid.
        on_shown: the grid is there, with so many pages of that list; the server answers with what is missing. The last part is always "".
        on_more: the end comes into view; asks for this page of this list.
        on_choose: an NFT was clicked, by its asset id (CAIP-19).
    """

    library = _NFT_GRID.importable_path
    tag = "NftGrid"

    page: rx.Var[dict[str, Any]]
    account: rx.Var[str]
    turn: rx.Var[int]
    loading: rx.Var[bool]
    ended: rx.Var[bool]
    label: rx.Var[str]
    on_shown: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(int, int, str)]
    on_more: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(int, int)]
    on_choose: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]


nft_grid = NftGrid.create
