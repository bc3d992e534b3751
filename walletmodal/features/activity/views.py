"""The activity of the account, as a tab of it and as a view of its own. Both show the same list."""

from __future__ import annotations

from typing import Literal

import reflex as rx

from components.activity_list import activity_list
from components.ticker import ticker
from walletmodal.core.views import BUILT_VIEWS
from walletmodal.features.account.state import shown
from walletmodal.features.activity.state import ActivityState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.transactions.state import PendingState
from walletmodal.ui.buttons import button, link
from walletmodal.ui.images import icon_box

RECEIVE = "WalletReceive"


def _note(icon: str, title: str | rx.Var[str], text: str, *end: rx.Component, test_id: str) -> rx.Component:
    return rx.el.div(
        icon_box(rx.icon(icon, size=20), size="lg"),
        rx.el.div(
            rx.el.p(title, class_name="wm-heading"),
            rx.el.p(text, class_name="wm-text"),
            class_name="wm-words",
        ),
        *end,
        class_name="wm-centered",
        data_pad="empty",
        data_testid=test_id,
    )


def _none_in_tab() -> rx.Component:
    receive = link("Receive funds", on_click=ShellState.push(RECEIVE), data_testid="link-receive-funds")
    return _note(
        "clock",
        "No activity yet",
        "Your next transactions will appear here",
        receive if RECEIVE in BUILT_VIEWS else rx.fragment(),
        test_id="empty-account-state",
    )


def _none_in_view() -> rx.Component:
    return _note(
        "clock",
        "No Transactions yet",
        "What you do with this account on this network is listed here",
        test_id="empty-activity-state",
    )


def _failed() -> rx.Component:
    """Below what is there."""
    some = ActivityState.page["number"].to(int) > 0
    again = button(
        "Try again",
        variant="accent",
        icon=rx.icon("refresh-cw", size=14, aria_hidden="true"),
        on_click=ActivityState.retry,
        data_testid="activity-retry",
    )
    return _note(
        "cloud-off",
        rx.cond(some, "There is more, but it could not be loaded", "The activity could not be loaded"),
        "The service that knows it does not answer. Your funds are not affected.",
        again,
        test_id="activity-failed",
    )


def _absent() -> rx.Component:
    return _note(
        "clock",
        "No history here",
        "This site shows what you send from here. The block explorer knows the rest.",
        test_id="activity-absent",
    )


def _unless_pending(note: rx.Component) -> rx.Component:
    return rx.cond(PendingState.rows.to(list).length() > 0, rx.fragment(), note)


def _activity(height: Literal["tab", "view"], none: rx.Component) -> rx.Component:
    return rx.fragment(
        activity_list(
            rx.el.div(
                rx.match(
                    ActivityState.phase,
                    ("none", _unless_pending(none)),
                    ("failed", _failed()),
                    ("absent", _unless_pending(_absent())),
                    rx.fragment(),
                ),
                role="status",
            ),
            page=ActivityState.page,
            account=shown("caip_address"),
            turn=ActivityState.turn,
            pending=PendingState.rows,
            explorer=ActivityState.explorer,
            loading=ActivityState.phase == "loading",
            ended=(ActivityState.phase == "failed") | (ActivityState.phase == "absent"),
            height=height,
            label="Activity",
            on_shown=ActivityState.shown,
            on_more=ActivityState.more,
        ),
        ticker(every=PendingState.every, active=PendingState.every > 0, on_tick=PendingState.look),
        rx.el.span(ActivityState.told, class_name="wm-hidden", role="status"),
    )


@rx.memo
def activity_tab() -> rx.Component:
    """The Activity tab of the account."""
    return _activity("tab", _none_in_tab())


@rx.memo
def transactions_view() -> rx.Component:
    """Transactions: the whole activity."""
    return _activity("view", _none_in_view())
