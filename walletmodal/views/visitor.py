"""Who a visitor is, for the events of a team's states."""

from __future__ import annotations

from dataclasses import dataclass

import reflex as rx

from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.state import account
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.signin.state import signed_in


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visitor, as an event finds them.

    Attributes:
        account: the account in use (CAIP-10); "" without one. A claim of the browser's, unless `signed_in`.
        address: of the account, in its normal spelling.
        network: the active one (CAIP-2).
        signed_in: whether the server has verified a signature of the account, as of its last look at the sign-in.
        origin: of the host page.
    """

    account: str
    address: str
    network: str
    signed_in: bool
    origin: str


async def visitor(state: rx.State) -> Visitor:
    """Says whose event is handled.

    Args:
        state: the `self` of the event; in a background event, within `async with self`.
    """
    held = await account(state, await active_namespace(state))
    return Visitor(
        account=held.caip_address,
        address=held.address,
        network=(await state.get_state(NetworksState)).active,
        signed_in=await signed_in(state),
        origin=(await state.get_state(EmbedState))._origin,
    )
