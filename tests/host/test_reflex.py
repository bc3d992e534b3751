"""States of a host's own Reflex application: who is signed in, and handlers that only such a visitor runs."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Generator
from typing import Any, ClassVar

import pytest
import pytest_asyncio
import reflex as rx
from reflex.istate.manager import StateManager

from tests.driver import Driver
from tests.host.modal_server import ModalServer, counts, host, revoked, token
from tests.host.test_tokens import ADDRESS, KEY, OTHER_KEY, SESSION
from walletmodal.core.clock import MovableClock
from walletmodal.core.sign_in.token_claims import TOKEN_LIFETIME
from walletmodal.host.admission import Refusal
from walletmodal.host.reflex import SignInMixin, ask_for_token, require_sign_in

ACCOUNT = f"eip155:1:{ADDRESS}"


class HostState(SignInMixin, rx.State):
    """Of the host's application."""

    done: list[str] = []
    sent_away: int = 0
    hold: ClassVar[bool] = False

    @rx.event
    @require_sign_in()
    def plain(self, item: str) -> None:
        self.done.append(f"plain {item}")

    @rx.event
    @require_sign_in()
    async def soon(self) -> Any:
        self.done.append("soon")
        return HostState.follow

    @rx.event
    def follow(self) -> None:
        self.done.append("follow")

    @rx.event
    @require_sign_in()
    def steps(self) -> Generator[Any, None, Any]:
        self.done.append("step 1")
        yield
        self.done.append("step 2")
        return HostState.follow

    @rx.event
    @require_sign_in()
    async def async_steps(self) -> Any:
        self.done.append("async step")
        yield HostState.follow

    @rx.event(background=True)
    @require_sign_in()
    async def behind(self) -> None:
        async with self:
            self.done.append("behind")

    @rx.event
    @require_sign_in(online=True)
    async def online(self) -> None:
        self.done.append("online")

    @rx.event
    @require_sign_in(nonce=lambda state: state.wanted)
    async def bound(self) -> None:
        self.done.append("bound")

    wanted: str = ""


class HostChild(HostState):
    """A state below it."""

    @rx.event
    @require_sign_in()
    async def below(self) -> None:
        self.done.append("below")


class HostSending(SignInMixin, rx.State):
    """A state with an answer of its own to visitors who are not signed in."""

    sent: list[str] = []

    @rx.event
    @require_sign_in()
    async def members(self) -> None:
        self.sent.append("members")

    def _refuse(self, refusal: Refusal) -> Any:
        super()._refuse(refusal)
        return HostSending.away

    @rx.event
    def away(self) -> None:
        self.sent.append(f"away {self.sign_in_problem}")


HANDLERS: dict[str, tuple[Any, list[str]]] = {
    "sync": (lambda: HostState.plain("x"), ["plain x"]),
    "async": (lambda: HostState.soon, ["soon", "follow"]),
    "steps": (lambda: HostState.steps, ["step 1", "step 2", "follow"]),
    "async steps": (lambda: HostState.async_steps, ["async step", "follow"]),
    "background": (lambda: HostState.behind, ["behind"]),
    "of a substate": (lambda: HostChild.below, ["below"]),
}


@pytest_asyncio.fixture
async def visitor(
    manager: StateManager, server: ModalServer, clock: MovableClock, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Driver]:
    for state in (HostState, HostSending):
        monkeypatch.setattr(state, "sign_in_modal", host(server, clock))
    visitor = Driver(manager)
    async with visitor.processor:
        yield visitor


@pytest.fixture
def given(server: ModalServer, clock: MovableClock) -> Callable[..., str]:
    def make(**claims: object) -> str:
        now = int(clock.now().timestamp())
        return token(server, KEY, clock, **{"exp": now + int(TOKEN_LIFETIME.total_seconds()), **claims})

    return make


async def done(visitor: Driver) -> list[str]:
    return list((await visitor.state(HostState)).done)


async def problem(visitor: Driver) -> tuple[str, str]:
    state = await visitor.state(HostState)
    return state.account, state.sign_in_problem


@pytest.mark.parametrize("name", HANDLERS)
async def test_a_handler_runs_for_whoever_is_signed_in(visitor: Driver, given: Callable[..., str], name: str) -> None:
    spec, what = HANDLERS[name]
    await visitor.fire(HostState.take_token(given()))
    await visitor.fire(spec())
    assert await done(visitor) == what


@pytest.mark.parametrize("name", HANDLERS)
async def test_a_handler_runs_for_nobody_else(visitor: Driver, name: str) -> None:
    await visitor.fire(HANDLERS[name][0]())
    assert await done(visitor) == []
    assert await problem(visitor) == ("", "sign_in_required")


async def test_a_token_tells_the_account(visitor: Driver, given: Callable[..., str]) -> None:
    await visitor.fire(HostState.take_token(given()))
    assert await problem(visitor) == (ACCOUNT, "")


