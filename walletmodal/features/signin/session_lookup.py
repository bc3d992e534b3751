"""Lookup of sign-ins: which browser it is, which account of which network, and what the database has of them."""

from __future__ import annotations

import logging
import secrets
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.chains.caip import AccountId, parse_account_id
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import LIMIT_EXCEEDED
from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.core.protocol.commands import Command
from walletmodal.core.protocol.options import SignIn
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.state import account
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.substates import AssigningMixin

MAX_CALLS: Final = 16
"""Calls of a page that may wait at the same time."""

logger = logging.getLogger(__name__)


async def find_session(holder: str, origin: str, about: AccountId, nonce: str) -> SignInSession | None:
    """Finds a browser's valid sign-in with an account at a page; one with another nonce of the host's is none.

    Raises:
        SignInUnavailableError: the database cannot be read.
    """
    try:
        found = await deployment().sign_ins.of_account(holder, origin, about)
    except (SQLAlchemyError, OSError) as error:
        logger.exception("a sign-in could not be looked up")
        raise SignInUnavailableError(type(error).__name__) from error
    return found if found is not None and nonce in ("", found.request_id) else None


async def find_confirmed_session(holder: str, origin: str, about: AccountId, nonce: str) -> SignInSession | None:
    """Finds a sign-in as `find_session` does, its contract asked again where due. Not while a state is held: chains take their time.

    Raises:
        SignInUnavailableError: as `find_session`.
    """
    found = await find_session(holder, origin, about, nonce)
    try:
        return found if found is None or await deployment().rechecks.holds(found) else None
    except (SQLAlchemyError, OSError) as error:
        logger.exception("a sign-in could not be checked again")
        raise SignInUnavailableError(type(error).__name__) from error


def carries_token(command: Command) -> bool:
    """Whether a command brings the host a token: one that got lost is answered anew, so that the database has none."""
    value = command["params"].get("value") if command["method"] == "host.settle" else None
    return isinstance(value, dict) and "token" in value


