"""Choosing a network, and waiting for the wallet to switch to it."""

from __future__ import annotations

import reflex as rx

from walletmodal.features.networks.state import NetworkRow, NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import button, link
from walletmodal.ui.feedback import outlined, separator
from walletmodal.ui.images import icon_box, network_image
from walletmodal.ui.inputs import search_bar
from walletmodal.ui.rows import network_row


def network_choice(row: rx.Var[NetworkRow]) -> rx.Component:
    """One network of a list that leads to it."""
    return network_row(
        row["name"],
        row["image"],
        active=row["id"] == NetworksState.active,
        on_click=NetworksState.choose(row["id"]),
        data_testid="w3m-network-switch-" + row["name"],
        key=row["id"],
    )


def _none_found() -> rx.Component:
    return rx.el.div(
        icon_box(rx.icon("search-x", size=20), size="lg"),
        rx.el.p("No network has this name", class_name="wm-heading"),
        class_name="wm-centered",
        data_pad="empty",
        role="status",
    )


@rx.memo
def networks_view() -> rx.Component:
    """Networks: search, list, and what a network is."""
    return rx.el.div(
        rx.el.div(
            search_bar("Search network", value=NetworksState.search, on_change=NetworksState.set_search.debounce(100)),
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
            rx.el.p("Not every wallet works with all of these networks.", class_name="wm-text"),
            link(
                "What is a network",
                icon=rx.icon("circle-help", size=14, aria_hidden="true"),
                on_click=ShellState.push("WhatIsANetwork"),
            ),
            class_name="wm-centered",
            data_pad="note",
        ),
    )


def _asking() -> rx.Component:
    return rx.el.div(
        rx.el.p("Approve in wallet", class_name="wm-heading"),
        rx.el.div(
            rx.el.p("Accept the switch that your wallet shows you.", class_name="wm-text"),
            rx.el.p("Nothing there? Open it from the browser's toolbar.", class_name="wm-text"),
            class_name="wm-takes-turns",
        ),
        class_name="wm-words",
    )


def _declined() -> rx.Component:
    return rx.el.div(
        rx.el.p("Switch declined", class_name="wm-heading", data_tone="error"),
        rx.el.p(NetworksState.error, class_name="wm-text"),
        class_name="wm-words",
    )


@rx.memo
def switch_network_view() -> rx.Component:
    """SwitchNetwork: the wallet is asked to switch, or has not."""
    failed = NetworksState.phase == "error"
    return rx.el.div(
        outlined(
            network_image(NetworksState.target_image, "lg", "hexagon"),
            running=NetworksState.phase == "switching",
            failed=failed,
            shape="hexagon",
        ),
        rx.el.div(rx.cond(failed, _declined(), _asking()), role="status"),
        rx.cond(
            failed,
            button(
                "Try again",
                variant="accent",
                icon=rx.icon("refresh-cw", size=14, aria_hidden="true"),
                on_click=NetworksState.retry,
                data_testid="w3m-connecting-widget-secondary-button",
            ),
            rx.fragment(),
        ),
        class_name="wm-centered",
    )
