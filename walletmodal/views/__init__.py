"""A team's own views: replace a view, put something before or after a part of one, add a view, a tab, a row, an action.

The project's module does so when it is imported, before the app is compiled. How it looks: docs/own-views.md.
"""

from walletmodal.ui.own_parts import OwnViewsError
from walletmodal.views.events import VisitorEvent, back, close, on, opens
from walletmodal.views.places import after, before
from walletmodal.views.registration import action, add, connect_row, replace, tab
from walletmodal.views.selectors import AccountVars, NetworkVars, TransferVars, account, network, transfer
from walletmodal.views.visitor import Visitor, visitor

__all__ = [
    "AccountVars",
    "NetworkVars",
    "OwnViewsError",
    "TransferVars",
    "Visitor",
    "VisitorEvent",
    "account",
    "action",
    "add",
    "after",
    "back",
    "before",
    "close",
    "connect_row",
    "network",
    "on",
    "opens",
    "replace",
    "tab",
    "transfer",
    "visitor",
]
