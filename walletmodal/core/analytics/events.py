"""Every analytics event, each with a typed constructor.

`modal_open(connected=True)` gives the `Event`. Events of one shape share a class, whose call is the constructor. Amounts are
`Decimal`; `network` is a CAIP-2 id or "", `token` a CAIP-10 address or the native coin's symbol.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from walletmodal.core.analytics.payload import Event, Json, make_event, strip_pairing_key, to_number
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.protocol.options import Social
from walletmodal.core.wallets.platforms import Platform

ConnectedBy = Literal["qrcode", "mobile", "browser", "email", "passkey"] | Social
OnRampProvider = Literal["coinbase", "moonpay", "stripe", "paypal", "meld"]
SwitchedAccount = Literal["eoa", "smartAccount"]
Badge = Literal["", "none", "certified"]


@dataclass(frozen=True, slots=True)
class _Plain:
    event: str

    def __call__(self) -> Event:
        return Event(self.event)


@dataclass(frozen=True, slots=True)
class _OfModal:
    event: str

    def __call__(self, *, connected: bool) -> Event:
        return make_event(self.event, {"connected": connected})


@dataclass(frozen=True, slots=True)
class _Failure:
    event: str

    def __call__(self, *, message: str) -> Event:
        return make_event(self.event, {"message": message})


@dataclass(frozen=True, slots=True)
class _OfAccount:
    event: str

    def __call__(self, *, is_smart_account: bool) -> Event:
        return make_event(self.event, {"isSmartAccount": is_smart_account})


@dataclass(frozen=True, slots=True)
class _OnNetwork:
    event: str

    def __call__(self, *, network: str, is_smart_account: bool) -> Event:
        return make_event(self.event, {"network": network, "isSmartAccount": is_smart_account})


@dataclass(frozen=True, slots=True)
class _OfHistory:
    event: str

    def __call__(self, *, address: str, project_id: str, cursor: str | None, is_smart_account: bool) -> Event:
        return make_event(
            self.event,
            {"address": address, "projectId": project_id, "cursor": cursor, "isSmartAccount": is_smart_account},
        )


@dataclass(frozen=True, slots=True)
class _OfSocial:
    event: str

    def __call__(self, *, provider: Social) -> Event:
        return make_event(self.event, {"provider": provider})


@dataclass(frozen=True, slots=True)
class _OfName:
    event: str

    def __call__(self, *, is_smart_account: bool, ens_name: str) -> Event:
        return make_event(self.event, {"isSmartAccount": is_smart_account, "ensName": ens_name})


@dataclass(frozen=True, slots=True)
class SwapDetails:
    """A swap as its events tell it: symbols, and amounts as the visitor reads them."""

    is_smart_account: bool
    network: str
    from_token: str
    to_token: str
    from_amount: Decimal
    to_amount: Decimal

    def properties(self) -> dict[str, Json]:
        """With the names of the wire; amounts are decimal texts."""
        return {
            "isSmartAccount": self.is_smart_account,
            "network": self.network,
            "swapFromToken": self.from_token,
            "swapToToken": self.to_token,
            "swapFromAmount": f"{self.from_amount:f}",
            "swapToAmount": f"{self.to_amount:f}",
        }


@dataclass(frozen=True, slots=True)
class SendDetails:
    """A send as its events tell it."""

    is_smart_account: bool
    network: str
    token: str
    amount: Decimal

    def properties(self) -> dict[str, Json]:
        """With the names of the wire; the amount is a number."""
        return {
            "isSmartAccount": self.is_smart_account,
            "network": self.network,
            "token": self.token,
            "amount": to_number(self.amount),
        }


@dataclass(frozen=True, slots=True)
class _OfSwap:
    event: str

    def __call__(self, swap: SwapDetails) -> Event:
        return make_event(self.event, swap.properties())


@dataclass(frozen=True, slots=True)
class _SwapFailure:
    event: str

    def __call__(self, swap: SwapDetails, *, message: str) -> Event:
        return make_event(self.event, {**swap.properties(), "message": message})


@dataclass(frozen=True, slots=True)
class _OfSend:
    event: str

    def __call__(self, send: SendDetails) -> Event:
        return make_event(self.event, send.properties())


modal_created: Final = _Plain("MODAL_CREATED")
modal_open: Final = _OfModal("MODAL_OPEN")
modal_close: Final = _OfModal("MODAL_CLOSE")
click_all_wallets: Final = _Plain("CLICK_ALL_WALLETS")
click_wallet_help: Final = _Plain("CLICK_WALLET_HELP")
click_network_help: Final = _Plain("CLICK_NETWORK_HELP")
click_get_wallet: Final = _Plain("CLICK_GET_WALLET")
click_networks: Final = _Plain("CLICK_NETWORKS")
connect_error: Final = _Failure("CONNECT_ERROR")
click_transactions: Final = _OfAccount("CLICK_TRANSACTIONS")
error_fetch_transactions: Final = _OfHistory("ERROR_FETCH_TRANSACTIONS")
click_sign_siwx_message: Final = _OnNetwork("CLICK_SIGN_SIWX_MESSAGE")
click_cancel_siwx: Final = _OnNetwork("CLICK_CANCEL_SIWX")
siwx_auth_success: Final = _OnNetwork("SIWX_AUTH_SUCCESS")
siwx_auth_error: Final = _OnNetwork("SIWX_AUTH_ERROR")
email_login_selected: Final = _Plain("EMAIL_LOGIN_SELECTED")
email_submitted: Final = _Plain("EMAIL_SUBMITTED")
device_registered_for_email: Final = _Plain("DEVICE_REGISTERED_FOR_EMAIL")
email_verification_code_sent: Final = _Plain("EMAIL_VERIFICATION_CODE_SENT")
email_verification_code_pass: Final = _Plain("EMAIL_VERIFICATION_CODE_PASS")
email_verification_code_fail: Final = _Failure("EMAIL_VERIFICATION_CODE_FAIL")
email_edit: Final = _Plain("EMAIL_EDIT")
email_upgrade_from_modal: Final = _Plain("EMAIL_UPGRADE_FROM_MODAL")
click_convert: Final = _Plain("CLICK_CONVERT")
click_select_token_to_swap: Final = _Plain("CLICK_SELECT_TOKEN_TO_SWAP")
click_select_network_to_swap: Final = _Plain("CLICK_SELECT_NETWORK_TO_SWAP")
select_buy_crypto: Final = _OfAccount("SELECT_BUY_CRYPTO")
select_what_is_a_buy: Final = _OfAccount("SELECT_WHAT_IS_A_BUY")
open_swap: Final = _OnNetwork("OPEN_SWAP")
initiate_swap: Final = _OfSwap("INITIATE_SWAP")
swap_success: Final = _OfSwap("SWAP_SUCCESS")
swap_error: Final = _SwapFailure("SWAP_ERROR")
swap_approval_error: Final = _SwapFailure("SWAP_APPROVAL_ERROR")
social_login_started: Final = _OfSocial("SOCIAL_LOGIN_STARTED")
social_login_success: Final = _OfSocial("SOCIAL_LOGIN_SUCCESS")
social_login_error: Final = _OfSocial("SOCIAL_LOGIN_ERROR")
social_login_request_user_data: Final = _OfSocial("SOCIAL_LOGIN_REQUEST_USER_DATA")
social_login_canceled: Final = _OfSocial("SOCIAL_LOGIN_CANCELED")
open_ens_flow: Final = _OfAccount("OPEN_ENS_FLOW")
register_name_initiated: Final = _OfName("REGISTER_NAME_INITIATED")
register_name_success: Final = _OfName("REGISTER_NAME_SUCCESS")
open_send: Final = _OnNetwork("OPEN_SEND")
send_initiated: Final = _OfSend("SEND_INITIATED")
send_success: Final = _OfSend("SEND_SUCCESS")


def initialize(config: Mapping[str, Json]) -> Event:
    """The modal was set up.

    Args:
        config: the host's options with the names of the wire, `networks` as CAIP-2 ids. Adapters are left out, and the sign-in
            goes under the name `siweConfig`.
    """
    told = {name: value for name, value in config.items() if name not in ("adapters", "siwx", "siweConfig")}
    sign_in = config.get("siwx") or config.get("siweConfig")
    return make_event("INITIALIZE", {**told, "siweConfig": {"options": sign_in} if sign_in else None})


def select_wallet(*, name: str, platform: Platform) -> Event:
    """A wallet's connecting view was entered."""
    return make_event("SELECT_WALLET", {"name": name, "platform": platform})


