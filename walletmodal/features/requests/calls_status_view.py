"""What became of several calls. A module of its own, because it is rarely seen."""

from __future__ import annotations

import reflex as rx

from walletmodal.components.copy_button import copy_button
from walletmodal.components.ticker import ticker
from walletmodal.core.language import _, pgettext
from walletmodal.features.requests.calls_status import CallRow, CallsStatusState, MadeRow
from walletmodal.features.shell.state import ShellState
from walletmodal.features.transactions.parts import status_mark, status_part
from walletmodal.features.transactions.state import PendingState
from walletmodal.ui.buttons import button, button_link
from walletmodal.ui.feedback import tag
from walletmodal.ui.notes import note
from walletmodal.ui.styled import styled

_batch = CallsStatusState.batch
_part = styled(rx.asset("calls_status.css", shared=True).importable_path)


def _call(row: rx.Var[CallRow]) -> rx.Component:
    return rx.el.li(
        rx.el.span(row["number"], ". ", row["text"], class_name="wm-call-text"),
        rx.match(
            row["tone"],
            ("good", tag(row["outcome"], "success")),
            ("bad", tag(row["outcome"], "error")),
            rx.fragment(),
        ),
        class_name="wm-call",
        key=row["number"],
    )


def _transaction(row: rx.Var[MadeRow]) -> rx.Component:
    return rx.el.div(
        copy_button(
            rx.el.span(row["hash"], data_testid="calls-status-hash"),
            rx.icon("copy", size=14, aria_hidden="true"),
            rx.el.span(_("Copy the transaction's hash"), class_name="wm-hidden"),
            text=row["hash"],
            class_name="wm-copy wm-status-hash",
            on_copied=PendingState.on_copied,
        ),
        rx.cond(
            row["link"] != "",
            button_link(
                _("View on the explorer"),
                row["link"],
                icon=rx.icon("compass", size=16, aria_hidden="true"),
                data_testid="calls-status-link",
            ),
            rx.fragment(),
        ),
        class_name="wm-status-links",
        key=row["hash"],
    )


def _hint() -> rx.Component:
    waiting = rx.cond(
        _batch["together"],
        _("You may close this window: the calls go on without it."),
        _("They are made one after the other. Keep this page open until all are sent."),
    )
    return rx.cond(_batch["tone"] == "waiting", rx.el.p(waiting, class_name="wm-text"), rx.fragment())


def _status() -> rx.Component:
    return status_part(
        status_mark(_batch["tone"]),
        rx.el.div(
            rx.el.p(_batch["label"], class_name="wm-heading", role="status", data_testid="calls-status-label"),
            _hint(),
            class_name="wm-words",
        ),
        rx.cond(
            _batch["calls"].length() > 0,
            rx.el.ol(rx.foreach(_batch["calls"], _call), class_name="wm-calls"),
            rx.fragment(),
        ),
        rx.foreach(_batch["made"], _transaction),
        class_name="wm-status",
    )


@rx.memo
def calls_status_view() -> rx.Component:
    """CallsStatus: what a page's calls do, how they stand, and the transactions that have made them."""
    nothing = note(
        "clock", _("No calls"), _("A page that has made calls with your wallet can show them here."), role="status"
    )
    return _part(
        rx.el.div(
            rx.cond(_batch["label"], _status(), nothing),
            class_name="wm-scroll",
            data_height="list",
            role="region",
            aria_label=_("Calls"),
            tab_index=0,
        ),
        button(
            pgettext("button", "Done"), size="lg", wide=True, on_click=ShellState.back, data_testid="calls-status-done"
        ),
        ticker(every=_batch["every"], active=_batch["every"] > 0, on_tick=CallsStatusState.load),
        class_name="wm-calls-status",
    )
