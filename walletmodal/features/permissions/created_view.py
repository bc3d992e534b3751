"""What was granted just now. A module of its own, because it is rarely seen."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.language import _
from walletmodal.features.permissions.list_view import PERMISSIONS_CSS
from walletmodal.features.permissions.rows import PermissionMonth, PermissionRow
from walletmodal.features.permissions.state import PermissionsState
from walletmodal.ui.buttons import button
from walletmodal.ui.images import icon_box
from walletmodal.ui.styled import styled

_part = styled(PERMISSIONS_CSS)


def _granted(row: rx.Var[PermissionRow]) -> rx.Component:
    return rx.cond(row["fresh"], rx.el.li(row["sentence"], key=row["id"]), rx.fragment(key=row["id"]))


def _month(month: rx.Var[PermissionMonth]) -> rx.Component:
    return rx.fragment(rx.foreach(month["rows"].to(list[PermissionRow]), _granted), key=month["title"])


@rx.memo
def smart_session_created_view() -> rx.Component:
    """SmartSessionCreated: the account has granted what the page asked for."""
    return _part(
        icon_box(rx.icon("check", size=28), size="xl", tone="accent"),
        rx.el.div(
            rx.el.h2(_("Permission granted"), class_name="wm-heading"),
            rx.el.ul(rx.foreach(PermissionsState.months, _month), class_name="wm-granted"),
            rx.el.p(_("You can take it back at any time."), class_name="wm-text"),
            class_name="wm-words",
            role="status",
        ),
        button(_("Got it!"), on_click=PermissionsState.open_account, data_testid="smart-session-got-it"),
        class_name="wm-centered",
        data_pad="empty",
        on_mount=PermissionsState.load,
    )
