"""The rules of opening, closing and going back, as plain functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from walletmodal.core.protocol.views import CONNECTING_VIEWS, VIEWS, title

Entry = tuple[str, str]
"""One entry of the view stack: view and title. No named tuple: the resume record has the stack at every click, and JSON of those takes eight times as long."""

SIGN_IN_VIEWS: Final = frozenset({"SIWXSignMessage", "ConnectingSiwe", "ApproveTransaction"})
"""Where a required sign-in is given: nobody leaves them before it is."""

READING_VIEWS: Final = frozenset(
    {
        "WhatIsAWallet",
        "WhatIsANetwork",
        "WhatIsABuy",
        "GetWallet",
        "Transactions",
        "NftDetails",
        "WalletReceive",
        "WalletCompatibleNetworks",
    }
)
"""Where nothing is begun: who goes back from them has changed nothing but the place."""


def retitled(stack: Sequence[Sequence[str]]) -> tuple[Entry, ...]:
    """Returns the views with the titles of the table; a title that is about what the view shows stays as it is.

    Never empty: where the code has none of the views any more, such as one of a team's, Connect is left.
    """
    known = tuple((view, name) for view, name in stack if view in VIEWS) or (("Connect", title("Connect")),)
    return tuple((view, name if _follows_data(view, name) else title(view)) for view, name in known)


def _follows_data(view: str, name: str) -> bool:
    return VIEWS[view].title_data is not None and name != title(view)


def opening_view(*, explicit: str, adapters: bool, connected: bool, mobile: bool) -> str:
    """Returns where `open()` leads: an explicit view first, then the rule for no adapters, then account or connect."""
    if explicit:
        return explicit
    if not adapters and not connected:
        return "AllWallets" if mobile else "ConnectingWalletConnectBasic"
    return "Account" if connected else "Connect"


def close_refused(view: str, *, sign_in_required: bool, signed_in: bool) -> bool:
    """Whether X, Escape and the overlay shake instead of closing."""
    if view == "UnsupportedChain":
        return True
    return view in SIGN_IN_VIEWS and sign_in_required and not signed_in


def back_closes(stack: Sequence[Entry]) -> bool:
    """Going back with one entry, or with UnsupportedChain anywhere in the history, closes the modal."""
    return len(stack) <= 1 or any(view == "UnsupportedChain" for view, _ in stack)


def leave_after_network_change(view: str, *, connected: bool, same_namespace: bool, old_supported: bool) -> bool:
    """Whether a changed network takes the visitor back from where they are.

    Not while they leave an unsupported one in its own wallet, nor while they are asked for a request: hosts often switch first.
    """
    if view in CONNECTING_VIEWS or view == "ApproveTransaction" or VIEWS[view].stays:
        return False
    arrived = view in ("UnsupportedChain", "SwitchNetwork")
    return not connected or arrived or not same_namespace or old_supported
