"""Texts of toasts and alerts. Long alert texts are ours: they name our settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.language import _

AlertKey = Literal[
    "SWITCH_NETWORK_NOT_FOUND",
    "INVALID_APP_CONFIGURATION",
    "SOCIALS_TIMEOUT",
    "JWT_TOKEN_NOT_VALID",
    "INVALID_PROJECT_ID",
    "PROJECT_ID_NOT_CONFIGURED",
]


@dataclass(frozen=True, slots=True)
class Alert:
    """What a host's developer sees: `short` in the alert bar, `long` on the console. `{origin}` is filled by `alert`."""

    short: str
    long: str


ALERTS: Final[dict[AlertKey, Alert]] = {
    "SWITCH_NETWORK_NOT_FOUND": Alert(
        "Network Not Found",
        "The network to switch to is not offered. Add its CAIP-2 id to the `networks` option, or to the deployment's NETWORKS.",
    ),
    "INVALID_APP_CONFIGURATION": Alert(
        "Invalid App Configuration",
        "A service refuses the origin {origin}. Allow it there, or point the deployment's base URLs at your own services.",
    ),
    "SOCIALS_TIMEOUT": Alert(
        "Invalid App Configuration",
        "The embedded wallet did not load in time. Check that SECURE_SITE_URL can be reached and accepts this origin.",
    ),
    "JWT_TOKEN_NOT_VALID": Alert(
        "Session Expired",
        "The relay finds this session not yet valid. Check the clock of this device, then connect again.",
    ),
    "INVALID_PROJECT_ID": Alert(
        "Invalid App Configuration",
        "The service does not know the project id. Correct the `projectId` option, or the deployment's PROJECT_ID.",
    ),
    "PROJECT_ID_NOT_CONFIGURED": Alert(
        "Project ID Not Configured",
        "A public service is configured, and it needs a project id: set the `projectId` option, or the deployment's PROJECT_ID.",
    ),
}

PROVIDER_MESSAGES: Final[dict[str, AlertKey]] = {
    "Unauthorized: origin not allowed": "INVALID_APP_CONFIGURATION",
    "JWT validation error: JWT Token is not yet valid": "JWT_TOKEN_NOT_VALID",
    "Unauthorized: invalid key": "INVALID_PROJECT_ID",
}
"""What a relay's message contains, and the alert that it opens."""


def alert(key: AlertKey, *, origin: str = "") -> Alert:
    """The alert of a key, its long text naming the host's origin where it speaks of one."""
    row = ALERTS[key]
    return Alert(row.short, row.long.replace("{origin}", origin or "of this page"))


def alert_for_provider_message(message: str) -> AlertKey | None:
    """The alert that a relay's or provider's message asks for, or None."""
    return next((key for text, key in PROVIDER_MESSAGES.items() if text in message), None)


OWN_EVENT_FAILED: Final = _("That did not work. Try again in a moment.")
SIGN_IN_FIRST: Final = _("This site needs you to sign in. Sign, or cancel to disconnect.")
CLOSING_REFUSED: Final[dict[str, str]] = {
    "ApproveTransaction": _("Approve or reject the request first."),
    "UnsupportedChain": _("Switch to a network of this site, or disconnect."),
}
"""By view: why it cannot be closed; of the others `SIGN_IN_FIRST` is true."""

BALANCE_UNAVAILABLE: Final = _("Token Balance Unavailable")
FAILED_TO_FETCH_TRANSACTIONS: Final = _("Failed to fetch transactions")
NAME_REGISTERED: Final = _("Account name chosen successfully")
TRANSACTION_STARTED: Final = _("Transaction started")
SOMETHING_WRONG: Final = _("Something went wrong")
AMOUNT_AND_RECEIVER_NEEDED: Final = _("Please enter a valid amount and receiver address")
FAILED_TO_SEND_TRANSACTION: Final = _("Failed to send transaction. Please try again.")
SIGNATURE_DECLINED: Final = _("Signature declined")
NO_SMART_ACCOUNT_SUPPORT: Final = _("This application might not support Smart Accounts")
AUTHENTICATION_PROBLEM: Final = _("A problem occurred while trying initialize authentication")
AUTHENTICATING: Final = _("Authenticating...")
SWAP_INITIALIZE_FAILED: Final = _("Failed to initialize swap")
SWAP_ALLOWANCE_FAILED: Final = _("Failed to check allowance")
EMAIL_INVALID: Final = _("Invalid email. Try again.")
CODE_RESENT: Final = _("Code email resent")
ONLY_CERTIFIED: Final = _("Only WalletConnect certified")
SESSION_REVOKE_FAILED: Final = _("Error revoking smart session")
SESSIONS_FETCH_FAILED: Final = _("Error fetching smart sessions")
ADDRESS_COPIED: Final = _("Address copied")
LINK_COPIED: Final = _("Link copied")
HASH_COPIED: Final = _("Hash copied")
FAILED_TO_COPY: Final = _("Failed to copy")
FAILED_TO_DISCONNECT: Final = _("Failed to disconnect")
UNTRUSTED_ORIGIN: Final = "Untrusted Origin"
NO_LINK_FOUND: Final = _("No link found")
FAILED_TO_FIND_CONNECTOR: Final = _("Failed to find connector")
ACCOUNT_NOT_FOUND: Final = "Account not found"
ACTION_NOT_ALLOWED: Final = _("Action not allowed")
CONNECTION_ERROR: Final = "Connection error"
UNKNOWN_ERROR: Final = "Unknown error"
AN_ERROR_OCCURRED: Final = _("An error occurred")
REQUEST_WAS_ABORTED: Final = _("Request was aborted")
UNSUPPORTED_CHAIN: Final = _("Unsupported chain")
CHAIN_NOT_SUPPORTED: Final = _("Chain is not supported")
CANNOT_REMOVE_LAST_NETWORK: Final = "Cannot remove last network for a namespace"

