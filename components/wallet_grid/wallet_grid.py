"""Reflex wrapper of the wallet grid."""

from __future__ import annotations

from typing import Annotated, Any

import reflex as rx

for _sibling in ("../arrows.ts", "../list_end.ts", "cell.tsx", "kept.ts", "wallet_grid.css"):
    rx.asset(_sibling, shared=True)
_WALLET_GRID = rx.asset("wallet_grid.tsx", shared=True)


class WalletGrid(rx.Component):
    """Cells of wallets in a scroll area. The server sends one page at a time; the browser keeps those that it has.

    The rows of a page are texts in an order, for a key beside each would double them: id, name, picture (the directory's id of it, or
    a path of ours), `c` when certified, and the id of the connector of the browser that reaches the wallet. Children stand below the
    last cell.

    Attributes:
        page: `{list, number, rows, more}`; another `list` begins anew.
        installed: wallets of the browser, `{id, name, icon}`; they come first, and the listed wallet that one of them reaches takes its place.
        search, certified: what the list was asked for; the browser's wallets follow it too.
        loading: whether a page is on its way.
        ended: no further page is asked for, although there are more.
        on_shown: the view is there, with so many pages of that list; the server answers with what is missing.
        on_more: the end of the list comes into view; asks for this page of this list.
        on_choose: a wallet was clicked: `listed` or `connector`, and its id.
    """

    library = _WALLET_GRID.importable_path
    tag = "WalletGrid"

    page: rx.Var[dict[str, Any]]
    installed: rx.Var[list[dict[str, str]]]
    search: rx.Var[str]
    certified: rx.Var[bool]
    loading: rx.Var[bool]
    ended: rx.Var[bool]
    label: rx.Var[str]
    on_shown: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(int, int)]
    on_more: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(int, int)]
    on_choose: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str, str)]


wallet_grid = WalletGrid.create
