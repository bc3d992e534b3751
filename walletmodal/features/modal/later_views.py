"""Views for which a visitor is connected, by their names in the router. A module of its own, so that the first script does not name them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import reflex as rx

from walletmodal.features.account_views.profile_view import profile_view
from walletmodal.features.account_views.settings_view import account_settings_view
from walletmodal.features.account_views.switch_address_view import switch_address_view
from walletmodal.features.activity.views import transactions_view
from walletmodal.features.embedded.account_data_view import account_data_view
from walletmodal.features.embedded.device_views import devices_view
from walletmodal.features.embedded.email_update_views import (
    update_email_primary_otp_view,
    update_email_secondary_otp_view,
    update_email_wallet_view,
)
from walletmodal.features.embedded.export_view import upgrade_email_wallet_view
from walletmodal.features.embedded.farcaster_view import connecting_farcaster_view
from walletmodal.features.embedded.passkey_views import add_passkey_view, connecting_passkey_view, passkeys_view
from walletmodal.features.embedded.recovery_settings_view import recovery_settings_view
from walletmodal.features.embedded.social_views import connect_socials_view, connecting_social_view
from walletmodal.features.embedded.views import (
    email_login_view,
    email_verify_device_view,
    email_verify_otp_view,
    recover_wallet_view,
)
from walletmodal.features.help.views import what_is_a_network_view
from walletmodal.features.modal.drawn import Drawn, body_of, own_views
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
from walletmodal.features.permissions.created_view import smart_session_created_view
from walletmodal.features.permissions.list_view import smart_session_list_view
from walletmodal.features.receive.views import wallet_compatible_networks_view, wallet_receive_view
from walletmodal.features.requests.calls_status_view import calls_status_view
from walletmodal.features.send.result_view import wallet_send_result_view
from walletmodal.features.send.review_views import wallet_send_preview_view
from walletmodal.features.send.views import wallet_send_select_token_view, wallet_send_view
from walletmodal.features.signin.list_view import sign_ins_view
from walletmodal.features.swap.picker_view import swap_select_token_view
from walletmodal.features.swap.preview_view import swap_preview_view
from walletmodal.features.swap.views import swap_view

LATER_VIEWS: Final[Mapping[str, Drawn]] = {
    "Profile": Drawn(profile_view),
    "AccountSettings": Drawn(account_settings_view),
    "ChooseAccountName": Drawn(choose_account_name_view),
    "RegisterAccountName": Drawn(register_account_name_view),
    "RegisterAccountNameSuccess": Drawn(register_account_name_success_view),
    "Networks": Drawn(networks_view),
    "SwitchNetwork": Drawn(switch_network_view),
    "UnsupportedChain": Drawn(unsupported_chain_view),
    "SwitchActiveChain": Drawn(switch_active_chain_view),
    "SwitchAddress": Drawn(switch_address_view),
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
    "SmartSessionList": Drawn(smart_session_list_view),
    "SmartSessionCreated": Drawn(smart_session_created_view),
    "CallsStatus": Drawn(calls_status_view),
    "SignIns": Drawn(sign_ins_view),
    "ConnectSocials": Drawn(connect_socials_view),
    "ConnectingFarcaster": Drawn(connecting_farcaster_view),
    "ConnectingSocial": Drawn(connecting_social_view),
    "EmailLogin": Drawn(email_login_view),
    "EmailVerifyOtp": Drawn(email_verify_otp_view),
    "EmailVerifyDevice": Drawn(email_verify_device_view),
    "RecoverWallet": Drawn(recover_wallet_view),
    "UpdateEmailWallet": Drawn(update_email_wallet_view),
    "UpdateEmailPrimaryOtp": Drawn(update_email_primary_otp_view),
    "UpdateEmailSecondaryOtp": Drawn(update_email_secondary_otp_view),
    "RecoverySettings": Drawn(recovery_settings_view),
    "AccountData": Drawn(account_data_view),
    "Devices": Drawn(devices_view),
    "Passkeys": Drawn(passkeys_view),
    "ConnectingPasskey": Drawn(connecting_passkey_view),
    "AddPasskey": Drawn(add_passkey_view),
    "UpgradeEmailWallet": Drawn(upgrade_email_wallet_view),
    "WhatIsANetwork": Drawn(what_is_a_network_view),
}


@rx.memo
def later_views(name: rx.Var[str]) -> rx.Component:
    """One of these views; a view that is leaving stays what it was."""
    return body_of(name, {**LATER_VIEWS, **own_views(needs_account=True)})
