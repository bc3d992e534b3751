"""Views, tabs, rows and actions of a team's own, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import reflex as rx

from tests.cases import every_case
from walletmodal import views
from walletmodal.core.protocol.options import Features
from walletmodal.core.protocol.views import VIEWS, title
from walletmodal.features.account.offers import offered_actions, offered_tabs
from walletmodal.features.account_views.parts import actions
from walletmodal.features.connect.views import connect_view
from walletmodal.features.modal.drawn import body_of, own_views
from walletmodal.features.modal.later_views import LATER_VIEWS
from walletmodal.features.modal.views import FIRST_VIEWS
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.own_parts import Own, OwnViewsError, sentence

HERE = "test_registration.py"


def points() -> rx.Component:
    shown: rx.Component = rx.el.p("points")
    return shown


def raising() -> rx.Component:
    raise LookupError("no points")


def drawn(build: Callable[[], rx.Component]) -> str:
    """What a memo's body compiles to, built anew."""
    return str(build.__wrapped__().render())  # type: ignore[attr-defined]  # as Reflex does not type it


def body(name: str) -> rx.Component:
    shown: rx.Component = body_of(name, {**FIRST_VIEWS, **LATER_VIEWS, **own_views(needs_account=True)})
    return shown


def mistakes(own: Own) -> str:
    with pytest.raises(OwnViewsError) as raised:
        own.check()
    return str(raised.value)


def test_a_view_is_in_the_router_with_its_title_and_what_it_needs() -> None:
    views.add("Loyalty", title="Points", stays=True)(points)
    assert (title("Loyalty"), VIEWS["Loyalty"].needs_account, VIEWS["Loyalty"].stays) == ("Points", True, True)


def test_a_view_comes_in_a_script_of_its_own() -> None:
    views.add("Loyalty")(points)
    scripts = str(body("Loyalty")._get_all_dynamic_imports())
    assert "import('$/app_components/walletmodal/own/Loyalty')" in scripts


def test_a_replaced_view_stands_in_the_script_of_its_own_with_ours_behind_it() -> None:
    views.replace("WalletSend")(points)
    assert "app_components/walletmodal/own/WalletSend_whole'" in str(body("WalletSend")._get_all_dynamic_imports())


def test_without_own_views_the_body_is_as_it_was(own: Own) -> None:
    assert own == Own()
    assert "walletmodal/own" not in str(body("Connect")._get_all_dynamic_imports())