def connect_success(*, method: ConnectedBy, name: str) -> Event:
    """A wallet is connected."""
    return make_event("CONNECT_SUCCESS", {"method": method, "name": name})


def disconnect_success(*, namespace: Namespace | Literal["all"] | None = None) -> Event:
    """A namespace was disconnected, or all."""
    return make_event("DISCONNECT_SUCCESS", {"namespace": namespace})


def disconnect_error(*, message: str | None = None) -> Event:
    """Disconnecting failed."""
    return make_event("DISCONNECT_ERROR", {"message": message})


def internal_sdk_error(
    *,
    error_type: str | None = None,
    error_message: str | None = None,
    stack_trace: str | None = None,
    uncaught: bool | None = None,
) -> Event:
    """The product itself failed."""
    properties: dict[str, Json] = {
        "errorType": error_type,
        "errorMessage": error_message,
        "stackTrace": stack_trace,
        "uncaught": uncaught,
    }
    return make_event("INTERNAL_SDK_ERROR", properties, kind="error")


def load_more_transactions(
    *, address: str | None, project_id: str, cursor: str | None, is_smart_account: bool
) -> Event:
    """The next page of the history was asked for."""
    return make_event(
        "LOAD_MORE_TRANSACTIONS",
        {"address": address, "projectId": project_id, "cursor": cursor, "isSmartAccount": is_smart_account},
    )


