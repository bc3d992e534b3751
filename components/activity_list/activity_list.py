"""Reflex wrapper of the activity list."""

from __future__ import annotations

from typing import Annotated, Any

import reflex as rx

for _sibling in ("../list_end.ts", "entry.tsx", "pending.tsx", "glyphs.tsx", "kept.ts", "activity_list.css"):
    rx.asset(_sibling, shared=True)
_ACTIVITY_LIST = rx.asset("activity_list.tsx", shared=True)


class ActivityList(rx.Component):
    """Transactions by month in a scroll area. The server sends one page at a time; the browser keeps those that it has.

    What is pending stands above the first month, children below the last.

    Attributes:
        page: `{list, number, entries, texts, more}`; another `list` begins anew; `entries` and `texts` are those of `page_entries`.
        account: whose activity it is; when it changes the server is asked anew.
        turn: asks anew when it changes.
        pending: rows of transactions on their way, or just arrived; the months leave them out.
        explorer: what a hash follows in the URL of the explorer's page; "" makes no links.
        loading: whether a page is on its way.
        ended: no further page is asked for, although there are more.
        height: of the scroll area: `tab` or `view`.
        label: names the scroll area.
        on_shown: the list is there, with so many pages of that list, in a browser of this time zone; the server answers with what is missing.
        on_more: the end comes into view; asks for this page of this list.
    """

    library = _ACTIVITY_LIST.importable_path
    tag = "ActivityList"

    page: rx.Var[dict[str, Any]]
    account: rx.Var[str]
    turn: rx.Var[int]
    pending: rx.Var[list[Any]]
    explorer: rx.Var[str]
    loading: rx.Var[bool]
    ended: rx.Var[bool]
    height: rx.Var[str]
    label: rx.Var[str]
    on_shown: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(int, int, str)]
    on_more: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(int, int)]


activity_list = ActivityList.create
