"""Every event that a client can send, with every payload that it should not: nothing is believed, nothing breaks.

The handlers are read from the classes, so one that is added is tried without anyone thinking of it.
"""

from __future__ import annotations

import inspect
import json
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest
from reflex.state import BaseState, State

from tests.driver import ADDRESS, OTHER, Driver, session
from walletmodal import features
from walletmodal.features.account.state import Eip155State
from walletmodal.features.analytics.state import AnalyticsState
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState

# Where sessions live makes no difference to what never reaches a handler or a variable.
wherever = pytest.mark.parametrize("manager", ["memory"], indirect=True)

HANDLERS = {
    "AlertState": {"close", "tell_raised"},
    "ActivityState": {"load", "more", "on_shown", "open_list", "refresh", "retry"},
    "AllWalletsState": {"load", "more", "on_shown", "retry", "set_search", "toggle_certified"},
    AnalyticsState.__name__: set(),
    "ApproveState": {
        "approve",
        "choose_fee",
        "find_fees",
        "leave",
        "load",
        "on_shown",
        "price_fee",
        "reject",
        "run_trial",
        "show_all",
    },
    "ActiveState": {"choose_tab", "disconnect", "on_copied"},
    "AccountTypeState": {
        *("add_owner", "add_passkey", "end", "load", "load_owners", "load_passkeys", "remove_owner", "retry"),
        *("sign_by", "switch", "type_owner"),
    },
    "AddressesState": {"choose", "choose_kind", "load_kinds", "load_values", "open_list", "open_profile", "refresh"},
    "Bip122State": {"load_identity", "refresh_balance"},
    "BridgeState": {"resync", "on_call", "on_connect", "on_init", "on_reply", "on_request", "on_snapshot"},
    "BuyState": {"answer_widget", "buy_token", "load", "on_opened", "on_shown", "open_explanation", "open_providers"},
    "ChoiceState": {"fetch_wallet", "open_all_wallets", "select"},
    "ConnectState": {"choose", "retry"},
    "CurrencyState": {"choose_currency", "choose_token", "load", "on_shown"},
    "Eip155State": {"load_identity", "refresh_balance"},
    "EmailUpdateState": {"begin_again", "on_answer", "on_primary", "on_secondary", "save"},
    "EmbeddedState": {
        "begin_passkey",
        "find_ways",
        "on_answer",
        "on_code",
        "on_focused",
        "recover",
        "resend",
        "retry",
        "submit",
    },
    "SocialState": {"begin", "begin_farcaster", "on_answer", "on_copied"},
    "EmbedState": set(),
    "LegalState": {"agree"},
    "MethodsState": set(),
    "NamesState": {
        "cancel",
        "choose",
        "finish",
        "look",
        "look_soon",
        "on_shown",
        "open_form",
        "register",
        "retry",
        "submit",
        "type_name",
    },
    "NetworksState": {"choose", "connect_other", "disconnect", "open_list", "retry", "set_search"},
    "NftsState": {"choose", "load", "load_chosen", "more", "on_copied", "on_shown", "refresh", "retry", "retry_chosen"},
    "PairedProofState": {"prove"},
    "PairedSignInState": set(),
    "RecoveryState": {"change", "load", "on_answer"},
    "ExportState": {"begin", "on_answer", "open_view"},
    "AccountDataState": {"ask", "on_answer"},
    "DevicesState": {"load", "on_answer", "release", "remember", "remove"},
    "LostWalletState": {"delete", "on_answer"},
    "PasskeysState": {"add", "load", "on_answer", "remove", "skip"},
    "OperationsState": {"prepare", "tell"},
    "PairingState": {
        "get_wallet",
        "on_copied",
        "on_link_failed",
        "on_link_opened",
        "open_all_wallets",
        "retry",
        "select_pane",
    },
    "PendingState": {"on_copied", "poll"},
    "PickState": {"choose", "load", "on_shown", "open_list", "set_search"},
    "PolkadotState": {"load_identity", "refresh_balance"},
    "PurchaseState": {"on_copied", "open_progress", "poll", "try_again"},
    "PurchasesState": {"load", "on_shown", "retry", "show_more"},
    "RequestsState": set(),
    "ResumeState": {"restore"},
    "ReviewState": {
        "accept",
        "cancel",
        "check",
        "choose_speed",
        "confirm",
        "on_shown",
        "open",
        "pay_fee",
        "prepare",
        "retry",
        "stop_waiting",
    },
    "SwapPickState": {"choose", "load", "on_shown", "open_list", "set_search"},
    "SwapPreviewState": {
        "accept",
        "cancel",
        "check",
        "confirm",
        "on_shown",
        "open",
        "pay_fee",
        "prepare",
        "refresh",
        "retry",
        "stop_waiting",
    },
    "SwapState": {
        "choose_slippage",
        "load",
        "load_quote",
        "on_shown",
        "open_form",
        "refresh",
        "retry",
        "switch_sides",
        "type_amount",
        "type_slippage",
        "use_max",
    },
    "SafeOperationsState": {"prepare"},
    "SendState": {"load", "on_shown", "open_form", "paste", "resolve_name", "type_amount", "type_receiver", "use_max"},
    "CallsStatusState": {"load", "show"},
    "PermissionsState": {"choose_tab", "load", "open_account", "revoke", "revoke_all"},
    "ShellState": {"back", "close", "push"},
    "SignInState": {"cancel", "check_session", "prove", "redeem", "sign"},
    "SignInsState": {"end", "end_all", "load", "open_list", "sign_in"},
    "SolanaState": {"load_identity", "refresh_balance"},
    "TokensState": {"refresh_all"},
    "ToastState": {"on_dismissed"},
    "WalletsState": {"ask_directory", "get_wallet", "retry"},
    "InterruptedState": {"fetch_wallet"},
}
"""What a client may call. A method without an underscore is an open door: whoever adds one decides so here."""

