"""Connecting a wallet that is elsewhere: by code, by link, in its own page or app."""

from __future__ import annotations

import reflex as rx

from walletmodal.components.pairing import pairing_copy, pairing_link, pairing_qr
from walletmodal.core.language import _, pgettext
from walletmodal.core.wallets.platforms import SEVERAL_DOWNLOADS
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.pairing.state import PairingState, Tab
from walletmodal.features.wallets.state import WalletsState
from walletmodal.ui.buttons import button, button_link
from walletmodal.ui.feedback import outlined
from walletmodal.ui.images import wallet_image
from walletmodal.ui.rows import list_item
from walletmodal.ui.styled import PANES, styled
from walletmodal.ui.tabs import tab, tab_list
from walletmodal.ui.waiting import wallet_is_asked

_PANEL = "wm-pane"
_TAB = "wm-tab-"
_part = styled(PANES)


def _tab(row: rx.Var[Tab]) -> rx.Component:
    return tab(
        row["label"],
        identity=_TAB + row["id"].to(str),
        selected=PairingState.pane == row["id"],
        panel=_PANEL,
        on_click=PairingState.select_pane(row["id"]),
        key=row["id"],
        data_testid="tab-" + row["label"],
    )


def _picture(*, running: bool = False, failed: bool = False) -> rx.Component:
    picture = wallet_image(PairingState.wallet["icon"], "lg")
    return outlined(picture, running=rx.Var.create(running), failed=rx.Var.create(failed))


def _heading_and_text(title: str | rx.Var[str], text: str | rx.Var[str], tone: str = "") -> rx.Component:
    return rx.el.div(
        rx.el.p(title, class_name="wm-heading", data_tone=tone),
        rx.el.p(text, class_name="wm-text"),
        class_name="wm-words",
    )


def _retry() -> rx.Component:
    return button(
        _("Try again"),
        variant="accent",
        icon=rx.icon("refresh-cw", size=14, aria_hidden="true"),
        on_click=PairingState.retry,
        data_testid="w3m-connecting-widget-secondary-button",
    )


def _get_wallet_row() -> rx.Component:
    """For those who do not have the wallet; nothing where no link serves the device."""
    leads = PairingState.wallet["download"]
    return rx.cond(
        leads != "",
        rx.el.div(
            rx.el.span(_("Don't have {wallet}?", wallet=PairingState.wallet["short_name"])),
            rx.cond(
                leads == SEVERAL_DOWNLOADS,
                button(
                    pgettext("button", "Get"),
                    variant="accent",
                    icon_end=rx.icon("chevron-right", size=14, aria_hidden="true"),
                    on_click=PairingState.get_wallet,
                    data_testid="get-wallet-button",
                ),
                button_link(pgettext("button", "Get"), leads, variant="accent", data_testid="get-wallet-button"),
            ),
            class_name="wm-offer",
        ),
        rx.fragment(),
    )


def _failure() -> rx.Component:
    """The same in every pane: what went wrong, and another try."""
    return rx.el.div(
        _picture(failed=True),
        rx.el.div(
            _heading_and_text(
                rx.cond(PairingState.declined, _("Connection declined"), _("Connection failed")),
                PairingState.error,
                "error",
            ),
            role="alert",
        ),
        _retry(),
        class_name="wm-centered",
    )


def _not_started() -> rx.Component:
    """Start button for a pairing that the host starts itself; the visitor may too."""
    name = PairingState.wallet["name"]
    return rx.el.div(
        _picture(),
        _heading_and_text(
            rx.cond(name != "", _("Connect {wallet}", wallet=name), _("Connect a wallet")),
            _("Nothing has been asked of the wallet yet."),
        ),
        button(pgettext("button", "Connect"), on_click=PairingState.retry, data_testid="pairing-start"),
        class_name="wm-centered",
    )


def _pairing_pane(pane: rx.Component) -> rx.Component:
    return rx.match(PairingState.phase, ("error", _failure()), ("idle", _not_started()), pane)


