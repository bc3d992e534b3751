"""Every event of the app, with the functions that run on it, in their order. A new feature adds its own here."""

from __future__ import annotations

from walletmodal.core.protocol.host_calls import (
    AddNetworkCall,
    CloseCall,
    DisconnectCall,
    OnrampCall,
    OpenCall,
    OptionsCall,
    RemoveNetworkCall,
    SessionCall,
    SignInCall,
    SignOutCall,
    SwitchNetworkCall,
    ToastCall,
)
from walletmodal.features.account import active, addresses, disconnecting, tokens
from walletmodal.features.account import wallet_requests as wallet_questions
from walletmodal.features.activity import state as activity
from walletmodal.features.all_wallets import state as all_wallets
from walletmodal.features.analytics import state as analytics
from walletmodal.features.approve import framed
from walletmodal.features.approve import handlers as approve
from walletmodal.features.bridge import handlers as bridge
from walletmodal.features.bridge.wiring import Wiring
from walletmodal.features.connect import choice, legal, methods
from walletmodal.features.connecting import state as connect
from walletmodal.features.embed.state import event_client
from walletmodal.features.embedded import (
    account_data,
    account_type,
    devices,
    email_update,
    export,
    lost_wallet,
    owners,
    passkeys,
    recovery,
    social,
)
from walletmodal.features.embedded import handlers as embedded
from walletmodal.features.names import handlers as names
from walletmodal.features.networks import host_calls as host_networks
from walletmodal.features.networks import state as network_switch
from walletmodal.features.networks import sync as networks
from walletmodal.features.nfts import state as nfts
from walletmodal.features.onramp import handlers as onramp
from walletmodal.features.own_views import handlers as own_views
from walletmodal.features.pairing import handlers as pairing
from walletmodal.features.permissions import state as granted_permissions
from walletmodal.features.requests import calls_status, first_delegation, grants, operations, permissions, session_size
from walletmodal.features.requests import decisions as deciding
from walletmodal.features.requests import handlers as requests
from walletmodal.features.resume import state as resume
from walletmodal.features.send import handlers as send
from walletmodal.features.send import picker
from walletmodal.features.shell import state as shell
from walletmodal.features.signin import handlers as signin
from walletmodal.features.signin import listing as sign_ins
from walletmodal.features.swap import handlers as swap
from walletmodal.features.swap import picker as swap_picker
from walletmodal.features.toasts import state as toasts
from walletmodal.features.transactions import operations as transaction_operations
from walletmodal.features.transactions import state as pending
from walletmodal.features.transactions import wallet_requests as transactions
from walletmodal.features.wallets import state as wallets

