"""Every view of the modal by its name in the router: what draws it, and when its script comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import reflex as rx

from walletmodal.features.account.active import ActiveState
from walletmodal.features.account_views.account_view import account_view
from walletmodal.features.account_views.profile_view import profile_view
from walletmodal.features.account_views.settings_view import account_settings_view
from walletmodal.features.account_views.switch_address_view import switch_address_view
from walletmodal.features.activity.views import transactions_view
from walletmodal.features.all_wallets.views import all_wallets_view
from walletmodal.features.approve.views import approve_transaction_view
from walletmodal.features.connect.guide_views import connect_wallets_view, create_view, get_wallet_view
from walletmodal.features.connect.views import connect_view, connecting_external_view
from walletmodal.features.connecting.multi_chain_view import connecting_multi_chain_view
from walletmodal.features.help.views import what_is_a_network_view, what_is_a_wallet_view
from walletmodal.features.names.views import (
    choose_account_name_view,
    register_account_name_success_view,
    register_account_name_view,
)
from walletmodal.features.networks.switch_active_view import switch_active_chain_view
from walletmodal.features.networks.unsupported_view import unsupported_chain_view
from walletmodal.features.networks.views import networks_view, switch_network_view
from walletmodal.features.nfts.views import nft_details_view
from walletmodal.features.onramp.activity_view import on_ramp_activity_view
from walletmodal.features.onramp.progress_view import buy_in_progress_view
from walletmodal.features.onramp.providers_view import on_ramp_providers_view
from walletmodal.features.onramp.select_views import on_ramp_fiat_select_view, on_ramp_token_select_view
from walletmodal.features.onramp.what_is_a_buy_view import what_is_a_buy_view
from walletmodal.features.pairing.downloads_view import downloads_view
from walletmodal.features.pairing.views import connecting_wallet_connect_basic_view, connecting_wallet_connect_view
from walletmodal.features.receive.views import wallet_compatible_networks_view, wallet_receive_view
from walletmodal.features.send.result_view import wallet_send_result_view
from walletmodal.features.send.review_views import wallet_send_preview_view
from walletmodal.features.send.views import wallet_send_select_token_view, wallet_send_view
from walletmodal.features.shell.lazy import lazy_view
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.list_view import sign_ins_view
from walletmodal.features.signin.views import sign_in_view
from walletmodal.features.swap.picker_view import swap_select_token_view
from walletmodal.features.swap.preview_view import swap_preview_view
from walletmodal.features.swap.views import swap_view

_ACCOUNT = [48, 77, "calc(var(--wm-tab-height) + 2 * var(--wm-spacing-3xs))", 250, 48]
"""Heights (px, or as CSS has them) of the account's parts, in whose place they stand until its script has come."""
_ACCOUNT_WITH_ACTIONS = [*_ACCOUNT[:2], 60, *_ACCOUNT[2:]]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Component of a view, and when its script loads.

    Attributes:
        view: a prop-less `@rx.memo`.
        lazy: whether its script comes when it is first shown, or ahead; False: with the page.
        occasion: what the script comes ahead for, as `lazy_view` has it.
        skeleton: heights (px) of what stands in its place until then.
    """

    view: Callable[[], rx.Component]
    lazy: bool = True
    occasion: Literal["", "account", "pairing"] = ""
    skeleton: Sequence[int | str] | rx.Var[list[int | str]] = ()

    def component(self) -> rx.Component:
        """The component that goes into the body."""
        return lazy_view(self.view, occasion=self.occasion, skeleton=self.skeleton) if self.lazy else self.view()


VIEWS: Final[Mapping[str, Drawn]] = {
    "Connect": Drawn(connect_view, lazy=False),
    "ConnectingExternal": Drawn(connecting_external_view, lazy=False),
    "Account": Drawn(
        account_view,
        occasion="account",
        skeleton=rx.cond(
            ActiveState.compact, [], rx.cond(ActiveState.actions.length() > 0, _ACCOUNT_WITH_ACTIONS, _ACCOUNT)
        ),
    ),
    "Profile": Drawn(profile_view),
    "AccountSettings": Drawn(account_settings_view),
    "ChooseAccountName": Drawn(choose_account_name_view),
    "RegisterAccountName": Drawn(register_account_name_view),
    "RegisterAccountNameSuccess": Drawn(register_account_name_success_view),
    "Networks": Drawn(networks_view),
    "SwitchNetwork": Drawn(switch_network_view),
    "UnsupportedChain": Drawn(unsupported_chain_view),
    "ConnectWallets": Drawn(connect_wallets_view),
    "Create": Drawn(create_view),
    "GetWallet": Drawn(get_wallet_view),
    "ConnectingWalletConnect": Drawn(connecting_wallet_connect_view, occasion="pairing"),
    "ConnectingWalletConnectBasic": Drawn(connecting_wallet_connect_basic_view, occasion="pairing"),
    "Downloads": Drawn(downloads_view),
    "ConnectingMultiChain": Drawn(connecting_multi_chain_view),
    "SwitchActiveChain": Drawn(switch_active_chain_view),
    "SwitchAddress": Drawn(switch_address_view),
    "AllWallets": Drawn(all_wallets_view),
    "WalletReceive": Drawn(wallet_receive_view),
    "WalletCompatibleNetworks": Drawn(wallet_compatible_networks_view),
    "WalletSend": Drawn(wallet_send_view),
    "WalletSendSelectToken": Drawn(wallet_send_select_token_view),
    "WalletSendPreview": Drawn(wallet_send_preview_view),
    "WalletSendResult": Drawn(wallet_send_result_view),
    "Swap": Drawn(swap_view),
    "SwapSelectToken": Drawn(swap_select_token_view),
    "SwapPreview": Drawn(swap_preview_view),
    "OnRampProviders": Drawn(on_ramp_providers_view),
    "OnRampTokenSelect": Drawn(on_ramp_token_select_view),
    "OnRampFiatSelect": Drawn(on_ramp_fiat_select_view),
    "BuyInProgress": Drawn(buy_in_progress_view),
    "OnRampActivity": Drawn(on_ramp_activity_view),
    "WhatIsABuy": Drawn(what_is_a_buy_view),
    "Transactions": Drawn(transactions_view),
    "NftDetails": Drawn(nft_details_view),
    "ApproveTransaction": Drawn(approve_transaction_view),
    "SIWXSignMessage": Drawn(sign_in_view),
    "ConnectingSiwe": Drawn(sign_in_view),
    "SignIns": Drawn(sign_ins_view),
    "WhatIsAWallet": Drawn(what_is_a_wallet_view),
    "WhatIsANetwork": Drawn(what_is_a_network_view),
}


def modal_body() -> rx.Component:
    """The view on top of the stack."""
    return rx.match(ShellState.view, *((name, drawn.component()) for name, drawn in VIEWS.items()), rx.fragment())