@every_case(
    ("register", "told"),
    [
        (lambda: views.replace("WaletSend")(points), "walletmodal has no view 'WaletSend'; did you mean 'WalletSend'?"),
        (lambda: views.before("Acount")(points), "there is no view 'Acount'; did you mean 'Account'?"),
        (lambda: views.after("Account", "tab")(points), "Account has no place 'tab'; did you mean 'tabs'?"),
        (lambda: views.after("Networks", "tabs")(points), "Networks has no place 'tabs'; there are content"),
        (lambda: views.add("Account")(points), "Account is a view of walletmodal; views.replace('Account') replaces"),
        (lambda: views.add("my view")(points), "'my view' is no name for a view"),
        (lambda: views.tab("NFTs")(points), "NFTs is a tab of walletmodal"),
        (lambda: views.tab("Points", namespaces=("eip15",))(points), "no namespace 'eip15'; did you mean 'eip155'?"),  # type: ignore[arg-type]  # the mistake
        (lambda: views.action("send", "Send", icon="send", on_click=None), "send is an action of walletmodal"),
        (lambda: views.on("conected", None), "there is no event 'conected'; did you mean 'connected'?"),  # type: ignore[arg-type]  # the mistake
        (lambda: views.opens("Loyalti"), "there is no view 'Loyalti'"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_the_nearest_name(
    own: Own, register: Callable[[], object], told: str
) -> None:
    register()
    assert told in mistakes(own)
    assert HERE in mistakes(own)


def test_all_mistakes_are_told_at_once(own: Own) -> None:
    views.before("Acount")(points)
    views.replace("WaletSend")(points)
    assert mistakes(own).count("\n") == 1


def test_two_views_of_one_name_are_told_with_both_places(own: Own) -> None:
    views.add("Loyalty")(points)
    views.add("Loyalty")(raising)
    assert mistakes(own).count(HERE) == 2


def test_a_module_that_is_imported_anew_adds_nothing_twice(own: Own) -> None:
    for _ in range(2):
        views.add("Loyalty")(points)
        views.before("Account")(points)
        views.connect_row("Acme", icon="id-card", on_click=None)
    own.check()
    assert {place: len(parts) for place, parts in own.around.items()} == {
        ("Account", "content", "before"): 1,
        ("Connect", "methods", "after"): 1,
    }


def test_a_view_that_is_added_later_may_be_led_to_before(own: Own) -> None:
    views.opens("Loyalty")
    views.add("Loyalty")(points)
    own.check()


def test_a_row_of_connect_leads_where_it_says() -> None:
    views.add("Acme", needs_account=False)(points)
    views.connect_row("Continue with Acme", icon="id-card", on_click=views.opens("Acme"))
    views.connect_row("Another", icon="star", on_click=ShellState.close)
    assert drawn(connect_view).count("OwnPart") == 2


def test_a_row_of_connect_is_told_of_by_the_place_of_its_call(own: Own) -> None:
    views.connect_row("Acme", icon="id-card", on_click=None)
    assert [Path(part.source.partition(":")[0]).name for part in own.parts] == [HERE]


def test_a_tab_and_an_action_stand_behind_ours() -> None:
    views.tab("Points", namespaces=("eip155",))(points)
    views.action("points", "Points", icon="gift", on_click=ShellState.back)
    assert offered_tabs(Features(), "eip155")[-2:] == ["Activity", "Points"]
    assert "Points" not in offered_tabs(Features(), "solana")
    assert offered_actions(Features(), "eip155")[-1] == "points"
    assert actions()["points"].label == "Points"


def test_what_raises_is_told_with_the_line_and_stays_in_its_place(own: Own) -> None:
    views.before("Connect", "guide")(raising)
    shown = drawn(connect_view)
    line = raising.__code__.co_firstlineno + 1
    assert own.failures == [f"tests/views/{HERE}:{line}: before Connect, guide raised LookupError: no points"]
    assert ("RaisedPart" in shown, f"{HERE}:{line}" in shown, "w3m-connect-scroll-view" in shown) == (True, True, True)


def test_visitors_get_ours_in_the_place_of_a_view_that_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("walletmodal.ui.own_parts.is_development", lambda: False)
    views.replace("Connect")(raising)
    component = body("Connect")
    assert "Connect_own" not in str(component._get_all_dynamic_imports())


def test_visitors_are_not_told_where_a_part_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("walletmodal.ui.own_parts.is_development", lambda: False)
    views.before("Connect", "guide")(raising)
    shown = drawn(connect_view)
    assert ("RaisedPart" in shown, "LookupError" in shown, HERE in shown) == (True, False, False)


def test_what_draws_nothing_is_told(own: Own) -> None:
    views.before("Connect", "guide")(lambda: "points")  # type: ignore[arg-type, return-value]  # the mistake
    assert "RaisedPart" in drawn(connect_view)
    assert own.failures[0].endswith("TypeError: it returned str, not a component")


def test_a_selector_that_does_not_exist_names_the_nearest() -> None:
    with pytest.raises(AttributeError, match="AccountVars has no 'adress'; did you mean 'address'"):
        views.account.adress  # noqa: B018 - it raises


@every_case("vars_", [views.account, views.network, views.transfer])
def test_every_selector_is_a_variable(vars_: object) -> None:
    names = [name for name in dir(type(vars_)) if not name.startswith("_")]
    assert names
    assert [name for name in names if not isinstance(getattr(vars_, name), rx.Var)] == []


@every_case(
    ("asked", "told"),
    [
        ("from walletmodal.ui import buton", "ImportError: walletmodal.ui has no 'buton'; did you mean 'button'?"),
        (
            "import walletmodal.ui as ui; ui.buton",
            "AttributeError: walletmodal.ui has no 'buton'; did you mean 'button'?",
        ),
        ("import walletmodal.gone", "ModuleNotFoundError: No module named 'walletmodal.gone'"),
        ("import json; json.lods", "AttributeError: module 'json' has no attribute 'lods'"),
        ("None.buton", "AttributeError: 'NoneType' object has no attribute 'buton'"),
    ],
)
def test_a_name_that_the_product_does_not_have_is_told_with_the_nearest(asked: str, told: str) -> None:
    with pytest.raises((ImportError, AttributeError)) as raised:
        exec(asked, {})
    assert sentence(raised.value) == told
