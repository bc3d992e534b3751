"""What a team's components may read of the modal's states, as variables that follow them."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.features.account.active import ActiveState, active_var
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.send.state import SendState
from walletmodal.ui.own_parts import nearest


class _Vars:
    """Names one another where one is asked for that does not exist."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        known = [one for one in dir(type(self)) if not one.startswith("_")]
        raise AttributeError(f"{type(self).__name__} has no {name!r}; {nearest(name, known)}")


class AccountVars(_Vars):
    """The account in use, of the active network's namespace. All of it is what the browser says: enough to show, never to grant."""

    @property
    def connected(self) -> rx.Var[bool]:
        """Whether there is one."""
        return active_var("status") == "connected"

    @property
    def address(self) -> rx.Var[str]:
        """Its address in its normal spelling; "" without one."""
        return active_var("address").to(str)

    @property
    def short_address(self) -> rx.Var[str]:
        """First 4 and last 6 characters of it."""
        return active_var("short_address").to(str)

    @property
    def caip_address(self) -> rx.Var[str]:
        """Namespace, network and address (CAIP-10); "" without one."""
        return active_var("caip_address").to(str)

    @property
    def namespace(self) -> rx.Var[str]:
        """eip155, solana, bip122 or polkadot."""
        return ActiveState.namespace

    @property
    def name(self) -> rx.Var[str]:
        """Its name, such as one of ENS; "" where it has none or nobody can say."""
        return active_var("profile_name").to(str)

    @property
    def wallet(self) -> rx.Var[str]:
        """Name of its wallet, which the wallet chooses."""
        return active_var("wallet_name").to(str)

    @property
    def balance(self) -> rx.Var[str]:
        """Of the native coin, as the modal shows it, such as 1.5; "" until it is known."""
        return active_var("balance_text").to(str)

    @property
    def symbol(self) -> rx.Var[str]:
        """Of the native coin."""
        return active_var("balance_symbol").to(str)


class NetworkVars(_Vars):
    """The active network."""

    @property
    def id(self) -> rx.Var[str]:
        """Its CAIP-2 id."""
        return NetworksState.active

    @property
    def name(self) -> rx.Var[str]:
        """Its name; "" of one that is not supported."""
        return NetworksState.active_name

    @property
    def image(self) -> rx.Var[str]:
        """URL of its picture; "" for none."""
        return NetworksState.active_image

    @property
    def symbol(self) -> rx.Var[str]:
        """Of its native coin."""
        return NetworksState.active_symbol


class TransferVars(_Vars):
    """What the visitor has put into Send, checked or not."""

    @property
    def symbol(self) -> rx.Var[str]:
        """Of the token; "" until one is chosen."""
        return SendState.symbol

    @property
    def amount(self) -> rx.Var[str]:
        """As the visitor typed it, in whole tokens."""
        return SendState.amount

    @property
    def receiver(self) -> rx.Var[str]:
        """Address or name, as the visitor typed it."""
        return SendState.receiver


account: Final = AccountVars()
"""The account in use."""
network: Final = NetworkVars()
"""The active network."""
transfer: Final = TransferVars()
"""What is in Send."""
