"""The header, the alert bar, and which view fills the body."""

from __future__ import annotations

import reflex as rx

from components.shell import cross_fade, header_title, shell, view_presence
from components.toast import toast
from walletmodal.features.account.profile_view import profile_view
from walletmodal.features.account.settings_view import account_settings_view
from walletmodal.features.account.state import ActiveState
from walletmodal.features.account.switch_address_view import switch_address_view
from walletmodal.features.activity.views import transactions_view
from walletmodal.features.all_wallets.views import all_wallets_view
from walletmodal.features.approve.views import approve_transaction_view
from walletmodal.features.connect.guide_views import connect_wallets_view, create_view, get_wallet_view
from walletmodal.features.connect.multi_chain import connecting_multi_chain_view
from walletmodal.features.connect.views import connect_view, connecting_external_view
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.help.views import what_is_a_network_view, what_is_a_wallet_view
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.networks.switch_active_view import switch_active_chain_view
from walletmodal.features.networks.unsupported_view import unsupported_chain_view
from walletmodal.features.networks.views import networks_view, switch_network_view
from walletmodal.features.nfts.views import nft_details_view
from walletmodal.features.pairing.downloads_view import downloads_view
from walletmodal.features.pairing.views import connecting_wallet_connect_basic_view, connecting_wallet_connect_view
from walletmodal.features.receive.views import wallet_compatible_networks_view, wallet_receive_view
from walletmodal.features.send.review_views import wallet_send_preview_view
from walletmodal.features.send.views import wallet_send_select_token_view, wallet_send_view
from walletmodal.features.shell.account_view import account_view
from walletmodal.features.shell.lazy import lazy_view
from walletmodal.features.shell.send_result_view import wallet_send_result_view
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.list_view import sign_ins_view
from walletmodal.features.signin.views import sign_in_view
from walletmodal.features.toasts.state import AlertState, ToastState
from walletmodal.ui.buttons import icon_button
from walletmodal.ui.images import network_image


def _network_select() -> rx.Component:
    return rx.el.button(
        rx.cond(
            NetworksState.unsupported,
            rx.el.span(rx.icon("triangle-alert", size=14), class_name="wm-network-warning", aria_hidden="true"),
            network_image(NetworksState.active_image, "xs"),
        ),
        rx.cond(
            NetworksState.choosable,
            rx.icon("chevron-down", size=14, aria_hidden="true"),
            rx.fragment(),
        ),
        type="button",
        class_name="wm-network-select",
        aria_label=rx.cond(NetworksState.unsupported, "Unsupported network", "Network: " + NetworksState.active_name),
        title=NetworksState.active_name,
        disabled=~NetworksState.choosable,
        on_click=NetworksState.open_list,
        data_testid="w3m-account-select-network",
    )


def _back() -> rx.Component:
    return icon_button(
        rx.icon("chevron-left", size=20),
        "Back",
        class_name="wm-back",
        on_click=ShellState.back,
        data_testid="header-back",
    )


def _help() -> rx.Component:
    return icon_button(
        rx.icon("circle-help", size=20),
        "What is a wallet?",
        on_click=ShellState.push("WhatIsAWallet"),
        data_testid="w3m-header-help",
    )


def _left() -> rx.Component:
    """The first that applies: the network of the account, the way back, help; else the slot stays empty."""
    selects = (ShellState.view == "Account") & EmbedState.network_switch
    goes_back = (
        (ShellState.depth > 1)
        & (ShellState.view != "ApproveTransaction")
        & ~(EmbedState.embedded & (ShellState.view == "Connect"))
    )
    helps = ShellState.view == "Connect"
    return rx.el.div(
        cross_fade(
            rx.cond(selects, _network_select(), rx.cond(goes_back, _back(), rx.cond(helps, _help(), rx.fragment()))),
            name=rx.cond(selects, "network", rx.cond(goes_back, "back", rx.cond(helps, "help", ""))),
            milliseconds=200,
        ),
        class_name="wm-header-slot",
    )


