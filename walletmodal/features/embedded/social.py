"""Login with an account at a provider: its window, the secure site's word on it, and the accounts that follow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, TypedDict, get_args
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.analytics import events
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.connections.connections import Changes
from walletmodal.core.language import _
from walletmodal.core.language.text import recalled
from walletmodal.core.protocol.options import Social
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import LINK_COPIED
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.core.wallets.embedded import read_farcaster_login, read_frame_error, read_social_return
from walletmodal.core.wallets.social_logins import System, social_buttons, socials_offered
from walletmodal.deployment import deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Extent, Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.login import OVER
from walletmodal.features.embedded.question import QuestionMixin
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.wallets.state import WalletsState
from walletmodal.reflex_internals.substates import get_substate
from walletmodal.services.metrics import count_ignored

VIEW: Final = "ConnectingSocial"
FARCASTER_VIEW: Final = "ConnectingFarcaster"
SOCIAL_VIEWS: Final = frozenset({VIEW, FARCASTER_VIEW})
FARCASTER: Final = "farcaster"
RETURN: Final = "GET_SOCIAL_RETURN"
"""The question to the frame for which login the page was left."""
LOGIN_LOST: Final = _("This browser no longer knows the login. Please begin again.")
CODE_EXPIRED: Final = _("The code was not used in time.")
LOST: Final = _("The page was loaded anew meanwhile, and this browser has kept nothing of the login. Please try again.")
_ELSEWHERE: Final = "started_elsewhere"
"""The secure site's word for a login of another device; after a reload, for a browser that keeps no keys."""
ATTEMPT_SECONDS: Final = 10 * 60
"""How long the secure site keeps a login."""
_MAX_BACK: Final = 1500
"""With what the secure site adds to it, it takes no longer address."""
_ATTEMPT: Final = re.compile(r"[A-Za-z0-9_-]{32}")
_SYSTEMS: Final[dict[str, System]] = {"ios": "ios", "mac": "mac", "android": "android"}


class Awaited(TypedDict):
    """A login whose end is not known yet: `since` when, in Unix time, and `on` which host page it is waited for; `link`: of Farcaster's app, or ""."""

    provider: str
    attempt: str
    link: str
    since: float
    on: str


