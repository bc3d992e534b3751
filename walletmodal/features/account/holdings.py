"""Holder of the tokens that are looked at, and where they are read. Nothing is kept here: the deployment's caches have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from walletmodal.config import settings
from walletmodal.core.accounts.tokens import TokenBalance, worth_sort_key
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import NetworkError
from walletmodal.core.errors.services import TokenBalanceUnavailableError
from walletmodal.core.namespaces.registry import has_feature
from walletmodal.core.text.texts import UNSUPPORTED_CHAIN
from walletmodal.core.wallets.connectors import AUTH_ID, WALLET_CONNECT_ID
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import wallet_asker
from walletmodal.features.embed.state import EmbedState
from walletmodal.services.balances import AskWallet
from walletmodal.services.http import Caller


@dataclass(frozen=True, slots=True)
class Holder:
    """An account on a network whose tokens can be read.

    Attributes:
        caller: the embed.
        chain: the network.
        address: a plain address of its namespace.
        ask: asks the wallet, where it may know its tokens itself.
    """

    caller: Caller
    chain: ChainId
    address: str
    ask: AskWallet | None

    @property
    def caip_address(self) -> str:
        """The account as CAIP-10."""
        return f"{self.chain}:{self.address}"

    async def tokens(self, *, fresh: Sequence[str] | None = None) -> tuple[TokenBalance, ...]:
        """Reads what the account owns, the most valuable first; kept for 30 s, and equal questions at once are one.

        Args:
            fresh: not None reads anew; CAIP-10 ids of contracts whose balances are known to have changed.

        Raises:
            TokenBalanceUnavailableError: nobody could say.
        """
        if str(self.chain) not in settings().networks:
            # The network's name may be the wallet's to choose; it must not choose what the server asks for.
            unsupported = NetworkError(UNSUPPORTED_CHAIN, details=str(self.chain))
            raise TokenBalanceUnavailableError(unsupported.details) from unsupported
        owned = await deployment().tokens.balances(
            self.caller, self.chain, self.address, ask=self.ask, force_update=fresh
        )
        return tuple(sorted(owned, key=worth_sort_key))


async def holder(state: Any) -> Holder | None:
    """Returns the active account; None without one, or where its tokens cannot be read.

    Args:
        state: `self` of a background event, which holds the lock now, and not while it awaits `Holder.tokens`.
    """
    namespace = await active_namespace(state)
    held = await account(state, namespace)
    if held.status != "connected" or not held._chain or not has_feature(namespace, "balance"):
        return None
    chain = ChainId(namespace, held._chain)
    # A phone would be woken over the relay for each look; the embedded wallet knows no more than we do.
    asks = namespace == "eip155" and held.connector not in (WALLET_CONNECT_ID, AUTH_ID)
    knows = asks and held._mute != (held.caip_address, held.connector)
    caller = (await state.get_state(EmbedState))._caller()
    return Holder(caller, chain, held.address, wallet_asker(state, chain) if knows else None)


def token_icon(url: str) -> str:
    """Returns our image server's path of a token's picture, "" for none. A wallet's own icons have been dropped before."""
    return deployment().services.images.remote_path(url) if url else ""