@rx.memo
def header() -> rx.Component:
    """One button at the left, the title in the middle, the close button at the right."""
    return rx.el.div(
        _left(),
        header_title(text=ShellState.title, name="Account", direction=ShellState.direction),
        rx.el.div(
            icon_button(rx.icon("x", size=20), "Close", data_close="true", data_testid="w3m-header-close"),
            class_name="wm-header-slot",
            data_side="end",
        ),
        class_name="wm-header",
    )


@rx.memo
def alert_bar() -> rx.Component:
    """What a host's developer must see; it stays until it is closed."""
    return rx.el.div(
        cross_fade(
            rx.el.span(rx.icon("triangle-alert", size=20), class_name="wm-alert-mark", aria_hidden="true"),
            rx.el.p(AlertState.message, class_name="wm-alert-text", data_testid="wui-alertbar-text"),
            icon_button(rx.icon("x", size=16), "Close the alert", on_click=AlertState.close),
            name=AlertState.message,
            milliseconds=150,
            scale=0.85,
            class_name="wm-alert",
        ),
        role="alert",
    )


def modal_body() -> rx.Component:
    """The view on top of the stack. Rare ones come in chunks of their own."""
    return rx.match(
        ShellState.view,
        ("Connect", connect_view()),
        ("ConnectingExternal", connecting_external_view()),
        (
            "Account",
            lazy_view(
                account_view, occasion="account", skeleton=rx.cond(ActiveState.compact, [], [48, 77, 60, 36, 250, 48])
            ),
        ),
        ("Profile", lazy_view(profile_view)),
        ("AccountSettings", lazy_view(account_settings_view)),
        ("Networks", lazy_view(networks_view)),
        ("SwitchNetwork", lazy_view(switch_network_view)),
        ("UnsupportedChain", lazy_view(unsupported_chain_view)),
        ("ConnectWallets", lazy_view(connect_wallets_view)),
        ("Create", lazy_view(create_view)),
        ("GetWallet", lazy_view(get_wallet_view)),
        ("ConnectingWalletConnect", lazy_view(connecting_wallet_connect_view, occasion="pairing")),
        ("ConnectingWalletConnectBasic", lazy_view(connecting_wallet_connect_basic_view, occasion="pairing")),
        ("Downloads", lazy_view(downloads_view)),
        ("ConnectingMultiChain", lazy_view(connecting_multi_chain_view)),
        ("SwitchActiveChain", lazy_view(switch_active_chain_view)),
        ("SwitchAddress", lazy_view(switch_address_view)),
        ("AllWallets", lazy_view(all_wallets_view)),
        ("WalletReceive", lazy_view(wallet_receive_view)),
        ("WalletCompatibleNetworks", lazy_view(wallet_compatible_networks_view)),
        ("WalletSend", lazy_view(wallet_send_view)),
        ("WalletSendSelectToken", lazy_view(wallet_send_select_token_view)),
        ("WalletSendPreview", lazy_view(wallet_send_preview_view)),
        ("WalletSendResult", lazy_view(wallet_send_result_view)),
        ("Transactions", lazy_view(transactions_view)),
        ("NftDetails", lazy_view(nft_details_view)),
        ("ApproveTransaction", lazy_view(approve_transaction_view)),
        ("SIWXSignMessage", lazy_view(sign_in_view)),
        ("ConnectingSiwe", lazy_view(sign_in_view)),
        ("SignIns", lazy_view(sign_ins_view)),
        ("WhatIsAWallet", lazy_view(what_is_a_wallet_view)),
        ("WhatIsANetwork", lazy_view(what_is_a_network_view)),
        rx.fragment(),
    )


def modal(*, refuse_close: bool | rx.Var[bool], body: rx.Component | None = None) -> rx.Component:
    """The whole modal on its overlay. `refuse_close`: it shakes instead of closing at once. `body`: in the place of the view on top."""
    return shell(
        header(),
        view_presence(modal_body() if body is None else body, view_key=ShellState.view, direction=ShellState.direction),
        toast(
            serial=ToastState.serial,
            message=ToastState.message,
            variant=ToastState.variant,
            auto_close=ToastState.auto_close,
            on_dismissed=ToastState.dismissed,
        ),
        alert_bar(),
        open=ShellState.open,
        embedded=EmbedState.embedded,
        refuse_close=refuse_close,
        shakes=ShellState.shakes,
        connected=ShellState.connected,
        on_close=ShellState.close,
    )