class SocialState(QuestionMixin, rx.State):
    """Login at a provider.

    Attributes:
        offered: ids of the providers, in the host's order.
        logos: those with their logo alone: both of two; else the first has a row of its own, and a button leads to those that are left.
        site: origin of the secure site; "" of one of AppKit's, which names the providers' addresses itself.
        provider: of the login that was begun; attempt: its id, "" without one.
        blocked: the browser has opened no window.
        resumed: the page was loaded anew since, so that nothing is known of the window.
        error: why it failed, "" while it goes on.
        link: for Farcaster's app, "" until there is one.
        phone: the visitor's device is one that has the app, if any.
        back: the host page, which makes room for a login where no window can be opened; "" where one can.
        left: the host page is on its way to the provider.
    """

    offered: list[str] = []
    logos: list[str] = []
    site: str = ""
    provider: str = ""
    attempt: str = ""
    blocked: bool = False
    resumed: bool = False
    error: str = ""
    link: str = ""
    phone: bool = False
    back: str = ""
    left: bool = False

    # The host page whose return from a provider was heard of.
    _returned: str = ""

    # A login whose end is not known yet, to be gone on with on another life of its page.
    _awaited: Awaited | dict[str, Any] = {}

    @rx.var
    def expired(self) -> bool:
        """Whether it failed because Farcaster's code was not used in time."""
        return self.error == CODE_EXPIRED

    def _end(self) -> None:
        """Ends the login; its question is not heard any more."""
        self._put(question={}, attempt="", error="", blocked=False, resumed=False, link="", left=False)
        self._awaited = {}

    async def _await(self) -> None:
        """Remembers what is waited for."""
        self._awaited = Awaited(
            provider=self.provider,
            attempt=self.attempt,
            link=self.link,
            since=deployment().clock.now().timestamp(),
            on=(await self.get_state(EmbedState))._origin,
        )

    async def _begin(self, begun: Mapping[str, Any]) -> None:
        """Waits for a login whose window the browser has opened, or has not."""
        provider, attempt = begun.get("provider"), begun.get("attempt")
        known = next((one for one in self.offered if one == provider), None)
        if known in (None, FARCASTER) or not isinstance(attempt, str) or not _ATTEMPT.fullmatch(attempt):
            count_ignored("malformed")
            return
        self._end()
        left = begun.get("left") is True and bool(self.back)
        self._put(provider=known, attempt=attempt, left=left, blocked=begun.get("opened") is not True and not left)
        # Of a page that is about to go nothing is asked: each result is given once, and nobody would be there to take it.
        if not left:
            await self._await()
            self._ask("CONNECT_SOCIAL", {"attempt": attempt})
        elif begun.get("error") is not None:
            self._put(left=False, error=read_frame_error(begun["error"]).message)
        await self._publish(events.social_login_started)
        (await self.get_state(ShellState))._push(VIEW, provider=known)

    async def _begin_farcaster(self) -> None:
        """Asks for a link for Farcaster's app; with a login on its way, for a fresh one."""
        if FARCASTER not in self.offered or self.get_value("question"):
            return
        self._end()
        self._put(provider=FARCASTER)
        await self._await()
        self._ask("GET_FARCASTER_URI")
        await self._publish(events.social_login_started)
        (await self.get_state(ShellState))._push(FARCASTER_VIEW)

    async def _resume(self, login: Mapping[str, Any]) -> None:
        """Goes back to a login; one that was begun before its page was loaded anew is waited for again."""
        provider, attempt, link = login["provider"], login["attempt"], login["link"]
        if not self.get_value("question"):
            self._put(provider=provider, attempt=attempt, link=link, resumed=True)
            if provider != FARCASTER:
                self._ask("CONNECT_SOCIAL", {"attempt": attempt})
            elif link:
                self._ask("CONNECT_FARCASTER", {"attempt": attempt})
            else:
                self._ask("GET_FARCASTER_URI")
        shell = await self.get_state(ShellState)
        if provider == FARCASTER:
            shell._push(FARCASTER_VIEW)
        else:
            shell._push(VIEW, provider=provider)

    async def _publish(self, event: Any) -> None:
        await (await self.get_state(BridgeState))._publish(event(provider=self.provider))

    @rx.event
    async def begin(self, begun: dict[str, Any]) -> None:
        """Goes on with a login that the browser has begun: the button of a provider."""
        fields = begun if isinstance(begun, dict) else {}
        if (await self.get_state(EmbedState))._ready:
            await self._begin(fields)
            await (await self.get_state(ShellState))._save_record()
        else:
            kept = {name: fields.get(name) for name in ("provider", "attempt", "opened", "left", "error")}
            await (await self.get_state(BridgeState))._queue_early("social.begin", kept)

    @rx.event
    async def begin_farcaster(self) -> None:
        """Begins a login with Farcaster: its button, and another try."""
        if (await self.get_state(EmbedState))._ready:
            await self._begin_farcaster()
            await (await self.get_state(ShellState))._save_record()
        else:
            await (await self.get_state(BridgeState))._queue_early("social.begin", {"provider": FARCASTER})

    @rx.event
    async def on_copied(self, copied: bool) -> None:
        """Tells the visitor whether the link was copied."""
        (await self.get_state(ToastState))._show_copied(copied, LINK_COPIED)

    @rx.event
    async def on_answer(self, payload: dict[str, Any]) -> None:
        """Goes on with how the secure site says that the login has ended."""
        answer = self._take_answer(payload)
        if answer is None:
            return
        if answer.ok and answer.kind == RETURN:
            self._on_return(answer.value)
            await (await self.get_state(ShellState))._save_record()
            return
        login = read_farcaster_login(answer.value) if answer.kind == "GET_FARCASTER_URI" else None
        if answer.ok and login is not None:
            self._put(attempt=login.attempt, link=login.link)
            await self._await()
            self._ask("CONNECT_FARCASTER", {"attempt": login.attempt})
        elif answer.ok and answer.kind != "GET_FARCASTER_URI":
            self._awaited = {}
            await self._publish(events.social_login_request_user_data)
            embedded = await self.get_state(EmbeddedState)
            embedded._way = next((one for one in get_args(Social) if one == self.provider), "email")
            await embedded._connect()
        else:
            failure = answer.failure
            message = LOST if self.resumed and failure.reason == _ELSEWHERE else failure.message
            self._put(error=CODE_EXPIRED if failure.reason == OVER and self.link else message, link="")
            self._awaited = {}
            await self._publish(events.social_login_error)
        await (await self.get_state(ShellState))._save_record()

    def _on_return(self, value: object) -> None:
        found = read_social_return(value)
        known = next((one for one in self.offered if found and one == found[1]), None)
        if found is None or known is None:
            self._put(error=LOGIN_LOST)
        else:
            self._put(attempt=found[0], provider=known)
            self._ask("CONNECT_SOCIAL", {"attempt": found[0]})


async def on_early_begin(state: rx.State, begun: Any) -> Followups:
    """Goes on with a login that was begun before a new server knew its page."""
    social = await state.get_state(SocialState)
    if begun.get("provider") == FARCASTER:
        await social._begin_farcaster()
    else:
        await social._begin(begun)
    return []