ANOTHER_NETWORK: Final = _("The transaction is for another network than the active one")
TOO_MANY_PENDING: Final = _("Too many transactions are pending. Wait until some of them are done.")
NOT_RECORDED: Final = _(
    "The transaction could not be put on record, so your wallet was not asked. Try again in a moment."
)

MADE_BEFORE: Final = _("Your wallet named a transaction that was made before. Nothing new was sent.")
PARTLY_MADE: Final = _("Only some of the calls were made")
SPED_UP: Final = _("Sped up in your wallet")
CANCELLED: Final = _("Cancelled in your wallet")
REPLACED: Final = _("Another transaction of your account took its place")

WALLET_SIGNED_ANOTHER: Final = _("The wallet signed another transaction than the one that you saw. It was not sent.")

WALLET_DECLINED: Final = _("The wallet declined. An older request that is still open there can cause this.")
WALLET_SILENT: Final = _("The wallet did not answer in time. Open it and look for a waiting request.")
WALLET_GONE: Final = _("The wallet cannot be found in this browser any more. Is its extension switched on?")
WALLET_INTERRUPTED: Final = _("The page was reloaded before the wallet had answered.")
WALLET_NONSENSE: Final = _("The wallet gave an answer that makes no sense. Try again, or choose another wallet.")
WALLET_FAILED: Final = _("The wallet could not connect. Open it, make sure that it is unlocked, and try again.")
WALLET_NOT_LOADED: Final = _("This wallet's details could not be loaded")
PAIRING_EXPIRED: Final = _("Nobody answered in time. Ask for a fresh code, then connect again.")
PAIRING_INTERRUPTED: Final = _("The connection was cut before the wallet had answered.")
PAIRING_UNSUITED: Final = _("This wallet does not serve the networks of this site. Choose another wallet.")
PAIRING_FAILED: Final = _("No connection came about. Check that you are online, then try again.")
PAIRING_NOT_OFFERED: Final = _("This site offers no connection to wallets on other devices.")
RELAY_REFUSED: Final = _("The connection service turns this site away. Its operator has been told why.")
RELAY_WRONG_TIME: Final = _(
    "The connection service disagrees with the clock of this device. Set the clock, then try again."
)
RECEIVER_CHANGED: Final = _("This name now leads to another address. Check the receiver again.")
RECEIVER_GONE: Final = _("This name no longer leads to an address. Check the receiver again.")
RECEIVER_UNCHECKED: Final = _("The name could not be looked up again. Please try again.")
SWITCH_DECLINED: Final = WALLET_DECLINED
SWITCH_FAILED: Final = _("The wallet may not support this network, or an older request is still open there.")


def swapping(source: str, amount: str, target: str) -> str:
    """The toast while a swap runs; `amount` is that of the target token as it is shown."""
    return _("Swapping {source} to {amount} {target}", source=source, amount=amount, target=target)


def swapped(source: str, amount: str, target: str) -> str:
    """The toast when a swap is done."""
    return _("Swapped {source} to {amount} {target}", source=source, amount=amount, target=target)


def failed_to_disconnect(failures: Mapping[Namespace, str]) -> str:
    """What failed while several namespaces were disconnected, for events and logs; a visitor reads `FAILED_TO_DISCONNECT`."""
    return ", ".join(f"Failed to disconnect chain {namespace}: {message}" for namespace, message in failures.items())
