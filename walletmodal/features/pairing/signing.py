"""One-click sign-in: the sign-in that a pairing proposes, and the signatures that come back."""

from __future__ import annotations

import secrets
from typing import Any, Final, NamedTuple

import reflex as rx

from walletmodal.core.errors import WalletModalError
from walletmodal.core.protocol.commands import ProposedNamespace, ProposedSignIn
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.sign_in.cacao import MAX_PAIRED_CHAINS, proposed_sign_in
from walletmodal.core.text.texts import AUTHENTICATING
from walletmodal.deployment import deployment
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.signin.state import PROVING, SignInState
from walletmodal.features.toasts.state import ToastState
from walletmodal.services.sign_in import PairingTerms
from walletmodal.services.sign_in.pairing import PAIRING_NONCE_LIFETIME

_SHARED_SECONDS: Final = PAIRING_NONCE_LIFETIME.total_seconds() / 2 - 60
"""So long one question follows another under the same nonce: the last of them waits for half an hour itself."""


class Offer(NamedTuple):
    """Proposed sign-in for whichever wallet pairs, and when it began (seconds since 1970). The codes of one visitor share it."""

    began: float
    terms: PairingTerms
    wish: ProposedSignIn


class PairedSignInState(rx.State):
    """The proposed sign-in; nothing of it is shown. What a wallet signed grants nothing before `proving` has put it on record."""

    # Whose nonces these are: known to this session alone, while the browser may not have said yet which one it is.
    _visitor: str = ""
    _offer: Offer | None = None
    _cacaos: list[Any] | None = None

    async def _sign_in_proposal(self, namespaces: dict[Any, ProposedNamespace]) -> ProposedSignIn | None:
        """Returns the sign-in for a proposal of these namespaces; None where the visitor signs after connecting, if at all."""
        embed = await self.get_state(EmbedState)
        options = embed._options.siwx
        if options is None or set(namespaces) != {"eip155"} or not namespaces["eip155"]["methods"]:
            self._offer = None
            return None
        signin = await self.get_state(SignInState)
        signin._ask_browser()
        terms = PairingTerms(
            chains=tuple(namespaces["eip155"]["chains"][:MAX_PAIRED_CHAINS]),
            methods=tuple(namespaces["eip155"]["methods"]),
            origin=embed._origin,
            page=embed._url,
            statement=options.statement or None,
            request_id=options.nonce or None,
        )
        self._visitor = self._visitor or secrets.token_hex(16)
        now, before = deployment().clock.now().timestamp(), self._offer
        if before is not None and before.terms == terms and 0 <= now - before.began < _SHARED_SECONDS:
            # The code that is on the screen stays the one to be scanned.
            return before.wish
        try:
            asked = await deployment().proofs.propose_pairing(self._visitor, terms)
        except WalletModalError:
            # Nobody can remember it: the visitor connects all the same, and reads it when it comes to signing.
            self._offer = None
            return None
        self._offer = Offer(now, terms, proposed_sign_in(asked))
        return self._offer.wish

    async def _set_pairing_command(self, command: str) -> None:
        """Sets the command that asks a wallet, "" for none: until its answer is verified, nobody asks the visitor to sign besides."""
        if self._cacaos is None:
            (await self.get_state(SignInState))._pairing = command

    async def _store_cacaos(self, reply: Reply) -> bool:
        """Stores what a wallet signed while it paired, until it is verified; False where it signed nothing."""
        cacaos = reply.value.get("cacaos") if isinstance(reply.value, dict) else None
        signin = await self.get_state(SignInState)
        if not isinstance(cacaos, list) or not cacaos or self._offer is None or not signin._holder:
            return False
        self._offer, self._cacaos, signin._pairing = None, cacaos, PROVING
        (await self.get_state(ToastState))._show(AUTHENTICATING, "loading", auto_close=False)
        return True

    async def _clear_cacaos(self) -> None:
        """Clears what was to be verified: accounts are asked to sign like others."""
        self._cacaos = None
        (await self.get_state(SignInState))._pairing = ""

    def _clear_offer(self) -> None:
        """Clears the proposal of the page before.

        The visitor stays the same: whoever begins one life after the other has no more nonces than others.
        """
        self._offer, self._cacaos = None, None
