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
        places: its parts, from top to bottom, that a team may put something before or after (`walletmodal.views`); each view has
            `content` besides, which is all of it. They are promised: one that is renamed has a line in CHANGELOG.md.
        stays: a changed network leads nobody away from it.
        for_hosts: whether `open({view})` leads to it.
    """

    name: str
    title: str | None
    title_data: str | None = None
    needs_account: bool = False
    feature: str | None = None
    places: tuple[str, ...] = ()
    stays: bool = False
    for_hosts: bool = True


_ROWS: Final = (
    View("Account", None, needs_account=True, places=("profile", "worth", "actions", "tabs", "end")),
    View("AccountSettings", None, needs_account=True, places=("disconnect",)),
    View("AllWallets", "All Wallets"),
    View("ApproveTransaction", "Approve Transaction", needs_account=True),
    View("BuyInProgress", "Buy", needs_account=True, feature="onramp"),
    View("WalletCompatibleNetworks", "Compatible Networks", needs_account=True, feature="receive"),
    View("ChooseAccountName", None, needs_account=True),
    View("Connect", "Connect Wallet", places=("methods", "guide")),
    View("Create", "Create Wallet"),
    View("ConnectingExternal", "Connect Wallet", title_data="name"),
    View("ConnectingFarcaster", "Farcaster", feature="socials"),
    View("ConnectingWalletConnect", "WalletConnect", title_data="name"),
    View("ConnectingWalletConnectBasic", "WalletConnect"),
    View("ConnectingSiwe", "Sign In", needs_account=True),
    View("ConnectingSocial", "Connect Social", title_data="provider", feature="socials"),
    View("ConnectSocials", "All socials", feature="socials"),
    View("ConnectWallets", "Connect wallet"),
    View("Downloads", "Downloads", title_data="name"),
    View("EmailLogin", "Email Login", feature="email"),
    View("EmailVerifyOtp", "Confirm Email", feature="email"),
    View("EmailVerifyDevice", "Register Device", feature="email"),
    View("GetWallet", "Get a wallet"),
    View("Networks", "Choose Network"),
    View("OnRampActivity", "Activity", needs_account=True, feature="onramp"),
    View("OnRampFiatSelect", "Select Currency", needs_account=True, feature="onramp"),
    View("OnRampProviders", "Choose Provider", needs_account=True, feature="onramp", places=("providers",)),
    View("OnRampTokenSelect", "Select Token", needs_account=True, feature="onramp"),
    View("Profile", None, needs_account=True, places=("accounts",)),
    View("RegisterAccountName", "Choose name", needs_account=True),
    View("RegisterAccountNameSuccess", "", needs_account=True),
    View("SwitchNetwork", "Switch Network", title_data="network"),
    View("SwitchAddress", "Switch Address", needs_account=True),
    View("Transactions", "Activity", needs_account=True, feature="history"),
    View("UnsupportedChain", "Switch Network"),
    View("RecoverWallet", "Recover your wallet", feature="email"),
    View("RecoverySettings", "Recovery", needs_account=True, feature="email"),
    View("AccountData", "Your data", needs_account=True, feature="email"),
    View("Devices", "Devices", needs_account=True, feature="email"),
    View("Passkeys", "Passkeys", needs_account=True, feature="email"),
    View("ConnectingPasskey", "Passkey", feature="email"),
    View("AddPasskey", "Add a passkey", needs_account=True, feature="email"),
    View("UpdateEmailWallet", "Edit Email", needs_account=True, feature="email"),
    View("UpdateEmailPrimaryOtp", "Confirm Current Email", needs_account=True, feature="email"),
    View("UpdateEmailSecondaryOtp", "Confirm New Email", needs_account=True, feature="email"),
    View("UpgradeEmailWallet", "Upgrade your Wallet", needs_account=True, feature="email"),
    View("WalletReceive", "Receive", needs_account=True, feature="receive", places=("address",)),
    View("WalletSend", "Send", needs_account=True, feature="send", places=("form", "button")),
    View("WalletSendPreview", "Review send", needs_account=True, feature="send", places=("fee", "buttons")),
    View("WalletSendSelectToken", "Select Token", needs_account=True, feature="send"),
    View("WalletSendResult", "Transaction", needs_account=True, feature="send"),
    View("WhatIsANetwork", "What is a network?"),
    View("WhatIsAWallet", "What is a wallet?"),
    View("WhatIsABuy", "What is Buy?", feature="onramp"),
    View("Swap", "Swap", needs_account=True, feature="swaps", places=("form", "button")),
    View("SwapSelectToken", "Select token", needs_account=True, feature="swaps"),
    View("SwapPreview", "Preview swap", needs_account=True, feature="swaps", places=("fee", "buttons")),
    View("ConnectingMultiChain", "Select chain"),
    View("SwitchActiveChain", "Switch chain"),
    View("SmartSessionCreated", None, needs_account=True, feature="smartSessions"),
    View("SmartSessionList", "Smart Sessions", needs_account=True, feature="smartSessions"),
    View("CallsStatus", "Calls", needs_account=True),
    View("SIWXSignMessage", "Sign In", needs_account=True, places=("explanation",)),
    View("SignIns", "Sign-ins", needs_account=True),
    View("NftDetails", "NFT", title_data="name", needs_account=True),
)

VIEWS: Final[dict[str, View]] = {view.name: view for view in _ROWS}
"""Every view by name."""

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
