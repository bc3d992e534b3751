"""Login with an account at a provider: its window, the secure site's word on it, and the accounts that follow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, get_args
from urllib.parse import urlsplit

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.analytics import events
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.connections.connections import Changes
from walletmodal.core.constants import FRAME_SOCIAL_PROVIDERS
from walletmodal.core.protocol.options import Social
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.wallets.embedded import read_frame_error
from walletmodal.core.wallets.social_logins import System, social_buttons, socials_offered
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Extent, Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.wallets.state import WalletsState
from walletmodal.reflex_internals.substates import get_substate
from walletmodal.services.metrics import count_ignored

VIEW: Final = "ConnectingSocial"
_ATTEMPT: Final = re.compile(r"[A-Za-z0-9_-]{32}")
_SYSTEMS: Final[dict[str, System]] = {"ios": "ios", "mac": "mac", "android": "android"}


class SocialState(AssigningMixin, rx.State):
    """Login at a provider.

    Attributes:
        offered: ids of the providers, in the host's order.
        logos: those with their logo alone: both of two; else the first has a row of its own, and a button leads to those that are left.
        site: origin of the secure site.
        provider: of the login that was begun; attempt: its id, "" without one.
        blocked: the browser has opened no window.
        error: why it failed, "" while it goes on.
        question: what the secure site's frame is asked, as `EmbeddedState.question`.
    """

    offered: list[str] = []
    logos: list[str] = []
    site: str = ""
    provider: str = ""
    attempt: str = ""
    blocked: bool = False
    error: str = ""
    question: dict[str, Any] = {}

    def _end(self) -> None:
        """Ends the login; its question is not heard any more."""
        self._put(question={}, attempt="", error="", blocked=False)

    async def _begin(self, begun: Mapping[str, Any]) -> None:
        """Waits for a login whose window the browser has opened, or has not."""
        provider, attempt = begun.get("provider"), begun.get("attempt")
        known = next((one for one in self.offered if one == provider), None)
        if known is None or not isinstance(attempt, str) or not _ATTEMPT.fullmatch(attempt):
            count_ignored("malformed")
            return
        self._put(provider=known, attempt=attempt, blocked=begun.get("opened") is not True, error="")
        self.question = {"id": new_id(), "type": "CONNECT_SOCIAL", "payload": {"attempt": attempt}}
        await self._publish(events.social_login_started)
        (await self.get_state(ShellState))._push(VIEW, provider=known)

    async def _publish(self, event: Any) -> None:
        await (await self.get_state(BridgeState))._publish(event(provider=self.provider))

    @rx.event
    async def begin(self, begun: dict[str, Any]) -> None:
        """Goes on with a login that the browser has begun: the button of a provider."""
        fields = begun if isinstance(begun, dict) else {}
        if (await self.get_state(EmbedState)).ready:
            await self._begin(fields)
            await (await self.get_state(ShellState))._save_record()
        else:
            kept = {name: fields.get(name) for name in ("provider", "attempt", "opened")}
            await (await self.get_state(BridgeState))._queue_early("social.begin", kept)

    @rx.event
    async def on_answer(self, payload: dict[str, Any]) -> None:
        """Goes on with how the secure site says that the login has ended."""
        asked, fields = self.get_value("question"), payload if isinstance(payload, dict) else {}
        if not asked or fields.get("id") != asked["id"]:
            count_ignored("answer_not_awaited")
            return
        self.question = {}
        if fields.get("ok") is True:
            await self._publish(events.social_login_request_user_data)
            embedded = await self.get_state(EmbeddedState)
            embedded._way = next((one for one in get_args(Social) if one == self.provider), "email")
            await embedded._connect()
        else:
            failure = read_frame_error(fields.get("error"))
            self.error = failure.message
            await self._publish(events.social_login_error)
        await (await self.get_state(ShellState))._save_record()


async def on_early_begin(state: rx.State, begun: Any) -> Followups:
    """Goes on with a login that was begun before a new server knew its page."""
    await (await state.get_state(SocialState))._begin(begun)
    return []


async def sync_social(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Updates what is offered."""
    await _update_offer(state)
    return []


async def filter_social(state: rx.State, _namespace: Namespace | None) -> None:
    """Offers logins where they serve the namespace that the modal is about."""
    await _update_offer(state)


async def _update_offer(state: rx.State) -> None:
    social, embed = await state.get_state(SocialState), await state.get_state(EmbedState)
    secure, wanted = (
        (await state.get_state(EmbeddedState)).get_value("secure"),
        (await state.get_state(WalletsState)).filter,
    )
    offered: tuple[Social, ...] = ()
    if secure and secure["url"] and wanted in ("", *secure["chains"]):
        system = _SYSTEMS.get(embed._system, "other")
        served = frozenset(settings().secure_socials) & frozenset(FRAME_SOCIAL_PROVIDERS)
        hosts = socials_offered(embed._options.features.socials, telegram=embed._telegram, system=system)
        offered = tuple(one for one in hosts if one in served)
        parts = urlsplit(secure["url"])
        social._put(site=f"{parts.scheme}://{parts.netloc}")
    buttons = social_buttons(offered)
    social._put(offered=list(offered), logos=list(buttons.logos))


async def check_view(state: rx.State, _extent: Extent) -> None:
    """Ends a login whose view the visitor has left; accounts that are asked for already still come."""
    social = await get_substate(state, SocialState)
    if not social.attempt:
        return
    shell = await get_substate(state, ShellState)
    if await shell._shows(VIEW):
        return
    if social.get_value("question"):
        await social._publish(events.social_login_canceled)
    social._end()


async def reset_social(state: rx.State) -> None:
    """Clears what the page before has begun."""
    (await state.get_state(SocialState))._end()
