"""The list of permissions. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.components.ticker import ticker
from walletmodal.core.language import _, pgettext
from walletmodal.features.permissions.rows import ACTIVE, TABS, PermissionMonth, PermissionRow
from walletmodal.features.permissions.state import PermissionsState
from walletmodal.features.transactions.state import PendingState
from walletmodal.ui.buttons import button
from walletmodal.ui.feedback import tag
from walletmodal.ui.notes import list_unavailable, note
from walletmodal.ui.rows import list_item, row_skeleton
from walletmodal.ui.styled import ACCOUNT, styled
from walletmodal.ui.tabs import tab, tab_list

PERMISSIONS_CSS: Final = rx.asset("permissions.css", shared=True).importable_path
_PANEL: Final = "wm-permissions-panel"
_part = styled(ACCOUNT, PERMISSIONS_CSS)


def _end(row: rx.Var[PermissionRow]) -> rx.Component:
    revoke = button(
        pgettext("button", "Revoke"),
        variant="accent",
        aria_label=_("Revoke {permission}", permission=row["sentence"]),
        on_click=PermissionsState.revoke(row["id"]),
        data_testid="smart-session-revoke",
    )
    return rx.cond(
        PermissionsState.tab == ACTIVE, rx.cond(row["leaving"], tag(_("Revoking"), "shade"), revoke), rx.fragment()
    )


def _permission(row: rx.Var[PermissionRow]) -> rx.Component:
    return rx.el.li(
        rx.el.span(
            rx.el.span(row["sentence"], class_name="wm-permission-sentence"),
            rx.el.span(row["used"], class_name="wm-row-detail"),
            rx.el.span(row["since"], class_name="wm-row-detail"),
            rx.el.span(row["spender"], title=row["address"], class_name="wm-row-detail"),
            class_name="wm-row-label wm-row-lines",
        ),
        _end(row),
        class_name="wm-row",
        data_kind="address",
        data_testid="smart-session-item-" + row["number"].to_string(),
        key=row["id"],
    )


def _month(month: rx.Var[PermissionMonth]) -> rx.Component:
    return rx.el.section(
        rx.el.h2(month["title"], class_name="wm-permission-month"),
        rx.el.ul(rx.foreach(month["rows"].to(list[PermissionRow]), _permission), class_name="wm-stack wm-permissions"),
        key=month["title"],
    )


def _tab(name: str, label: str) -> rx.Component:
    return tab(
        label,
        identity=f"wm-permissions-tab-{name}",
        selected=PermissionsState.tab == name,
        panel=_PANEL,
        on_click=PermissionsState.choose_tab(name),
        data_testid=f"tab-{name}",
    )


def _list() -> rx.Component:
    none = note(
        "clock",
        rx.match(
            PermissionsState.tab,
            ("Expired", _("No expired sessions")),
            ("Revoked", _("No revoked sessions")),
            _("No active sessions"),
        ),
        _("What you let this page spend on the network in use is listed here."),
        role="status",
    )
    everything = list_item(
        _("Revoke all"),
        rx.icon("ban", size=16),
        tone="neutral",
        chevron=False,
        quiet=True,
        loading=PermissionsState.busy,
        on_click=PermissionsState.revoke_all,
        data_testid="smart-sessions-revoke-all",
    )
    return rx.cond(
        PermissionsState.months.length() > 0,
        rx.fragment(
            rx.el.div(rx.foreach(PermissionsState.months, _month), class_name="wm-scroll", data_height="list"),
            rx.cond(PermissionsState.tab == ACTIVE, rx.el.div(everything, class_name="wm-stack"), rx.fragment()),
        ),
        none,
    )


@rx.memo
def smart_session_list_view() -> rx.Component:
    """SmartSessionList: what the account lets this page spend, what was used of it, and the end of it."""
    failed = list_unavailable(PermissionsState.load, test_id="smart-sessions-retry")
    loading = rx.el.div(row_skeleton("200px"), row_skeleton("160px"), class_name="wm-stack")
    return _part(
        tab_list(_("Sessions"), *(_tab(name, label) for name, label in TABS.items())),
        rx.el.div(
            rx.match(PermissionsState.phase, ("shown", _list()), ("failed", failed), loading),
            id=_PANEL,
            role="tabpanel",
            aria_label=rx.match(PermissionsState.tab, *TABS.items(), ""),
        ),
        ticker(every=PendingState.every, active=PendingState.every > 0, on_tick=PendingState.poll),
        class_name="wm-permission-list",
        on_mount=PermissionsState.load,
    )
