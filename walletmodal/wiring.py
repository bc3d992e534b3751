"""Every event of the app, with the functions that run on it, in their order. A new feature adds its own here."""

from __future__ import annotations

from walletmodal.core.protocol.host_calls import (
    AddNetworkCall,
    CloseCall,
    DisconnectCall,
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
from walletmodal.features.approve import state as approve
from walletmodal.features.bridge import state as bridge
from walletmodal.features.bridge.wiring import Wiring
from walletmodal.features.connect import choice, legal, methods
from walletmodal.features.connecting import state as connect
from walletmodal.features.networks import host_calls as host_networks
from walletmodal.features.networks import state as network_switch
from walletmodal.features.networks import sync as networks
from walletmodal.features.nfts import state as nfts
from walletmodal.features.pairing import handlers as pairing
from walletmodal.features.requests import decisions as deciding
from walletmodal.features.requests import handlers as requests
from walletmodal.features.resume import state as resume
from walletmodal.features.send import handlers as send
from walletmodal.features.send import picker
from walletmodal.features.shell import state as shell
from walletmodal.features.signin import handlers as signin
from walletmodal.features.signin import listing as sign_ins
from walletmodal.features.toasts import state as toasts
from walletmodal.features.transactions import state as pending
from walletmodal.features.transactions import wallet_requests as transactions
from walletmodal.features.wallets import state as wallets

WIRING = Wiring(
    on_new_page=(
        shell.forget_place,
        toasts.forget_messages,
        disconnecting.forget_ending,
        networks.forget_networks,
        pending.reset_pending,
        activity.forget_list,
        wallets.forget_filter,
        all_wallets.forget_list,
        approve.forget_waiting,
        legal.forget_agreement,
        connect.forget_attempt,
        sign_ins.forget_rows,
        signin.forget_browser,
        pairing.forget_pairing,
        choice.forget_choice_of_page,
        nfts.forget_nfts,
        send.forget_preview,
        requests.forget_waiting,
    ),
    on_snapshot=(
        shell.initialized,
        toasts.check_configuration,
        # Accounts and the active network first: everything below reads them.
        active.sync_accounts,
        networks.sync_networks,
        addresses.follow_accounts,
        pending.sync_pending,
        wallets.sync_wallets,
        all_wallets.follow_browser,
        approve.follow_wallet,
        legal.take_documents,
        connect.finish,
        signin.follow_wallets,
        pairing.take_pairing,
        methods.take_methods,
        send.follow_wallet,
        # What waited for an account is carried out once everybody knows it.
        requests.connected,
    ),
    on_open=(
        active.refresh_balances,
        addresses.list_addresses,
        pending.refresh_pending,
        wallets.bring_up_to_date,
        signin.ask_again,
        pairing.show_code,
    ),
    on_close=(
        toasts.hide_toast,
        all_wallets.forget_search,
        approve.abort_waiting,
        connect.offer_all,
        sign_ins.forget_rows,
        signin.closed,
        choice.forget_choice,
        picker.forget_list,
        send.leave_preview,
        requests.settle_waiting,
    ),
    on_close_refused=(toasts.say_why,),
    on_namespace_filter=(networks.show_namespace, connect.offer_namespace),
    on_connected=(signin.hold,),
    on_account_change=(pending.follow_account, approve.follow_account, signin.follow_account),
    on_disconnected=(signin.end_with_account,),
    on_transaction_final=(tokens.refresh_after_transaction, activity.refresh_activity, nfts.refresh_nfts),
    on_analytics_event=(analytics.report,),
    # The record is written last, with what the others have changed.
    on_state_change=(approve.look_after, pairing.follow_place, resume.keep),
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
    },
    on_request=requests.answer,
    on_request_approved=deciding.carry_out,
    on_request_declined=deciding.declined,
    continuations={
        "account.disconnected": disconnecting.disconnected,
        "account.told": wallet_questions.told,
        "connect.answered": connect.answered,
        "networks.switched": network_switch.switched,
        "pairing.answered": pairing.answered,
        "requests.told": deciding.told,
        "signin.signed": signin.signed,
        "transactions.answered": transactions.answered,
    },
    before_accepting={
        "pairing.answered": pairing.knows_browser,
        "signin.signed": signin.knows_browser,
        "transactions.answered": transactions.keep_answer,
    },
    before_init={
        "call": bridge.late_call,
        "request": bridge.late_request,
        "choice.select": choice.late_choice,
        "connect.choose": connect.late_choice,
        "networks.choose": network_switch.late_choose,
    },
    transaction_outcomes={"send.answered": send.answered},
)