FRAMEWORK = {"setvar"}
"""Given to every state by Reflex; it can only call a `set_…` that stands in the list above, and `set_is_hydrated`."""

NESTED: Any = []
for _ in range(60):
    NESTED = [NESTED]

HOSTILE: dict[str, Any] = {
    "null": None,
    "true": True,
    "zero": 0,
    "negative": -1,
    "huge number": 10**400,
    "fraction": 1.5,
    "not a number": float("nan"),
    "empty": "",
    "text": "evil",
    "dunder": "__class__",
    "markup": "<script>alert(1)</script>",
    "null byte": "\x00",
    "surrogate": "\ud800",
    "surrogate within": {"id": "x", "method": "open", "params": {"view": "\ud83d"}, "\udc00": ["\ud800"]},
    "surrogates of a request": {
        "id": "request",
        "namespace": "eip155",
        "method": "personal_sign",
        "params": ["\ud800", ADDRESS],
    },
    "surrogate for an id": {"id": "\ud800", "method": "disconnect", "params": {}},
    "long": "x" * 300_000,
    "list": [1, "2", None],
    "nested": NESTED,
    "empty object": {},
    "prototype": {"__proto__": {"ready": True}, "constructor": 1},
    "foreign init": {"epoch": "evil", "host": {"origin": "http://evil.example"}, "options": {}, "snapshot": {}},
    "call without id": {"method": "disconnect", "params": {}},
    "bad call": {"id": "call", "method": "disconnect", "params": "no"},
    "bad call id": {"id": "../..", "method": "disconnect", "params": {}},
    "bad request": {"id": "request", "namespace": "evil", "method": "personal_sign", "params": []},
    "reply to nothing": {"id": "nothing", "epoch": "page-1", "ok": True, "value": [OTHER], "error": None},
    "reply of lists": {"id": ["nothing"], "epoch": {}, "ok": "yes", "value": None, "error": []},
    "late snapshot": {"epoch": "page-1", "rev": 0, "settled": True, "wallets": [], "sessions": {}, "storage": {}},
    "foreign snapshot": {"epoch": "x", "rev": 99, "settled": True, "wallets": [], "sessions": {}, "storage": {}},
    "snapshot of nonsense": {
        "epoch": "page-1",
        "rev": 99,
        "settled": 1,
        "wallets": {},
        "sessions": [],
        "storage": None,
    },
}


def states(root: type[BaseState] = State) -> list[type[BaseState]]:
    """Every state class of the product, in the order of their names: processes that share a run must agree on it."""
    found = [root] if root.__module__.startswith("walletmodal.") else []
    substates = sorted(root.get_substates(), key=lambda cls: cls.__name__)
    return found + [cls for child in substates for cls in states(child)]


for _module in walk_packages(features.__path__, f"{features.__name__}."):
    import_module(_module.name)


def product_states() -> list[type[BaseState]]:
    """Those that visitors have; the gallery's only shows samples, where a deployment has switched it on."""
    return [cls for cls in states() if ".gallery." not in cls.__module__]


def parameters(cls: type[BaseState], name: str) -> list[str]:
    """What a handler takes beside its state."""
    return list(inspect.signature(cls.event_handlers[name].fn).parameters)[1:]


CASES = [
    pytest.param(cls, name, id=f"{cls.__name__}.{name}")
    for cls in sorted(product_states(), key=lambda cls: cls.__name__)
    for name in sorted(set(cls.event_handlers) - FRAMEWORK)
    if parameters(cls, name)
]