class SessionLookupMixin(AssigningMixin, mixin=True):
    """Sign-in of the account in use, as far as it is known.

    Attributes:
        enabled: the host wants sign-ins. required: without one there is nothing else to do.
        identify: a question to the browser, which it is (docs/protocol.md §5); "" when there is none.
    """

    enabled: bool = False
    required: bool = False
    identify: str = ""

    # The browser, as `holder_key` knows it; only a redeemed ticket says so.
    _holder: str = ""
    # The account (CAIP-10) whose sign-in was looked up last, and the id of what was found; "" for none.
    _checked_account: str = ""
    _session: str = ""
    # Calls of the host, as pairs of method and id, that wait for what is not known yet.
    _waiting: tuple[tuple[str, str], ...] = ()

    async def _on_signed_in(self, session: SignInSession) -> None:
        """Hook: the account in use is signed in."""
        raise NotImplementedError

    async def _ask_visitor(self) -> None:
        """Hook: the account in use is not signed in, and there is a reason to ask for it."""
        raise NotImplementedError

    async def _options(self) -> SignIn | None:
        """Returns the host's sign-in options; None: no sign-ins."""
        return (await self.get_state(EmbedState))._options.siwx

    async def _origin(self) -> str:
        return (await self.get_state(EmbedState))._origin

    async def _account(self) -> AccountId | None:
        """Returns the account in use, on its network; None without one, and on a network that is not supported."""
        held = await account(self, await active_namespace(self))
        if held.status != "connected" or (await self.get_state(NetworksState)).unsupported:
            return None
        return parse_account_id(held.caip_address)

    async def _find_session(self, about: AccountId | None) -> SignInSession | None:
        """Finds the sign-in of an account, as the database has it now.

        Raises:
            SignInUnavailableError: the database cannot be read.
        """
        options = await self._options()
        if options is None or about is None or not self._holder:
            return None
        return await find_session(self._holder, await self._origin(), about, options.nonce)

    async def _has_session(self, about: AccountId) -> bool:
        """Whether the database has a sign-in of the account now; False where it cannot be read."""
        try:
            return await self._find_session(about) is not None
        except SignInUnavailableError:
            return False

    def _ask_browser(self) -> None:
        """Asks the browser which it is, unless that is known."""
        if not self._holder and not self.identify:
            self.identify = secrets.token_hex(8)

    async def _queue_call(self, method: str, call: str) -> str:
        """Queues a call until it can be answered, which may be at once. Returns as `_answer_waiting`."""
        due = ""
        bridge = await self.get_state(BridgeState)
        if len(self._waiting) >= MAX_CALLS:
            await bridge._settle(call, code=LIMIT_EXCEEDED, message="Too many calls wait for an answer")
        elif (method, call) not in self._waiting:
            self._waiting = (*self._waiting, (method, call))
            due = await self._answer_waiting()
            await bridge._save_record()
        return due

    async def _answer_waiting(self) -> str:
        """Answers waiting calls, once wallets have said what they grant, and the browser which it is.

        Returns the account (CAIP-10) whose contract is to be asked again before the rest is answered (`SignInState.check_session`); "" for none.
        """
        if not self._waiting:
            return ""
        known = (await self.get_state(BridgeState))._settled or await self._account() is not None
        if known:
            self._ask_browser()
        if known and self._holder:
            calls, self._waiting = self._waiting, ()
            for method, call in calls:
                await (self._answer_session(call) if method == "getSession" else self._sign_out(call))
            return str(await self._account()) if self._waiting else ""
        return ""

    async def _reject_waiting(self, error: WalletModalError) -> None:
        bridge, calls = await self.get_state(BridgeState), self._waiting
        self._waiting = ()
        for _, call in calls:
            await bridge._settle(call, code=error.code, message=error.short_message)

    async def _answer_session(self, call: str) -> None:
        """Answers `getSession` by the database as it is now, whatever was known before."""
        bridge, about = await self.get_state(BridgeState), await self._account()
        try:
            found = await self._find_session(about)
        except SignInUnavailableError as error:
            await bridge._settle(call, code=error.code, message=error.short_message)
            return
        if found is not None and deployment().rechecks.is_due(found):
            self._waiting = (*self._waiting, ("getSession", call))
            return
        if found is None:
            await bridge._settle(call, None)
        else:
            await self._settle_token(call, found)
        if about is None or str(about) != self._checked_account:
            return
        if found is not None and not self._session:
            # Signed in meanwhile, in another tab of this browser.
            await self._on_signed_in(found)
        elif found is None and self._session:
            # Ended elsewhere, or over.
            self._session = ""
            await self._ask_visitor()

    async def _settle_token(self, call: str, session: SignInSession) -> None:
        """Answers a call with a token that is made for this answer."""
        bridge = await self.get_state(BridgeState)
        try:
            minted = await deployment().tokens_for_hosts.mint(session)
        except WalletModalError as error:
            await bridge._settle(call, code=error.code, message=error.short_message)
            return
        value = {
            "token": minted.token,
            "address": str(session.account),
            "chainId": session.chain,
            "expiresAt": minted.expires_at.isoformat().replace("+00:00", "Z"),
        }
        await bridge._settle(call, value)

    async def _sign_out(self, call: str) -> None:
        """Carries out `signOut`: ends all that this browser has signed in with at this page."""
        bridge = await self.get_state(BridgeState)
        try:
            await deployment().sign_ins.sign_out(self._holder, await self._origin())
        except (SQLAlchemyError, OSError):
            logger.exception("sign-ins could not be ended")
            await bridge._settle(call, code=SignInUnavailableError().code, message=SignInUnavailableError.text)
            return
        await self._clear_session()
        await bridge._settle(call)

    async def _clear_session(self) -> None:
        """Clears the sign-in. The visitor, who wanted that, is not asked again before there is another reason."""
        self._checked_account, self._session = str(await self._account() or ""), ""