WIRING = Wiring(
    current_asker=event_client,
    on_new_page=(
        shell.reset_shell,
        toasts.reset_toasts,
        disconnecting.reset_disconnecting,
        networks.reset_networks,
        pending.reset_pending,
        activity.reset_activity,
        wallets.reset_wallet_filter,
        all_wallets.reset_all_wallets,
        approve.reset_approvals,
        framed.reset_framed,
        legal.reset_agreement,
        connect.reset_connecting,
        sign_ins.clear_rows,
        signin.reset_sign_in,
        pairing.reset_pairing,
        embedded.reset_embedded,
        account_type.reset_account_type,
        email_update.clear_email_update,
        passkeys.clear_passkeys,
        recovery.clear_recovery,
        lost_wallet.clear_lost_wallet,
        devices.clear_devices,
        export.clear_export,
        account_data.clear_account_data,
        social.reset_social,
        choice.reset_choice,
        nfts.reset_nfts,
        granted_permissions.reset_permissions,
        send.reset_preview,
        swap.reset_swap,
        onramp.reset_onramp,
        names.reset_names,
        requests.reset_waiting,
        operations.reset_operations,
        transaction_operations.reset_operations,
        calls_status.reset_calls_status,
        own_views.reset_own_views,
    ),
    on_snapshot=(
        shell.mark_initialized,
        toasts.check_configuration,
        # Accounts and the active network first: everything below reads them.
        active.sync_accounts,
        networks.sync_networks,
        addresses.sync_addresses,
        pending.sync_pending,
        wallets.sync_wallets,
        all_wallets.sync_installed,
        approve.sync_approvals,
        legal.sync_documents,
        connect.sync_connecting,
        signin.sync_sign_in,
        pairing.sync_pairing,
        embedded.sync_embedded,
        social.sync_social,
        social.return_from_provider,
        methods.sync_methods,
        send.sync_preview,
        swap.sync_swap,
        onramp.sync_onramp,
        names.sync_names,
        granted_permissions.sync_permissions,
        operations.sync_operations,
        transaction_operations.sync_operations,
        # What waited for an account is carried out once everybody knows it.
        requests.sync_waiting,
        own_views.notify_of_snapshot,
    ),
    on_open=(
        active.refresh_balances,
        addresses.refresh_addresses,
        pending.refresh_pending,
        wallets.refresh_wallets,
        signin.prompt_sign_in,
        pairing.show_code,
        embedded.resume_login,
        social.resume_social,
        framed.show_own,
        send.refresh_send,
        swap.refresh_swap,
    ),
    on_open_arguments={"Swap": swap.fill_in, "WalletSend": send.fill_in, "OnRampProviders": onramp.fill_in},
    on_close=(
        toasts.hide_toast,
        all_wallets.clear_search,
        approve.abort_waiting,
        connect.clear_namespace_filter,
        sign_ins.clear_rows,
        signin.reject_sign_in_calls,
        choice.clear_choice,
        embedded.clear_embedded,
        email_update.clear_email_update,
        passkeys.clear_passkeys,
        recovery.clear_recovery,
        lost_wallet.clear_lost_wallet,
        devices.clear_devices,
        export.clear_export,
        account_data.clear_account_data,
        picker.clear_picker,
        send.clear_preview,
        swap_picker.clear_swap_picker,
        swap.clear_swap,
        onramp.clear_onramp,
        names.clear_names,
        requests.close_waiting,
    ),
    on_close_refused=(toasts.explain_refused_close,),
    on_namespace_filter=(
        networks.show_namespace,
        connect.set_namespace_filter,
        embedded.filter_offer,
        social.filter_social,
        methods.filter_methods,
    ),
    on_connected=(signin.wait_for_sign_in, passkeys.offer_passkey),
    on_account_change=(
        pending.on_account_change,
        approve.on_account_change,
        signin.on_account_change,
        onramp.on_account_change,
        names.on_account_change,
        own_views.notify,
    ),
    on_sign_in_change=(own_views.notify,),
    on_disconnected=(signin.revoke_sign_ins,),
    on_transaction_final=(
        tokens.refresh_after_transaction,
        activity.refresh_activity,
        nfts.refresh_nfts,
        granted_permissions.refresh_permissions,
        account_type.refresh_owners,
        swap.on_swap_final,
    ),
    on_analytics_event=(analytics.report,),
    # The record is written last, with what the others have changed.
    on_state_change=(
        approve.check_waiting,
        framed.sync_framed,
        embedded.check_mail_views,
        embedded.check_passkey_view,
        social.check_view,
        pairing.sync_code,
        resume.save_record,
        session_size.note_size,
    ),
    on_wallet_answer=(framed.leave_framed,),
    on_call={
        OptionsCall: bridge.change_options,
        OpenCall: shell.open_modal,
        CloseCall: shell.close_modal,
        ToastCall: toasts.host_toast,
        DisconnectCall: disconnecting.host_disconnect,
        SwitchNetworkCall: host_networks.host_switch,
        AddNetworkCall: host_networks.add_network,
        RemoveNetworkCall: host_networks.remove_network,
        SignInCall: signin.host_sign_in,
        SessionCall: signin.host_session,
        SignOutCall: signin.host_sign_out,
        OnrampCall: onramp.host_widget,
    },
    on_request=requests.handle_request,
    on_request_approved=operations.on_approved,
    on_prepared=operations.begin,
    on_wallet_question=operations.ask_ours,
    on_request_declined=deciding.on_request_declined,
    on_withdrawn=(approve.withdraw, requests.withdraw),
    continuations={
        "account.disconnected": disconnecting.on_disconnect_reply,
        "account.answered": wallet_questions.on_wallet_reply,
        "connect.answered": connect.on_connect_reply,
        "embedded.connected": embedded.on_connect_reply,
        account_type.TOLD: account_type.on_told,
        account_type.ENDED: account_type.on_ended,
        "names.signed": names.on_sign_reply,
        "networks.switched": network_switch.on_switch_reply,
        "pairing.answered": pairing.on_pairing_reply,
        permissions.SIGNED: permissions.on_sign_reply,
        grants.GRANTED: grants.on_granted,
        grants.REVOKED: grants.on_revoked,
        "requests.answered": deciding.on_capabilities_reply,
        deciding.ASKED: deciding.on_wallet_answer,
        transaction_operations.SIGNED: transaction_operations.on_signed,
        "signin.signed": signin.on_sign_reply,
        "transactions.answered": transactions.on_transaction_reply,
    },
    before_accepting={
        "pairing.answered": pairing.is_browser_known,
        transaction_operations.SIGNED: transaction_operations.save_signed,
        permissions.SIGNED: first_delegation.save_transaction,
        grants.GRANTED: first_delegation.save_transaction,
        grants.REVOKED: grants.save_revocation,
        "signin.signed": signin.is_browser_known,
        "transactions.answered": transactions.save_reply,
    },
    before_init={
        "call": bridge.on_early_call,
        "request": bridge.on_early_request,
        "choice.select": choice.on_early_choice,
        "connect.choose": connect.on_early_choice,
        "embedded.submit": embedded.on_early_submit,
        "embedded.passkey": embedded.on_early_passkey,
        "social.begin": social.on_early_begin,
        "networks.choose": network_switch.on_early_choice,
    },
    transaction_outcomes={
        "permissions.revoked": permissions.on_revoked,
        granted_permissions.OWN_REVOKED: granted_permissions.on_own_revoked,
        owners.CHANGED: account_type.on_owners_changed,
        "send.answered": send.on_transaction_outcome,
        "swap.answered": swap.on_swap_outcome,
    },
)