async def facts(driver: Driver) -> dict[str, Any]:
    """What no forged event may change."""
    account, shell, networks = await driver.account(), await driver.state(ShellState), await driver.state(NetworksState)
    embed, bridge = await driver.state(EmbedState), await driver.state(BridgeState)
    return {
        "account": (account.status, account.address, account.caip_address, account.connector),
        "connected": shell.connected,
        "open": shell.open,
        "network": networks.active,
        "embed": (embed._ready, embed._origin),
        "epoch": bridge._epoch,
    }


def test_the_open_doors_are_the_ones_that_were_decided_on() -> None:
    found = {cls.__name__: set(cls.event_handlers) - FRAMEWORK for cls in product_states()}
    assert found == HANDLERS, "decide in HANDLERS what a client may call; what it may not begins with an underscore"


async def _forge_everything(driver: Driver, cls: type[BaseState], name: str) -> None:
    await driver.connect()
    before = await facts(driver)
    for label, value in HOSTILE.items():
        raised = await driver.forge(f"{cls.get_full_name()}.{name}", dict.fromkeys(parameters(cls, name), value))
        assert (label, raised, await facts(driver)) == (label, [], before)
        # As Reflex sends it: what cannot be written would end the visitor's every update.
        assert json.dumps(driver.deltas, ensure_ascii=False, default=str).encode(), label
        driver.deltas.clear()


@wherever
@pytest.mark.parametrize(("cls", "name"), CASES)
async def test_a_forged_event_changes_nothing_and_breaks_nothing(
    driver: Driver, cls: type[BaseState], name: str
) -> None:
    await _forge_everything(driver, cls, name)


@pytest.mark.parametrize("manager", ["redis"], indirect=True)
@pytest.mark.parametrize("name", [name for name in sorted(HANDLERS["BridgeState"]) if parameters(BridgeState, name)])
async def test_what_the_bridge_keeps_of_a_forged_event_breaks_no_store(driver: Driver, name: str) -> None:
    await _forge_everything(driver, BridgeState, name)


@wherever
@pytest.mark.parametrize(
    "cls", [cls for cls in product_states() if HANDLERS[cls.__name__]], ids=lambda cls: cls.__name__
)
async def test_arguments_that_a_handler_does_not_have_never_reach_it(driver: Driver, cls: type[BaseState]) -> None:
    await driver.connect()
    before = await facts(driver)
    for name in sorted(HANDLERS[cls.__name__]):
        for payload in ({"more": 1}, {"self": 1}, {"payload": 1, "more": 2}):
            raised = await driver.forge(f"{cls.get_full_name()}.{name}", payload)
            told = name, payload, [type(error) for error in raised], await facts(driver)
            assert told == (name, payload, [TypeError], before)


@wherever
@pytest.mark.parametrize("var", ["open", "_command", "commands", "address", "ready", "_epoch", "connected"])
@pytest.mark.parametrize("cls", [BridgeState, Eip155State, EmbedState, ShellState])
async def test_no_variable_can_be_set_from_outside(driver: Driver, cls: type[BaseState], var: str) -> None:
    await driver.connect()
    before = await facts(driver)
    await driver.forge(f"{cls.get_full_name()}.setvar", {"var_name": var, "value": "evil"})
    assert await facts(driver) == before


@wherever
@pytest.mark.parametrize("cls", product_states(), ids=lambda cls: cls.__name__)
async def test_no_variable_that_a_state_has_can_be_set_from_outside(driver: Driver, cls: type[BaseState]) -> None:
    await driver.connect()
    names = sorted({*cls.vars, *cls.get_fields()} - {"search", "is_hydrated"})
    before = {name: repr(getattr(await driver.state(cls), name)) for name in names}
    for name in names:
        raised = await driver.forge(f"{cls.get_full_name()}.setvar", {"var_name": name, "value": "evil"})
        assert [type(error) for error in raised] == [AttributeError]
    assert {name: repr(getattr(await driver.state(cls), name)) for name in names} == before


def test_setvar_finds_no_setter_but_the_search_and_the_frameworks_own() -> None:
    found = {name for cls in product_states() for name in dir(cls) if name.startswith("set_")}
    assert found == {"set_search", "set_is_hydrated"}


async def test_storage_of_the_browser_fills_nothing_but_the_tabs_id(driver: Driver) -> None:
    await driver.connect()
    before = await facts(driver)
    update = "reflex___state____state.reflex___state____update_vars_internal_state.update_vars_internal"
    forged = {f"{ShellState.get_full_name()}.open": True, f"{Eip155State.get_full_name()}.address": OTHER}
    await driver.forge(update, {"vars": forged})
    assert await facts(driver) == before


async def test_an_honest_event_changes_what_a_forged_one_cannot(driver: Driver) -> None:
    await driver.connect()
    await driver.tell(sessions={"eip155": session(OTHER)})
    assert (await facts(driver))["account"][1] != ADDRESS