async def sync_social(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Updates what is offered. A card in the page's flow is never opened: there a login is gone on with at once."""
    await _update_offer(state)
    return await resume_social(state) if (await state.get_state(EmbedState)).embedded else []


async def return_from_provider(state: rx.State, snapshot: Snapshot, _changes: Changes) -> Followups:
    """Goes on with a login for which the host page was left, now that it is back."""
    interrupted, social = snapshot.storage.interrupted, await state.get_state(SocialState)
    if interrupted is None or interrupted.connector != AUTH_ID or not snapshot.settled:
        return []
    embed, shell = await state.get_state(EmbedState), await state.get_state(ShellState)
    told = next((value for name, value in parse_qsl(urlsplit(embed._url).query) if name == "result_uri"), "")
    done, _, provider = told.rpartition("/")
    known = next((one for one in social.offered if one == provider), None)
    if social._returned == snapshot.epoch or not social.back or known is None or done != f"{social.site}/oauth/done":
        return []
    social._returned = snapshot.epoch
    if (await state.get_state(BridgeState))._connections.by_connector(AUTH_ID):
        return []
    social._end()
    social._put(provider=known)
    social._ask(RETURN)
    if not await shell._is_visible():
        await shell._open("Connect")
    shell._push(VIEW, provider=known)
    return []


def _back(url: str) -> str:
    """The host page without what a login before has added, and without its fragment, in which Telegram tells who the visitor is."""
    parts = urlsplit(url)
    kept = "&".join(part for part in parts.query.split("&") if part and not part.startswith("result_uri="))
    address = urlunsplit(parts._replace(query=kept, fragment=""))
    return address if len(address) <= _MAX_BACK else f"{parts.scheme}://{parts.netloc}/"


async def filter_social(state: rx.State, _namespace: Namespace | None) -> None:
    """Offers logins where they serve the namespace that the modal is about."""
    await _update_offer(state)


async def _update_offer(state: rx.State) -> None:
    social, embed = await state.get_state(SocialState), await state.get_state(EmbedState)
    secure, wanted = (
        (await state.get_state(EmbeddedState)).get_value("secure"),
        (await state.get_state(WalletsState))._filter,
    )
    offered: tuple[Social, ...] = ()
    if secure and secure["url"] and wanted in ("", *secure["chains"]):
        system = _SYSTEMS.get(embed._system, "other")
        served = frozenset(settings().secure_socials)
        hosts = socials_offered(embed._options.features.socials, telegram=embed._telegram, system=system)
        offered = tuple(one for one in hosts if one in served)
        parts = urlsplit(secure["url"])
        social._put(site=f"{parts.scheme}://{parts.netloc}" if secure["protocol"] == "walletmodal" else "")
    social._put(back=_back(embed._url) if embed._telegram and social.site else "")
    buttons = social_buttons(offered)
    social._put(offered=list(offered), logos=list(buttons.logos), phone=embed._mobile and bool(offered))


async def check_view(state: rx.State, _extent: Extent) -> None:
    """Ends a login whose view the visitor has left; accounts that are asked for already still come."""
    social = await get_substate(state, SocialState)
    if not (social.attempt or social.error or social.get_value("question")):
        return
    shell = await get_substate(state, ShellState)
    if shell.view in SOCIAL_VIEWS and await shell._is_visible():
        return
    if social.get_value("question"):
        await social._publish(events.social_login_canceled)
    social._end()
    embedded = await get_substate(state, EmbeddedState)
    if embedded.phase == "failed":
        # The view below may be about another login.
        embedded._put(phase="idle", error="")


async def resume_social(state: rx.State) -> Followups:
    """Goes on with a login that may still end well, where its page was loaded anew meanwhile."""
    social, shell = await state.get_state(SocialState), await state.get_state(ShellState)
    login = social.get_value("_awaited")
    if not login or shell.connected or shell.view != "Connect" or login["provider"] not in social.offered:
        return []
    waited = deployment().clock.now().timestamp() - login["since"]
    if login["on"] == (await state.get_state(EmbedState))._origin and 0 <= waited < ATTEMPT_SECONDS:
        await social._resume(login)
    return []


async def reset_social(state: rx.State) -> None:
    """Clears what the page before has begun, but for what may still come of it."""
    social = await state.get_state(SocialState)
    awaited = social.get_value("_awaited")
    social._end()
    social._awaited = awaited


KEPT: Final = ("provider", "attempt", "blocked", "resumed", "error", "link", "left")


async def to_record(state: rx.State) -> dict[str, Any] | None:
    """Returns the part of the resume record; None where no login is on its way."""
    social = await get_substate(state, SocialState)
    question = social.get_value("question")
    awaited = social.get_value("_awaited")
    if not (question or awaited or social.attempt or social.error):
        return None
    part = {name: social.get_value(name) for name in KEPT}
    return {**part, "question": question or None, "awaited": awaited or None}


async def restore(state: rx.State, part: Mapping[str, Any]) -> None:
    """Restores what `to_record` returned."""
    social = await state.get_state(SocialState)
    kept = {name: part[name] for name in KEPT} | {"error": recalled(part["error"])}
    social._put(**kept, question=part["question"] or {})
    social._awaited = part["awaited"] or {}
