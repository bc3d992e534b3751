"""The list of sign-ins. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.core.language import _, pgettext
from walletmodal.features.account.active import active_var
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.signin.listing import SignInRow, SignInsState
from walletmodal.features.signin.state import SignInState
from walletmodal.features.signin.views import SIGN_IN_CSS
from walletmodal.ui.buttons import button
from walletmodal.ui.feedback import tag
from walletmodal.ui.images import network_image
from walletmodal.ui.notes import list_unavailable, note
from walletmodal.ui.rows import list_item, row_skeleton
from walletmodal.ui.styled import ACCOUNT, styled

_part = styled(ACCOUNT, SIGN_IN_CSS)

_MAY_SIGN_IN: Final = SignInState.enabled & ~NetworksState.unsupported
"""Nobody signs in on a network that is not offered."""


def _sign_in(row: rx.Var[SignInRow]) -> rx.Component:
    return rx.el.li(
        network_image(row["image"]),
        rx.el.span(
            rx.el.span(
                row["short"], rx.cond(row["mine"], tag(_("In use"), "success"), rx.fragment()), title=row["address"]
            ),
            rx.el.span(row["network"], class_name="wm-row-detail"),
            rx.el.span(row["since"], " – ", row["until"], class_name="wm-row-detail"),
            class_name="wm-row-label wm-row-lines",
        ),
        button(
            pgettext("button", "Sign out"),
            variant="accent",
            aria_label=_("Sign out of {account} on {network}", account=row["short"], network=row["network"]),
            on_click=SignInsState.end(row["id"]),
            data_testid="sign-in-end",
        ),
        class_name="wm-row",
        data_kind="address",
        data_testid="sign-in-item",
        key=row["id"],
    )


def _list() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.ul(rx.foreach(SignInsState.rows, _sign_in), class_name="wm-stack wm-sign-ins"),
            class_name="wm-scroll",
            data_height="list",
        ),
        rx.el.div(
            rx.cond(
                _MAY_SIGN_IN & ~SignInsState.current,
                list_item(
                    _("Sign in with {account}", account=active_var("short_address")),
                    rx.icon("log-in", size=16),
                    on_click=SignInsState.sign_in,
                    data_testid="sign-ins-sign-in",
                ),
                rx.fragment(),
            ),
            list_item(
                _("Sign out of all"),
                rx.icon("log-out", size=16),
                tone="neutral",
                chevron=False,
                quiet=True,
                on_click=SignInsState.end_all,
                data_testid="sign-ins-end-all",
            ),
            class_name="wm-stack",
        ),
    )


@rx.memo
def sign_ins_view() -> rx.Component:
    """SignIns: with which accounts this browser is signed in at this page."""
    none = note(
        "user-check",
        _("Not signed in"),
        _("No account is signed in to this page in this browser."),
        rx.cond(
            _MAY_SIGN_IN,
            button(pgettext("button", "Sign in"), on_click=SignInsState.sign_in, data_testid="sign-ins-sign-in"),
            rx.fragment(),
        ),
        role="status",
    )
    failed = list_unavailable(SignInsState.load, test_id="sign-ins-retry")
    loading = rx.el.div(
        row_skeleton("120px", image="round"), row_skeleton("96px", image="round"), class_name="wm-stack"
    )
    return _part(
        rx.match(
            SignInsState.phase,
            ("shown", rx.cond(SignInsState.rows.length() > 0, _list(), none)),
            ("failed", failed),
            loading,
        ),
        on_mount=SignInsState.load,
    )
