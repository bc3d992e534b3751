"""The kit renders what it promises. A misspelt property would silently become a style, so styles are looked for too."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import reflex as rx

from tests.cases import every_case
from walletmodal.components.copy_button import copy_button
from walletmodal.ui import buttons, feedback, images, inputs, rows, waiting

_TEXT = rx.Var.create("text")
_YES = rx.Var.create(value=True)
_NO = rx.Var.create(value=False)
_GLYPH = rx.icon("x")


def _html(component: rx.Component) -> str:
    return str(component)


PARTS: dict[str, Callable[[], rx.Component]] = {
    "button": lambda: buttons.button("Go", variant="accent", size="lg", icon=_GLYPH, wide=True, data_testid="go"),
    "button-loading": lambda: buttons.button("Go", loading=True),
    "button-link": lambda: buttons.button_link("Read", "https://example.com/"),
    "icon-button": lambda: buttons.icon_button(_GLYPH, "Close"),
    "link": lambda: buttons.link("More", icon=_GLYPH),
    "tag": lambda: feedback.tag("installed", "success"),
    "separator": lambda: feedback.separator("or"),
    "spinner": feedback.spinner,
    "outlined": lambda: feedback.outlined(images.wallet_image(_TEXT, "lg"), running=_YES, failed=_NO),
    "outlined-hexagon": lambda: feedback.outlined(
        images.network_image(_TEXT, "lg", "hexagon"), running=_NO, failed=_YES, shape="hexagon"
    ),
    "wallet-row": lambda: rows.wallet_row(_TEXT, _TEXT, end=feedback.tag("recent"), data_testid="row"),
    "network-row": lambda: rows.network_row(_TEXT, _TEXT, active=_YES),
    "list-item": lambda: rows.list_item("Send", _GLYPH, loading=_NO),
    "disconnect-item": lambda: rows.disconnect_item(loading=_NO, on_click=rx.Var("() => {}").to(rx.EventChain)),
    "wallet-is-asked": lambda: waiting.wallet_is_asked(
        images.wallet_image(_TEXT, "lg"),
        title=_TEXT,
        request="Say yes.",
        running=_YES,
        failed=_NO,
        failure="It failed",
        error=_TEXT,
        on_retry=rx.Var("() => {}").to(rx.EventChain),
    ),
    "icon-box": lambda: images.icon_box(_GLYPH, size="lg", tone="accent"),
    "visual": lambda: images.visual("key"),
    "text-input": lambda: inputs.text_input("Name"),
    "search-bar": lambda: inputs.search_bar(
        "Search network", value=_TEXT, on_change=rx.Var("() => {}").to(rx.EventChain)
    ),
    "copy-button": lambda: copy_button("Copy", text=_TEXT, title=_TEXT, class_name="wm-copy"),
}


@every_case("part", PARTS.values(), ids=PARTS.keys())
def test_no_property_became_a_style(part: Callable[[], rx.Component]) -> None:
    assert "css:" not in _html(part())


def test_a_loading_button_cannot_be_pressed() -> None:
    assert "disabled:true" in _html(buttons.button("Go", loading=True))


def test_an_icon_button_has_a_name() -> None:
    assert '"aria-label":"Close"' in _html(buttons.icon_button(_GLYPH, "Close"))


def test_a_link_out_learns_nothing_of_the_page_it_came_from() -> None:
    assert 'rel:"noopener noreferrer"' in _html(buttons.button_link("Read", "https://example.com/"))


def test_a_picture_from_a_wallet_is_an_img_without_referrer() -> None:
    found = _html(images.picture(_TEXT))
    assert '"img"' in found
    assert 'referrerPolicy:"no-referrer"' in found


@pytest.mark.parametrize(
    ("part", "test_id"),
    [
        ("text-input", "wui-input-text"),
        ("search-bar", "wui-input-text"),
        ("separator", "wui-separator"),
        ("list-item", "wui-list-item-loading-spinner"),
        ("disconnect-item", "disconnect-button"),
        ("wallet-is-asked", "w3m-connecting-widget-secondary-button"),
    ],
)
def test_a_part_has_the_test_id_that_hosts_know(part: str, test_id: str) -> None:
    assert f'"data-testid":"{test_id}"' in _html(PARTS[part]())


def test_a_skeleton_row_is_silent() -> None:
    assert '"aria-hidden":"true"' in _html(rows.row_skeleton("80px"))
