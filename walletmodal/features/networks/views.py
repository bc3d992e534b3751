"""Choosing a network, and waiting for the wallet to switch to it."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.core.language import _
from walletmodal.features.networks.state import NetworkRow, NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import link
from walletmodal.ui.feedback import separator
from walletmodal.ui.images import icon_box, network_image
from walletmodal.ui.inputs import search_bar
from walletmodal.ui.rows import network_row
from walletmodal.ui.styled import HEXAGON, styled
from walletmodal.ui.waiting import wallet_is_asked

_hexagons: Final = styled(HEXAGON)


def network_choice(row: rx.Var[NetworkRow]) -> rx.Component:
    """One network of a list that leads to it."""
    return network_row(
        row["name"],
        row["image"],
        active=row["id"] == NetworksState.active,
        barred=NetworksState.barred.contains(row["id"]),
        on_click=NetworksState.choose(row["id"]),
        data_testid="w3m-network-switch-" + row["name"],
        key=row["id"],
    )


def _none_found() -> rx.Component:
    return rx.el.div(
        icon_box(rx.icon("search-x", size=20), size="lg"),
        rx.el.p(_("No network has this name"), class_name="wm-heading"),
        class_name="wm-centered",
        data_pad="empty",
        role="status",
    )


@rx.memo
def networks_view() -> rx.Component:
    """Networks: search, list, and what a network is."""
    return rx.el.div(
        rx.el.div(
            search_bar(
                _("Search network"), value=NetworksState.search, on_change=NetworksState.set_search.debounce(100)
            ),
            class_name="wm-stack",
            data_part="search",
        ),
        rx.cond(
            NetworksState.found.length() > 0,
            rx.el.div(
                rx.el.div(rx.foreach(NetworksState.found, network_choice), class_name="wm-stack"),
                class_name="wm-scroll",
                data_height="list",
            ),
            _none_found(),
        ),
        separator(),
        rx.el.div(
            rx.el.p(_("Not every wallet works with all of these networks."), class_name="wm-text"),
            link(
                _("What is a network"),
                icon=rx.icon("circle-help", size=14, aria_hidden="true"),
                on_click=ShellState.push("WhatIsANetwork"),
            ),
            class_name="wm-centered",
            data_pad="note",
        ),
    )


@rx.memo
def switch_network_view() -> rx.Component:
    """SwitchNetwork: the wallet is asked to switch, or has not."""
    return _hexagons(
        wallet_is_asked(
            network_image(NetworksState.target_image, "lg", "hexagon"),
            title=_("Approve in wallet"),
            request=_("Accept the switch that your wallet shows you."),
            running=NetworksState.phase == "switching",
            failed=NetworksState.phase == "error",
            failure=rx.cond(NetworksState.declined, _("Switch declined"), _("Switch failed")),
            error=NetworksState.error,
            on_retry=NetworksState.retry,
            shape="hexagon",
        )
    )
