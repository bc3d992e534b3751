"""Every public handler of every state, called by a stranger with garbage: ignored and counted, the server lives on."""

import importlib
import json
import pkgutil
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
import reflex as rx
from reflex.state import BaseState
from websockets.exceptions import ConnectionClosed

import walletmodal.features
from tests.browser.forger import Forger
from tests.browser.polling import until
from tests.browser.stack import Stack
from tests.browser.visits import Visit
from walletmodal.features.bridge.state import BridgeState

DOORS = {f"{BridgeState.get_full_name()}.on_{name}" for name in ("init", "snapshot", "reply", "call", "request")}
"""Where a page's messages come in; each counts what it does not believe."""
ATTACKER = "0x000000000000000000000000000000000000dEaD"

GARBAGE: dict[str, Any] = {
    "no payload": {},
    "payload that is no mapping": [],
    "numbers": 7,
    "wrong names": {"x": 1, "__class__": "y"},
    "deep nesting": json.loads("[" * 200 + "]" * 200),
    "long text": "x" * 100_000,
    "a forged reply": {
        "id": "never",
        "epoch": "f" * 32,
        "ok": True,
        "value": {"accounts": [ATTACKER], "chain": "1"},
        "error": None,
    },
    "a forged session": {
        "epoch": "f" * 32,
        "rev": 1,
        "sessions": {"eip155": {"connector": "x", "accounts": [ATTACKER], "chain": "1"}},
    },
}

ALSO_QUICK = {"no payload", "deep nesting", "long text", "a forged session"}
"""The states' own tests (tests/features/test_forged_events.py) throw all of it, and more, without a socket."""


def public_handlers() -> dict[str, list[str]]:
    """Full name of each handler that a client can call → the names of its parameters."""
    for module in pkgutil.walk_packages(walletmodal.features.__path__, "walletmodal.features."):
        importlib.import_module(module.name)

    def below(state: type[BaseState]) -> list[type[BaseState]]:
        return [found for child in state.get_substates() for found in (child, *below(child))]

    found: dict[str, list[str]] = {}
    for state in below(rx.State):
        if not state.__module__.startswith("walletmodal."):
            continue
        for name, handler in state.event_handlers.items():
            if not name.startswith(("set_", "_")) or name == "set_search":
                parameters = handler.fn.__code__.co_varnames[1 : handler.fn.__code__.co_argcount]
                found[f"{state.get_full_name()}.{name}"] = list(parameters)
    return found


def throw_at_all(forger: Forger, garbage: Any) -> None:
    for name, parameters in public_handlers().items():
        forger.fire(name, dict.fromkeys(parameters, garbage) if parameters else {})


def health(stack: Stack) -> bool:
    return stack.modal.is_healthy()


def workers(stack: Stack) -> set[int]:
    return {worker.pid for worker in stack.modal.workers()}


@dataclass(frozen=True)
class Thrown:
    """What came of garbage thrown at every handler.

    Attributes:
        said: all that the server answered.
        before: its workers before, and `after` once it was healthy again.
    """

    said: str
    before: set[int]
    after: set[int]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(value, id=label, marks=[] if label in ALSO_QUICK else pytest.mark.slow)
        for label, value in GARBAGE.items()
    ],
)
def thrown(request: pytest.FixtureRequest, stack: Stack) -> Thrown:
    """A stranger has thrown garbage at every handler."""
    before = workers(stack)
    with Forger(stack.modal.url) as forger:
        throw_at_all(forger, request.param)
        forger.expect_answer()
        until(lambda: health(stack), what="a healthy server")
        said = forger.heard()
    return Thrown(said, before, workers(stack))


def test_garbage_connects_nobody(thrown: Thrown) -> None:
    assert ATTACKER.lower() not in thrown.said.lower()


def test_garbage_leaves_the_server_alive(thrown: Thrown) -> None:
    assert thrown.after == thrown.before


def test_garbage_is_counted(stack: Stack) -> None:
    before = stack.modal.ignored()
    with Forger(stack.modal.url) as forger:
        throw_at_all(forger, GARBAGE["numbers"])
        forger.expect_answer()
    until(lambda: stack.modal.ignored() >= before + len(DOORS), what="a higher count in /metrics")


@pytest.mark.parametrize("data", [None, 7, "x", "{", [], {}, {"name": 7}, {"name": "a.b.c", "payload": {}}], ids=repr)
def test_what_is_no_event_leaves_the_server_alive(stack: Stack, data: Any) -> None:
    with Forger(stack.modal.url) as forger:
        forger.emit(data)
        forger.expect_answer()
    until(lambda: health(stack), what="a healthy server")


def test_a_private_method_cannot_be_called(stack: Stack) -> None:
    with Forger(stack.modal.url) as forger:
        for state in sorted({name.rpartition(".")[0] for name in public_handlers()}):
            for private in (
                "_apply_init",
                "_open",
                "_issue",
                "_activate_namespace",
                "_on_connected",
                "setvar",
                "set_open",
                "set_connected",
            ):
                forger.fire(f"{state}.{private}", {})
        forger.expect_answer()
        until(lambda: health(stack), what="a healthy server")
        assert '"connected"' not in forger.heard().replace(" ", "")


def test_another_visitor_notices_nothing(connected: Visit, stack: Stack) -> None:
    with Forger(stack.modal.url) as forger:
        for garbage in ("a forged reply", "a forged session"):
            throw_at_all(forger, GARBAGE[garbage])
        forger.expect_answer()
    connected.modal.open_account()
    connected.modal.expect_connected(connected.account.address)


@pytest.mark.parametrize(
    "packet", ["", "9", "42", "42/_event,", "42/_event,[", "42/other,[]", "451-x", "4" * 100_000], ids=lambda p: p[:12]
)
def test_a_broken_packet_leaves_the_server_alive(stack: Stack, packet: str) -> None:
    with Forger(stack.modal.url) as forger:
        forger.send(packet)
        forger.heard()
    until(lambda: health(stack), what="a healthy server")


def test_an_event_of_a_hundred_megabytes_leaves_the_server_alive(stack: Stack) -> None:
    with Forger(stack.modal.url) as forger:
        with suppress(ConnectionClosed):
            forger.send("42/_event," + "x" * 100_000_000)
        forger.heard()
    until(lambda: health(stack), what="a healthy server")
