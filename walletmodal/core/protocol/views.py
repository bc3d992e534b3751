"""The views of the router: their titles, and what each of them needs."""

from dataclasses import dataclass
from typing import Final

from walletmodal.core.language import _


@dataclass(frozen=True, slots=True)
class View:
    """One view of the router.

    Attributes:
        name: as the host API and the events spell it.
        title: heading, or None for a view without one; `label`: what those call it who cannot see it.
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
    label: str = ""
    title_data: str | None = None
    needs_account: bool = False
    feature: str | None = None
    places: tuple[str, ...] = ()
    stays: bool = False
    for_hosts: bool = True


_ROWS: Final = (
    View("Account", None, _("Account"), needs_account=True, places=("profile", "worth", "actions", "tabs", "end")),
    View("AccountSettings", None, _("Account settings"), needs_account=True, places=("disconnect",)),
    View("AllWallets", _("All Wallets")),
    View("ApproveTransaction", _("Approve Transaction"), needs_account=True),
    View("BuyInProgress", _("Buy"), needs_account=True, feature="onramp"),
    View("WalletCompatibleNetworks", _("Compatible Networks"), needs_account=True, feature="receive"),
    View("ChooseAccountName", None, _("Choose name"), needs_account=True),
    View("Connect", _("Connect Wallet"), places=("methods", "guide")),
    View("Create", _("Create Wallet")),
    View("ConnectingExternal", _("Connect Wallet"), title_data="name"),
    View("ConnectingFarcaster", _("Farcaster"), feature="socials"),
    View("ConnectingWalletConnect", _("WalletConnect"), title_data="name"),
    View("ConnectingWalletConnectBasic", _("WalletConnect")),
    View("ConnectingSiwe", _("Sign In"), needs_account=True),
    View("ConnectingSocial", _("Connect Social"), title_data="provider", feature="socials"),
    View("ConnectSocials", _("All socials"), feature="socials"),
    View("ConnectWallets", _("Connect wallet")),
    View("Downloads", _("Downloads"), title_data="name"),
    View("EmailLogin", _("Email Login"), feature="email"),
    View("EmailVerifyOtp", _("Confirm Email"), feature="email"),
    View("EmailVerifyDevice", _("Register Device"), feature="email"),
    View("GetWallet", _("Get a wallet")),
    View("Networks", _("Choose Network")),
    View("OnRampActivity", _("Activity"), needs_account=True, feature="onramp"),
    View("OnRampFiatSelect", _("Select Currency"), needs_account=True, feature="onramp"),
    View("OnRampProviders", _("Choose Provider"), needs_account=True, feature="onramp", places=("providers",)),
    View("OnRampTokenSelect", _("Select Token"), needs_account=True, feature="onramp"),
    View("Profile", None, _("Your accounts"), needs_account=True, places=("accounts",)),
    View("RegisterAccountName", _("Choose name"), needs_account=True),
    View("RegisterAccountNameSuccess", "", needs_account=True),
    View("SwitchNetwork", _("Switch Network"), title_data="network"),
    View("SwitchAddress", _("Switch Address"), needs_account=True),
    View("Transactions", _("Activity"), needs_account=True, feature="history"),
    View("UnsupportedChain", _("Switch Network")),
    View("RecoverWallet", _("Recover your wallet"), feature="email"),
    View("RecoverySettings", _("Recovery"), needs_account=True, feature="email"),
    View("AccountData", _("Your data"), needs_account=True, feature="email"),
    View("Devices", _("Devices"), needs_account=True, feature="email"),
    View("Passkeys", _("Passkeys"), needs_account=True, feature="email"),
    View("ConnectingPasskey", _("Passkey"), feature="email"),
    View("AddPasskey", _("Add a passkey"), needs_account=True, feature="email"),
    View("UpdateEmailWallet", _("Edit Email"), needs_account=True, feature="email"),
    View("UpdateEmailPrimaryOtp", _("Confirm Current Email"), needs_account=True, feature="email"),
    View("UpdateEmailSecondaryOtp", _("Confirm New Email"), needs_account=True, feature="email"),
    View("UpgradeEmailWallet", _("Upgrade your Wallet"), needs_account=True, feature="email"),
    View("WalletReceive", _("Receive"), needs_account=True, feature="receive", places=("address",)),
    View("WalletSend", _("Send"), needs_account=True, feature="send", places=("form", "button")),
    View("WalletSendPreview", _("Review send"), needs_account=True, feature="send", places=("fee", "buttons")),
    View("WalletSendSelectToken", _("Select Token"), needs_account=True, feature="send"),
    View("WalletSendResult", _("Transaction"), needs_account=True, feature="send"),
    View("WhatIsANetwork", _("What is a network?")),
    View("WhatIsAWallet", _("What is a wallet?")),
    View("WhatIsABuy", _("What is Buy?"), feature="onramp"),
    View("Swap", _("Swap"), needs_account=True, feature="swaps", places=("form", "button")),
    View("SwapSelectToken", _("Select token"), needs_account=True, feature="swaps"),
    View("SwapPreview", _("Preview swap"), needs_account=True, feature="swaps", places=("fee", "buttons")),
    View("ConnectingMultiChain", _("Select chain")),
    View("SwitchActiveChain", _("Switch chain")),
    View("SmartSessionCreated", None, _("Permission granted"), needs_account=True, feature="smartSessions"),
    View("SmartSessionList", _("Smart Sessions"), needs_account=True, feature="smartSessions"),
    View("CallsStatus", _("Calls"), needs_account=True),
    View("SIWXSignMessage", _("Sign In"), needs_account=True, places=("explanation",)),
    View("SignIns", _("Sign-ins"), needs_account=True),
    View("NftDetails", _("NFT"), title_data="name", needs_account=True),
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
        return _("Connect Email Wallet")
    if row.title_data is None:
        return row.title or ""
    datum = {"name": name, "network": network, "provider": provider.capitalize()}[row.title_data]
    if view == "Downloads" and datum:
        return _("Get {wallet}", wallet=datum)
    return datum or row.title or ""
