"""Receive, and the networks on which something may be received. A module of its own, because it is rarely seen."""

from __future__ import annotations

import reflex as rx

from walletmodal.components.copy_button import copy_button
from walletmodal.components.qr_code import qr_code
from walletmodal.core.language import _
from walletmodal.features.account.active import ActiveState, active_var
from walletmodal.features.account.state import Eip155State
from walletmodal.features.networks.state import NetworkRow, NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.feedback import separator
from walletmodal.ui.images import network_image
from walletmodal.ui.own_parts import around
from walletmodal.ui.previews import warning_item
from walletmodal.ui.rows import network_fact
from walletmodal.ui.styled import CHIP, WARNINGS, styled

_part = styled(rx.asset("receive.css", shared=True).importable_path, WARNINGS, CHIP)


def _of_this_namespace(row: rx.Var[NetworkRow]) -> rx.Var[bool]:
    return row["id"].startswith(ActiveState.namespace + ":")


def _address() -> rx.Component:
    return copy_button(
        network_image(NetworksState.active_image, "xs"),
        rx.el.span(active_var("short_address")),
        rx.icon("copy", size=14, aria_hidden="true"),
        rx.el.span(_("Copy the address"), class_name="wm-hidden"),
        text=active_var("address"),
        class_name="wm-chip",
        title=active_var("address"),
        data_testid="receive-address-copy-button",
        on_copied=ActiveState.on_copied,
    )


def _whole_address() -> rx.Component:
    """For those who compare it with what another screen shows."""
    return rx.el.p(active_var("address"), class_name="wm-whole-address", data_testid="receive-address", dir="ltr")


def _network_picture(row: rx.Var[NetworkRow]) -> rx.Component:
    return rx.cond(_of_this_namespace(row), network_image(row["image"], "xs"), rx.fragment())


def _networks_row() -> rx.Component:
    return rx.el.button(
        rx.el.span(_("Only receive on these networks"), class_name="wm-row-label", data_wraps="true"),
        rx.el.span(rx.foreach(NetworksState.rows, _network_picture), class_name="wm-overlapping", aria_hidden="true"),
        rx.icon("chevron-right", size=16, class_name="wm-row-chevron", aria_hidden="true"),
        type="button",
        class_name="wm-row",
        data_kind="item",
        on_click=ShellState.push("WalletCompatibleNetworks"),
        data_testid="receive-compatible-networks",
    )


def _of_smart_account() -> rx.Component:
    """A Safe is its owner's only where it can be made: money that comes to its address elsewhere may be out of reach."""
    barred = rx.el.div(
        rx.el.ul(
            warning_item(
                _(
                    "Do not send anything here on this network: your smart account cannot be used on it. "
                    "Switch to your EOA in the settings, or to another network."
                ),
                test_id="receive-barred",
            )
        ),
        class_name="wm-warnings",
    )
    only = rx.el.div(
        rx.el.span(_("Only receive on this network"), class_name="wm-row-label", data_wraps="true"),
        network_image(NetworksState.active_image, "xs"),
        class_name="wm-row",
        data_kind="item",
        data_plain="true",
        data_testid="receive-this-network",
    )
    return rx.cond(Eip155State.safe == "barred", barred, only)


@rx.memo
def wallet_receive_view() -> rx.Component:
    """WalletReceive: the address as a code, in full, and to copy."""
    return _part(
        rx.el.div(
            _address(),
            rx.el.div(
                qr_code(
                    uri=active_var("address"),
                    alt=_("QR code of the address {address}", address=active_var("address")),
                    arena_clear=True,
                    data_testid="wui-qr-code",
                ),
                class_name="wm-receive-code",
            ),
            *around("WalletReceive", "address", _whole_address()),
            rx.el.p(_("Scan the code or copy the address"), class_name="wm-heading"),
            class_name="wm-centered",
            data_pad="receive",
        ),
        rx.el.div(rx.cond(active_var("safe") != "", _of_smart_account(), _networks_row()), class_name="wm-stack"),
    )


def _network(row: rx.Var[NetworkRow]) -> rx.Component:
    return rx.cond(
        _of_this_namespace(row),
        network_fact(row["name"], row["image"], key=row["id"], data_testid="compatible-network-" + row["name"]),
        rx.fragment(),
    )


@rx.memo
def wallet_compatible_networks_view() -> rx.Component:
    """WalletCompatibleNetworks: where the address is the visitor's own."""
    return _part(
        rx.el.ul(
            rx.foreach(NetworksState.rows, _network),
            class_name="wm-stack wm-scroll",
            data_height="list",
            aria_label=_("Networks of this address"),
        ),
        separator(),
        rx.el.div(
            rx.el.p(_("What is sent to this address on any other network may be lost for good."), class_name="wm-text"),
            class_name="wm-centered",
            data_pad="note",
        ),
    )
