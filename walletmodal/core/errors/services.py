"""What services answer when they will not: their status, and their reasons where they give any."""

from collections.abc import Mapping
from typing import Final, Literal

from walletmodal.core.errors import HttpRequestError, WalletModalError
from walletmodal.core.language import _
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.text.texts import BALANCE_UNAVAILABLE

Service = Literal["directory", "blockchain", "analytics", "rpc"]
NameCall = Literal["resolve", "suggestions", "reverse", "register"]

NAME_TEXTS: Final[dict[NameCall, str]] = {
    "resolve": _("Error resolving name"),
    "suggestions": _("Error fetching name suggestions"),
    "reverse": _("Error fetching names for address"),
    "register": _("Error registering name"),
}
NETWORK_TEXTS: Final = {
    "swaps": _("Network not supported for Swaps"),
    "gas-price": _("Network not supported for Gas Price"),
}
_MAX_REASON: Final = 200


def api_reason(body: object) -> str:
    """The first reason in the error body of a service, cleaned for display, or "".

    Understood are `{reasons: [{description}]}` of the blockchain service and the `{code, message}` that it passes on from
    providers of swaps.
    """
    if not isinstance(body, Mapping):
        return ""
    reasons = body.get("reasons")
    first = reasons[0] if isinstance(reasons, list) and reasons else None
    text = first.get("description") if isinstance(first, Mapping) else body.get("message")
    return clean_text(text, limit=_MAX_REASON) if isinstance(text, str) else ""


class ServiceError(WalletModalError):
    """A service answered with another status than 2xx, or with nothing that could be used.

    Args:
        service: which one.
        status: HTTP status, or None when there was no answer.
        body: the answer's JSON, unchecked; its reason is the text that is shown.
        fallback: the text without a reason; by default `HTTP status code: N`.
        details: what the cause said, where there was no answer.
    """

    name = "ServiceError"

    def __init__(
        self,
        service: Service,
        *,
        status: int | None = None,
        body: object = None,
        fallback: str = "",
        details: str = "",
    ) -> None:
        self.service, self.status, self.reason = service, status, api_reason(body)
        plain = (
            _("HTTP status code: {status}", status=status)
            if status is not None
            else _("The service cannot be reached.")
        )
        meta = [f"Service: {service}", *([] if status is None else [f"Status: {status}"])]
        super().__init__(self.reason or fallback or plain, details=details or (self.reason and plain), meta=meta)


class NameServiceError(ServiceError):
    """A call about names failed; the service's reason is the text where it gave one, else a fixed one."""

    name = "NameServiceError"

    def __init__(self, call: NameCall, *, status: int | None = None, body: object = None, details: str = "") -> None:
        self.call = call
        super().__init__("blockchain", status=status, body=body, fallback=NAME_TEXTS[call], details=details)


class UnsupportedServiceNetworkError(ServiceError):
    """The blockchain service does not know the network, and there is no empty answer that would be true."""

    name = "UnsupportedServiceNetworkError"

    def __init__(self, purpose: Literal["swaps", "gas-price"]) -> None:
        super().__init__("blockchain", fallback=NETWORK_TEXTS[purpose])


class TokenBalanceUnavailableError(WalletModalError):
    """`Token Balance Unavailable`: the balance failed, or the service does not know the network.

    Args:
        details: why.
    """

    name = "TokenBalanceUnavailableError"

    def __init__(self, details: str = "") -> None:
        super().__init__(BALANCE_UNAVAILABLE, details=details)


class NotConfiguredError(WalletModalError):
    """The deployment has no base URL for the service, so nothing is sent anywhere.

    Args:
        setting: the name of the one that is missing, such as `BLOCKCHAIN_URL`.
    """

    name = "NotConfiguredError"

    def __init__(self, setting: str) -> None:
        self.setting = setting
        super().__init__(_("This service is not configured."), details=f"{setting} is not set")


class AskedTooMuchError(HttpRequestError):
    """The asker has had enough for the moment, and nothing was sent: this says nothing of what was asked for."""

    name = "AskedTooMuchError"

    def __init__(self) -> None:
        super().__init__(url="", status=429, details="too many questions for one visitor or address")


def is_asked_too_much(error: BaseException) -> bool:
    """Whether a call of a service or of a node failed for who asked alone."""
    return isinstance(error, AskedTooMuchError) or isinstance(error.__cause__, AskedTooMuchError)