def _code() -> rx.Component:
    # A code for any wallet has the picture of the row that led to it.
    row = rx.cond(WalletsState.pairing.length() > 0, WalletsState.pairing[0]["icon"], "")
    return rx.el.div(
        pairing_qr(
            logo=rx.cond(PairingState.wallet["name"] == "", row, PairingState.wallet["icon"]),
            name=PairingState.wallet["name"],
            on_copied=PairingState.on_copied,
            on_retry=PairingState.retry,
        ),
        _get_wallet_row(),
        class_name="wm-centered",
        data_pad="pane",
    )


def _link(kind: str, link: str | rx.Var[str], request: str) -> rx.Component:
    return rx.el.div(
        _picture(running=True),
        _heading_and_text(_("Continue in {wallet}", wallet=PairingState.wallet["name"]), request),
        pairing_link(
            kind=kind,
            link=link,
            name=PairingState.wallet["name"],
            namespace=PairingState.namespace,
            on_opened=PairingState.on_link_opened,
            on_failed=PairingState.on_link_failed,
            on_retry=PairingState.retry,
        ),
        pairing_copy(on_copied=PairingState.on_copied),
        _get_wallet_row(),
        class_name="wm-centered",
    )


def _browser() -> rx.Component:
    asked = wallet_is_asked(
        wallet_image(PairingState.wallet["icon"], "lg"),
        title=_("Continue in {wallet}", wallet=PairingState.wallet["name"]),
        request=_("Accept the request that your wallet shows you."),
        running=ConnectState.phase == "connecting",
        failed=ConnectState.phase == "error",
        failure=rx.cond(ConnectState.declined, _("Connection declined"), _("Connection failed")),
        error=ConnectState.error,
        on_retry=PairingState.retry,
        retry_waits=True,
    )
    return rx.cond(ConnectState.phase == "idle", _not_started(), asked)


def _unsupported() -> rx.Component:
    named = PairingState.wallet["name"] != ""
    return rx.el.div(
        _picture(),
        _heading_and_text(
            rx.cond(named, _("Not Detected"), _("Not available")),
            rx.cond(
                named,
                _(
                    "This browser does not have {wallet}. Install it, then reload the page.",
                    wallet=PairingState.wallet["name"],
                ),
                PairingState.error,
            ),
        ),
        _get_wallet_row(),
        class_name="wm-centered",
    )


def _panes() -> rx.Component:
    return rx.match(
        PairingState.pane,
        ("browser", _browser()),
        (
            "mobile",
            _pairing_pane(
                _link(
                    "mobile",
                    PairingState.wallet["mobile_link"],
                    _("Open the app and accept the connection request there."),
                )
            ),
        ),
        (
            "web",
            _pairing_pane(
                _link(
                    "web",
                    PairingState.wallet["webapp_link"],
                    _("The wallet opens in a new tab. Accept the request there."),
                )
            ),
        ),
        (
            "desktop",
            _pairing_pane(
                _link(
                    "desktop",
                    PairingState.wallet["desktop_link"],
                    _("Open the desktop app and accept the request there."),
                )
            ),
        ),
        ("unsupported", _unsupported()),
        _pairing_pane(_code()),
    )


@rx.memo
def connecting_wallet_connect_view() -> rx.Component:
    """ConnectingWalletConnect: the ways to one wallet, or a code for any."""
    several = PairingState.tabs.length() > 0
    return _part(
        rx.cond(several, tab_list(_("Where the wallet is"), rx.foreach(PairingState.tabs, _tab)), rx.fragment()),
        rx.el.div(
            _panes(),
            id=_PANEL,
            role=rx.cond(several, "tabpanel", "presentation"),
            aria_labelledby=rx.cond(several, _TAB + PairingState.pane, ""),
        ),
        class_name="wm-scroll",
        data_height="pane",
    )


@rx.memo
def connecting_wallet_connect_basic_view() -> rx.Component:
    """ConnectingWalletConnectBasic: without adapters, a code for any wallet, and the list of them."""
    return _part(
        rx.cond(PairingState.pane == "unsupported", _unsupported(), _pairing_pane(_code())),
        rx.cond(
            PairingState.all_wallets,
            rx.el.div(
                list_item(
                    _("All Wallets"),
                    rx.icon("layout-grid", size=16),
                    on_click=PairingState.open_all_wallets,
                    data_testid="all-wallets",
                ),
                class_name="wm-stack",
            ),
            rx.fragment(),
        ),
        class_name="wm-scroll",
        data_height="pane",
    )
