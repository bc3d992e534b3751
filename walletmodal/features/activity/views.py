"""The activity of the account, as a tab of it and as a view of its own. Both show the same list."""

from __future__ import annotations

from typing import Literal

import reflex as rx

from walletmodal.components.activity_list import activity_list
from walletmodal.components.ticker import ticker
from walletmodal.core.language import _, pgettext
from walletmodal.features.account.active import ActiveState, active_var
from walletmodal.features.activity.state import ActivityState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.transactions.state import PendingState
from walletmodal.ui.buttons import link
from walletmodal.ui.notes import note, try_again


def _empty_tab() -> rx.Component:
    receive = link(_("Receive funds"), on_click=ShellState.push("WalletReceive"), data_testid="link-receive-funds")
    return note(
        "clock",
        _("No activity yet"),
        _("Your next transactions will appear here"),
        rx.cond(ActiveState.actions.contains("receive"), receive, rx.fragment()),
        data_testid="empty-account-state",
    )


def _empty_view() -> rx.Component:
    return note(
        "clock",
        _("No Transactions yet"),
        _("What you do with this account on this network is listed here"),
        data_testid="empty-activity-state",
    )


def _failure_note() -> rx.Component:
    """Below what is there."""
    some = ActivityState.page["number"].to(int) > 0
    return note(
        "cloud-off",
        rx.cond(some, _("There is more, but it could not be loaded"), _("The activity could not be loaded")),
        _("The service that knows it does not answer. Your funds are not affected."),
        try_again(ActivityState.retry, test_id="activity-retry"),
        data_testid="activity-failed",
    )


def _not_configured_note() -> rx.Component:
    return note(
        "clock",
        _("No history here"),
        _("This site shows what you send from here. The block explorer knows the rest."),
        data_testid="activity-absent",
    )


def _unless_pending(what: rx.Component) -> rx.Component:
    return rx.cond(PendingState.rows.to(list).length() > 0, rx.fragment(), what)


def _activity(height: Literal["tab", "view"], none: rx.Component) -> rx.Component:
    return rx.fragment(
        activity_list(
            rx.el.div(
                rx.match(
                    ActivityState.phase,
                    ("none", _unless_pending(none)),
                    ("failed", _failure_note()),
                    ("absent", _unless_pending(_not_configured_note())),
                    rx.fragment(),
                ),
                role="status",
            ),
            page=ActivityState.page,
            account=active_var("caip_address"),
            turn=ActivityState.turn,
            pending=PendingState.rows,
            explorer=ActivityState.explorer,
            loading=ActivityState.phase == "loading",
            ended=(ActivityState.phase == "failed") | (ActivityState.phase == "absent"),
            height=height,
            label=pgettext("tab", "Activity"),
            on_shown=ActivityState.on_shown,
            on_more=ActivityState.more,
        ),
        ticker(every=PendingState.every, active=PendingState.every > 0, on_tick=PendingState.poll),
        rx.el.span(ActivityState.told, class_name="wm-hidden", role="status"),
    )


@rx.memo
def activity_tab() -> rx.Component:
    """The Activity tab of the account."""
    return _activity("tab", _empty_tab())


@rx.memo
def transactions_view() -> rx.Component:
    """Transactions: the whole activity."""
    return _activity("view", _empty_view())
