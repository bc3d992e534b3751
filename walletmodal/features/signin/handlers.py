"""What the flow does when something happens elsewhere: the wallet answers, the account changes, the host calls, the modal closes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.chains.caip import parse_account_id
from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import LIMIT_EXCEEDED, UNSUPPORTED_METHOD
from walletmodal.core.errors.flow import SignInNotEnabledError
from walletmodal.core.protocol.host_calls import SessionCall, SignInCall, SignOutCall
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.protocol.missing_features import MISSING_SIGN_IN
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import SIGNATURE_DECLINED
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.state import account
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.session_lookup import MAX_CALLS, carries_token, logger
from walletmodal.features.signin.state import VIEWS, SignInState, Unproven
from walletmodal.features.signin.wallet_requests import read_signed
from walletmodal.reflex_internals.substates import get_substate


async def follow_wallets(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Accounts and networks come from wallets."""
    return await (await state.get_state(SignInState))._sync()


async def follow_account(state: rx.State) -> Followups:
    """The visitor uses another account or network than before."""
    return await (await state.get_state(SignInState))._sync()


async def hold(state: rx.State) -> bool:
    """A new account is connected: the modal stays until it is known that it is signed in."""
    signin = await state.get_state(SignInState)
    about = await signin._account()
    if await signin._options() is None or about is None:
        return False
    if signin._looked == str(about):
        if not signin._session:
            await signin._ask_visitor()
        return not signin._session
    signin._leads_on = True
    return True


async def ask_again(state: rx.State) -> Followups:
    """A modal that is opened without the sign-in that it needs is about that."""
    signin = await state.get_state(SignInState)
    about = await signin._account()
    if signin.required and not signin._session and about is not None and signin._looked == str(about):
        await signin._ask_visitor()
    return []


async def closed(state: rx.State) -> None:
    """Who waited for a sign-in hears that there is none; a wallet that is asked may still sign."""
    signin = await state.get_state(SignInState)
    signin._leads_on = False
    await signin._reject_calls()


async def forget_browser(state: rx.State) -> None:
    """Another page may be another host's, and its frame says anew which browser it is in."""
    signin: Any = await state.get_state(SignInState)
    signin.reset()
    (await state.get_state(ShellState))._miss_sign_in(missing=False)


async def end_with_account(state: rx.State, accounts: Sequence[str]) -> None:
    """Who ends the connection of an account also signs out of it, on all its networks."""
    signin = await state.get_state(SignInState)
    ended = {(one.namespace, one.address) for one in map(parse_account_id, accounts)}
    try:
        for session in await deployment().sign_ins.held(signin._holder, await signin._origin()):
            if (session.account.namespace, session.address) in ended:
                await deployment().sign_ins.revoke(session.id)
    except (SQLAlchemyError, OSError):
        logger.exception("the sign-ins of an account could not be ended with its connection")


async def knows_browser(state: rx.State, reply: Reply, _context: dict[str, Any]) -> bool:
    """A signature counts for the browser that was asked for it: a lost session has to learn first which one it is in."""
    signin = await state.get_state(SignInState)
    return bool(signin._holder) or signin._command != reply.id


async def signed(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """The wallet signed, declined, or cannot sign in that way."""
    signin = await state.get_state(SignInState)
    if signin._command != reply.id:
        return []
    about, options = signin._about, await signin._options()
    signin._command = ""
    if reply.error is not None:
        if context["way"] == "feature" and reply.error.code == UNSUPPORTED_METHOD and options is not None:
            try:
                await signin._ask_wallet(parse_account_id(about), options, "text")
            except WalletModalError as error:
                await signin._failed(error.short_message)
            return []
        await signin._failed(SIGNATURE_DECLINED)
        return []
    found = read_signed(reply.value, context["way"])
    if found is None:
        await signin._failed(SIGNATURE_DECLINED)
        return []
    signin._unproven = Unproven(about, context["nonce"], found)
    return [SignInState.prove]


async def host_sign_in(state: rx.State, call_id: str, _call: SignInCall) -> Followups:
    """Host: `signIn()`; answered with a token once the visitor is signed in."""
    signin, shell = await state.get_state(SignInState), await state.get_state(ShellState)
    bridge, about = await state.get_state(BridgeState), await signin._account()
    if await signin._options() is None:
        error = SignInNotEnabledError()
        await bridge._settle(call_id, code=error.code, message=error.short_message)
        return []
    try:
        found = await signin._find(about)
    except WalletModalError as error:
        await bridge._settle(call_id, code=error.code, message=error.short_message)
        return []
    due = found is not None and deployment().rechecks.is_due(found)
    if found is not None and not due:
        signin._looked = str(about)
        await signin._settle_token(call_id, found)
        await signin._go_on(found)
        return []
    if len(signin._calls) >= MAX_CALLS:
        await bridge._settle(call_id, code=LIMIT_EXCEEDED, message="Too many calls wait for the visitor")
        return []
    if call_id not in signin._calls:
        signin._calls = (*signin._calls, call_id)
        await bridge._keep()
    if about is not None:
        if signin._looked == str(about) and not due:
            await signin._ask_visitor()
        return [SignInState.look(str(about))] if due else await signin._sync()
    connected = (await account(state, await active_namespace(state))).status == "connected"
    await shell._open("UnsupportedChain" if connected else "Connect")
    return await signin._sync()


async def host_session(state: rx.State, call_id: str, _call: SessionCall) -> Followups:
    """Host: `getSession()`."""
    signin = await state.get_state(SignInState)
    if await signin._options() is None:
        bridge = await state.get_state(BridgeState)
        if signin._explained != bridge._epoch:
            signin._explained = bridge._epoch
            await bridge._warn(MISSING_SIGN_IN)
        await bridge._settle(call_id, None)
    elif due := await signin._wait("getSession", call_id):
        return [SignInState.look(due)]
    return []


async def host_sign_out(state: rx.State, call_id: str, _call: SignOutCall) -> Followups:
    """Host: `signOut()`."""
    signin = await state.get_state(SignInState)
    if await signin._options() is None:
        error = SignInNotEnabledError()
        await (await state.get_state(BridgeState))._settle(call_id, code=error.code, message=error.short_message)
    else:
        await signin._wait("signOut", call_id)
    return []


async def recorded(state: rx.State) -> dict[str, Any] | None:
    """What a lost session gets back: what was asked, and who waits. Who is signed in is no part of it, nor are tokens on their way."""
    signin, bridge = await get_substate(state, SignInState), await get_substate(state, BridgeState)
    again = [("getSession", one["params"]["request"]) for one in bridge.get_value("commands") if carries_token(one)]
    waiting = [*signin._waiting, *again][:MAX_CALLS]
    if not signin._command and not signin._calls and not waiting:
        return None
    return {"about": signin._about, "command": signin._command, "calls": signin._calls, "waiting": waiting}


async def restore(state: rx.State, part: Mapping[str, Any]) -> None:
    """Brings back what `recorded` gave."""
    signin = await state.get_state(SignInState)
    signin._about, signin._command = part["about"], part["command"]
    signin._calls = tuple(part["calls"])
    signin._waiting = tuple((method, call) for method, call in part["waiting"])
    signin.phase = "signing" if signin._command else "idle"


__all__ = ["VIEWS", "recorded", "restore"]