@pytest.mark.parametrize(
    "payload",
    [
        {"token": "x.y.z"}, {"token": "x" * 100_000}, {"token": None}, {"token": 1}, {"token": {"sub": ACCOUNT}}, {"token": [ACCOUNT]},
        {"token": json.dumps({"sub": ACCOUNT})}, {"token": True},
    ],
)  # fmt: skip
async def test_nothing_but_a_token_signs_in(visitor: Driver, payload: dict[str, Any]) -> None:
    await visitor.forge(f"{HostState.get_full_name()}.take_token", payload)
    assert await problem(visitor) == ("", "invalid_token")


async def test_a_forged_token_signs_the_last_visitor_out(
    visitor: Driver, server: ModalServer, clock: MovableClock, given: Callable[..., str]
) -> None:
    await visitor.fire(HostState.take_token(given()))
    await visitor.fire(HostState.take_token(token(server, OTHER_KEY, clock)))
    assert await problem(visitor) == ("", "invalid_token")


def test_a_client_can_hand_in_a_token_or_sign_out_and_nothing_else() -> None:
    own = {"members", "away"}
    inherited = set(rx.State.event_handlers)
    assert set(HostSending.event_handlers) - inherited - own == {"take_token", "sign_out"}


async def test_who_is_signed_in_is_not_believed_longer_than_the_token(
    visitor: Driver,
    server: ModalServer,
    clock: MovableClock,
    given: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(HostState, "sign_in_modal", host(server, clock, api_key=None))
    await visitor.fire(HostState.take_token(given()))
    clock.advance(TOKEN_LIFETIME.total_seconds())
    await visitor.fire(HostState.soon)
    assert await done(visitor) == []
    assert await problem(visitor) == ("", "invalid_token")


@pytest.mark.parametrize("name", HANDLERS)
async def test_with_an_api_key_the_modal_is_asked_once_in_five_minutes(
    visitor: Driver, server: ModalServer, clock: MovableClock, given: Callable[..., str], name: str
) -> None:
    counts(server)
    await visitor.fire(HostState.take_token(given()))
    clock.advance(TOKEN_LIFETIME.total_seconds() + 1)
    spec, what = HANDLERS[name]
    await visitor.fire(spec())
    await visitor.fire(spec())
    assert await done(visitor) == what * 2
    assert [path for path, _ in server.asked].count(f"/v1/sessions/{SESSION.id}") == 1


async def test_online_sees_what_was_revoked_a_moment_ago(
    visitor: Driver, server: ModalServer, given: Callable[..., str]
) -> None:
    counts(server)
    await visitor.fire(HostState.take_token(given()))
    await visitor.fire(HostState.online)
    revoked(server)
    await visitor.fire(HostState.online)
    assert await done(visitor) == ["online"]
    assert await problem(visitor) == ("", "invalid_token")


async def test_while_the_modal_cannot_be_asked_a_visitor_stays_who_they_are(
    visitor: Driver, server: ModalServer, given: Callable[..., str]
) -> None:
    server.answers[f"/v1/sessions/{SESSION.id}"] = 500, {}
    await visitor.fire(HostState.take_token(given()))
    await visitor.fire(HostState.online)
    assert await done(visitor) == []
    assert await problem(visitor) == (ACCOUNT, "modal_unreachable")


@pytest.mark.parametrize(("wanted", "runs"), [("host-nonce", True), ("another1", False), ("", False)])
async def test_a_sign_in_is_bound_to_the_hosts_own_nonce(
    visitor: Driver, given: Callable[..., str], wanted: str, *, runs: bool
) -> None:
    async with visitor.changing(HostState) as state:
        state.wanted = wanted
    await visitor.fire(HostState.take_token(given()))
    await visitor.fire(HostState.bound)
    assert await done(visitor) == (["bound"] if runs else [])


@pytest.mark.parametrize("spec", [lambda: HostState.sign_out, lambda: HostState.take_token("")])
async def test_after_signing_out_nobody_is_signed_in(visitor: Driver, given: Callable[..., str], spec: Any) -> None:
    await visitor.fire(HostState.take_token(given()))
    await visitor.fire(spec())
    await visitor.fire(HostState.soon)
    assert await done(visitor) == []
    assert await problem(visitor) == ("", "sign_in_required")


async def test_a_host_says_what_happens_instead(visitor: Driver) -> None:
    await visitor.fire(HostSending.members)
    assert (await visitor.state(HostSending)).sent == ["away sign_in_required"]


async def test_a_browser_never_gets_the_session(visitor: Driver, given: Callable[..., str]) -> None:
    await visitor.fire(HostState.take_token(given()))
    assert SESSION.id not in json.dumps(visitor.deltas, default=str)


@pytest.mark.parametrize("name", ["modal", "window.modal", "shop.modal$1"])
def test_the_page_is_asked_for_its_token(name: str) -> None:
    assert f"{name}.getSession()" in str(ask_for_token(HostState.take_token, name).args)


@pytest.mark.parametrize("name", ["", "1", "a b", "modal;alert(1)", "modal()", "a.", ".a", "modal\n", "m\u00f6"])
def test_what_is_no_name_of_the_page_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="named"):
        ask_for_token(HostState.take_token, name)
