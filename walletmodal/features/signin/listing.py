"""List of this browser's sign-ins at this page, and their end."""

from __future__ import annotations

from typing import Final, TypedDict

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.chains.addresses import truncate
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.core.language import _
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.core.text.formatting import date_text
from walletmodal.deployment import deployment
from walletmodal.features.bridge.wiring import Followups, run_all, wiring
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import picture
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.session_lookup import logger
from walletmodal.features.signin.state import SignInState
from walletmodal.features.toasts.state import ToastState

LIST: Final = "SignIns"
_MAX_ID: Final = 64


class SignInRow(TypedDict):
    """One sign-in; its id opens nothing. `since` and `until`: days."""

    id: str
    short: str
    address: str
    network: str
    image: str
    since: str
    until: str
    mine: bool


class SignInsState(rx.State):
    """The list. `phase`: loading, shown, failed. `current`: whether the account in use is among them."""

    rows: list[SignInRow] = []
    phase: str = "loading"
    current: bool = False

    _looks: int = 0

    @rx.event
    async def open_list(self) -> Followups:
        """Opens the list: the row of the account's settings."""
        shell, signin = await self.get_state(ShellState), await self.get_state(SignInState)
        if not signin.enabled or not shell.connected:
            return []
        self.phase = "loading"
        shell._push(LIST)
        await shell._save_record()
        return [SignInsState.load]

    @rx.event(background=True)
    async def load(self) -> None:
        """Loads the list."""
        async with self:
            holder, origin = await self._holder_and_origin()
            self._looks = look = self._looks + 1
        if not holder:
            return
        rows: list[SignInRow] | None = None
        try:
            found = await deployment().sign_ins.held(holder, origin)
        except (SQLAlchemyError, OSError):
            logger.exception("sign-ins could not be listed")
        else:
            async with self:
                mine = (await self.get_state(SignInState))._session
            rows = [_row(session, mine) for session in found]
        async with self:
            # What a later look has read is newer.
            if look != self._looks or (holder, origin) != await self._holder_and_origin():
                return
            if rows is None:
                self.phase = "failed"
            else:
                self._set_rows(rows)

    def _set_rows(self, rows: list[SignInRow]) -> None:
        if self.get_value("rows") != rows:
            self.rows = rows
        current = any(row["mine"] for row in rows)
        if self.current != current:
            self.current = current
        if self.phase != "shown":
            self.phase = "shown"

    async def _holder_and_origin(self) -> tuple[str, str]:
        return (await self.get_state(SignInState))._holder, (await self.get_state(EmbedState))._origin

    @rx.event
    async def sign_in(self) -> None:
        """Opens the sign-in view for an account that is not listed, with a way back to the list."""
        shell, signin = await self.get_state(ShellState), await self.get_state(SignInState)
        about = await signin._account()
        if shell.view == LIST and await shell._is_visible() and about is not None and signin.enabled:
            await signin._ask_visitor(above=True)

    @rx.event
    async def end(self, session_id: str) -> Followups:
        """Ends one sign-in, if it is this browser's own."""
        holder, origin = await self._holder_and_origin()
        if not isinstance(session_id, str) or not 0 < len(session_id) <= _MAX_ID:
            return []
        try:
            held = await deployment().sign_ins.held(holder, origin)
            if not any(session.id == session_id for session in held):
                return [SignInsState.load]
            await deployment().sign_ins.revoke(session_id)
        except (SQLAlchemyError, OSError):
            return await self._on_failed()
        signin = await self.get_state(SignInState)
        if signin._session == session_id:
            await signin._clear_session()
        (await self.get_state(ToastState))._show(_("Signed out"))
        return [SignInsState.load, *await run_all(wiring().on_sign_in_change, self)]

    @rx.event
    async def end_all(self) -> Followups:
        """Ends all sign-ins of this browser at this page."""
        holder, origin = await self._holder_and_origin()
        try:
            ended = await deployment().sign_ins.sign_out(holder, origin)
        except (SQLAlchemyError, OSError):
            return await self._on_failed()
        if ended:
            await (await self.get_state(SignInState))._clear_session()
            (await self.get_state(ToastState))._show(_("Signed out everywhere on this page"))
        return [SignInsState.load, *await run_all(wiring().on_sign_in_change, self)]

    async def _on_failed(self) -> Followups:
        logger.exception("a sign-in could not be ended")
        (await self.get_state(ToastState))._show(SignInUnavailableError.text, "error")
        return []


def _row(session: SignInSession, mine: str) -> SignInRow:
    network = bundled_networks().get(session.chain)
    return {
        "id": session.id,
        "short": truncate(session.address),
        "address": session.address,
        "network": network.name if network else session.chain,
        "image": picture(network) if network else "",
        "since": date_text(session.proven_at, year=False),
        "until": date_text(session.expires_at),
        "mine": session.id == mine,
    }


async def clear_rows(state: rx.State) -> None:
    """Clears the list when nobody looks at it."""
    listing = await state.get_state(SignInsState)
    if listing.get_value("rows"):
        listing.rows = []
    if listing.phase != "loading":
        listing.phase = "loading"