def switch_network(*, network: str) -> Event:
    """Another network is active."""
    return make_event("SWITCH_NETWORK", {"network": network})


def select_buy_provider(*, provider: OnRampProvider, is_smart_account: bool) -> Event:
    """A seller of crypto was chosen."""
    return make_event("SELECT_BUY_PROVIDER", {"provider": provider, "isSmartAccount": is_smart_account})


def set_preferred_account_type(*, account_type: SwitchedAccount, network: str) -> Event:
    """The embedded wallet's other account is used."""
    return make_event("SET_PREFERRED_ACCOUNT_TYPE", {"accountType": account_type, "network": network})


def register_name_error(*, is_smart_account: bool, ens_name: str, error: str) -> Event:
    """A name could not be registered."""
    return make_event("REGISTER_NAME_ERROR", {"isSmartAccount": is_smart_account, "ensName": ens_name, "error": error})


def send_error(send: SendDetails, *, message: str) -> Event:
    """A send failed."""
    return make_event("SEND_ERROR", {**send.properties(), "message": message})


def connect_proxy_error(*, message: str, uri: str, mobile_link: str, name: str) -> Event:
    """A wallet's app could not be opened. The pairing URI goes out without its key."""
    properties: dict[str, Json] = {
        "message": message,
        "uri": strip_pairing_key(uri),
        "mobile_link": mobile_link,
        "name": name,
    }
    return make_event("CONNECT_PROXY_ERROR", properties)


def search_wallet(*, badge: Badge, search: str) -> Event:
    """The directory was searched."""
    return make_event("SEARCH_WALLET", {"badge": badge, "search": search})
