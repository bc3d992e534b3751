"""The views of the router: their titles, and what each of them needs."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class View:
    """One view of the router.

    Attributes:
        name: as the host API and the events spell it.
        title: heading, or None for a view without one.
        title_data: which datum replaces the heading when it is known: `name` (wallet, else connector), `network`, `provider`.
        needs_account: opened without a connected account, Connect comes first.
        feature: the `features` flag that it belongs to, or None.
        built: whether this version has it.
        beta: whether a 'Beta' tag follows the title.
    """

    name: str
    title: str | None
    title_data: str | None = None
    needs_account: bool = False
    feature: str | None = None
    built: bool = False
    beta: bool = False


_ROWS: Final = (
    View("Account", None, needs_account=True, built=True),
    View("AccountSettings", None, needs_account=True, built=True),
    View("AllWallets", "All Wallets", built=True),
    View("ApproveTransaction", "Approve Transaction", needs_account=True, built=True),
    View("BuyInProgress", "Buy", needs_account=True, feature="onramp", built=True),
    View("WalletCompatibleNetworks", "Compatible Networks", needs_account=True, feature="receive", built=True),
    View("ChooseAccountName", None, needs_account=True, built=True),
    View("Connect", "Connect Wallet", built=True),
    View("Create", "Create Wallet", built=True),
    View("ConnectingExternal", "Connect Wallet", title_data="name", built=True),
    View("ConnectingFarcaster", "Farcaster", feature="socials", built=True),
    View("ConnectingWalletConnect", "WalletConnect", title_data="name", built=True),
    View("ConnectingWalletConnectBasic", "WalletConnect", built=True),
    View("ConnectingSiwe", "Sign In", needs_account=True, built=True),
    View("ConnectingSocial", "Connect Social", title_data="provider", feature="socials", built=True),
    View("ConnectSocials", "All socials", feature="socials", built=True),
    View("ConnectWallets", "Connect wallet", built=True),
    View("Downloads", "Downloads", title_data="name", built=True),
    View("EmailLogin", "Email Login", feature="email", built=True),
    View("EmailVerifyOtp", "Confirm Email", feature="email", built=True),
    View("EmailVerifyDevice", "Register Device", feature="email", built=True),
    View("GetWallet", "Get a wallet", built=True),
    View("Networks", "Choose Network", built=True),
    View("OnRampActivity", "Activity", needs_account=True, feature="onramp", built=True),
    View("OnRampFiatSelect", "Select Currency", needs_account=True, feature="onramp", built=True),
    View("OnRampProviders", "Choose Provider", needs_account=True, feature="onramp", built=True),
    View("OnRampTokenSelect", "Select Token", needs_account=True, feature="onramp", built=True),
    View("Profile", None, needs_account=True, built=True),
    View("RegisterAccountName", "Choose name", needs_account=True, built=True),
    View("RegisterAccountNameSuccess", "", needs_account=True, built=True),
    View("SwitchNetwork", "Switch Network", title_data="network", built=True),
    View("SwitchAddress", "Switch Address", needs_account=True, built=True),
    View("Transactions", "Activity", needs_account=True, feature="history", built=True),
    View("UnsupportedChain", "Switch Network", built=True),
    View("RecoverWallet", "Recover your wallet", feature="email", built=True),
    View("RecoverySettings", "Recovery", needs_account=True, feature="email", built=True),
    View("AccountData", "Your data", needs_account=True, feature="email", built=True),
    View("Devices", "Devices", needs_account=True, feature="email", built=True),
    View("Passkeys", "Passkeys", needs_account=True, feature="email", built=True),
    View("ConnectingPasskey", "Passkey", feature="email", built=True),
    View("AddPasskey", "Add a passkey", needs_account=True, feature="email", built=True),
    View("UpdateEmailWallet", "Edit Email", needs_account=True, feature="email", built=True),
    View("UpdateEmailPrimaryOtp", "Confirm Current Email", needs_account=True, feature="email", built=True),
    View("UpdateEmailSecondaryOtp", "Confirm New Email", needs_account=True, feature="email", built=True),
    View("UpgradeEmailWallet", "Upgrade your Wallet", needs_account=True, feature="email", built=True),
    View("WalletReceive", "Receive", needs_account=True, feature="receive", built=True),
    View("WalletSend", "Send", needs_account=True, feature="send", built=True),
    View("WalletSendPreview", "Review send", needs_account=True, feature="send", built=True),
    View("WalletSendSelectToken", "Select Token", needs_account=True, feature="send", built=True),
    View("WalletSendResult", "Transaction", needs_account=True, feature="send", built=True),
    View("WhatIsANetwork", "What is a network?", built=True),
    View("WhatIsAWallet", "What is a wallet?", built=True),
    View("WhatIsABuy", "What is Buy?", feature="onramp", built=True),
    View("Swap", "Swap", needs_account=True, feature="swaps", built=True),
    View("SwapSelectToken", "Select token", needs_account=True, feature="swaps", built=True),
    View("SwapPreview", "Preview swap", needs_account=True, feature="swaps", built=True),
    View("ConnectingMultiChain", "Select chain", built=True),
    View("SwitchActiveChain", "Switch chain", built=True),
    View("SmartSessionCreated", None, needs_account=True, feature="smartSessions", built=True),
    View("SmartSessionList", "Smart Sessions", needs_account=True, feature="smartSessions", built=True, beta=True),
    View("CallsStatus", "Calls", needs_account=True, built=True),
    View("SIWXSignMessage", "Sign In", needs_account=True, built=True),
    View("SignIns", "Sign-ins", needs_account=True, built=True),
    View("NftDetails", "NFT", title_data="name", needs_account=True, built=True),
)

VIEWS: Final[dict[str, View]] = {view.name: view for view in _ROWS}
"""Every view by name."""

VIEW_NAMES: Final[tuple[str, ...]] = tuple(VIEWS)
BUILT_VIEWS: Final[frozenset[str]] = frozenset(view.name for view in _ROWS if view.built)
CONNECTING_VIEWS: Final = frozenset({"ConnectingExternal", "ConnectingWalletConnect", "ConnectingWalletConnectBasic"})
"""Where a wallet is being connected: the network that comes with it takes nobody away, the flow itself leads on."""

VIEW_NOT_AVAILABLE: Final = "view not available"


def title(view: str, *, name: str = "", network: str = "", provider: str = "", only_email: bool = False) -> str:
    """The heading of a view, "" for one without.

    Args:
        view: name of the view.
        name: the wallet, else the connector, that the view is about.
        network: name of the network that is switched to.
        provider: id of the social login; shown with a capital.
        only_email: whether email is the only connector, which changes Connect's heading.
    """
    row = VIEWS[view]
    if view == "Connect" and only_email:
        return "Connect Email Wallet"
    if row.title_data is None:
        return row.title or ""
    datum = {"name": name, "network": network, "provider": provider.capitalize()}[row.title_data]
    if view == "Downloads" and datum:
        return f"Get {datum}"
    return datum or row.title or ""
