"""Devices: the list of the account's settings. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.components.embedded import secure_ask, secure_place
from walletmodal.components.language.sentence import sentence
from walletmodal.core.language import _, pgettext
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.devices import DeviceRow, DevicesState
from walletmodal.ui.buttons import button, link
from walletmodal.ui.images import icon_box
from walletmodal.ui.inputs import INPUTS
from walletmodal.ui.notes import list_unavailable
from walletmodal.ui.rows import list_item, owned_lines, row_skeleton
from walletmodal.ui.styled import ACCOUNT, styled

_part: Final = styled(ACCOUNT, INPUTS)


def _hold(row: rx.Var[DeviceRow]) -> rx.Component:
    """Until when its transfers wait, and what ends that."""
    release = link(
        _("Let this device move funds"),
        aria_label=_("Let this device move funds: {name}", name=row["name"]),
        on_click=DevicesState.release(row["id"]),
        data_testid="device-release",
    )
    return rx.el.div(
        rx.el.span(
            sentence(_("Transfers wait until {time}"), time=rx.el.span(row["held"], class_name="wm-device-held")),
            data_testid="device-held",
        ),
        rx.cond(row["releasable"], release, rx.fragment()),
        class_name="wm-device-hold",
    )


def _device(row: rx.Var[DeviceRow]) -> rx.Component:
    return rx.el.li(
        icon_box(rx.icon("monitor-smartphone", size=16, aria_hidden="true"), tone="accent"),
        owned_lines(row["name"], row["site"], row["seen"]),
        button(
            pgettext("button", "Remove"),
            variant="accent",
            aria_label=_("Remove the device {name}", name=row["name"]),
            on_click=DevicesState.remove(row["id"]),
            data_testid="device-remove",
        ),
        rx.cond(row["held"] != "", _hold(row), rx.fragment()),
        class_name="wm-row",
        data_kind="address",
        data_testid="device-item",
        key=row["id"],
    )


def _list() -> rx.Component:
    error = rx.el.p(DevicesState.error, class_name="wm-otp-error", role="alert", data_testid="devices-error")
    return rx.el.div(
        rx.el.p(
            _("These browsers can use your wallet. Remove what you have lost or no longer use."),
            class_name="wm-text wm-owned-words",
        ),
        rx.el.div(
            rx.el.ul(rx.foreach(DevicesState.rows, _device), class_name="wm-stack wm-owned"),
            class_name="wm-scroll",
            data_height="list",
        ),
        rx.el.div(rx.cond(DevicesState.error != "", error, rx.fragment()), class_name="wm-owned-error"),
        rx.cond(
            DevicesState.offered,
            rx.el.div(
                list_item(
                    _("Use on other sites"),
                    rx.icon("app-window", size=16),
                    on_click=DevicesState.remember,
                    data_testid="device-remember",
                ),
                class_name="wm-stack",
            ),
            rx.fragment(),
        ),
    )


@rx.memo
def devices_view() -> rx.Component:
    """Devices: those that can use the embedded wallet."""
    failed = list_unavailable(DevicesState.load, test_id="devices-retry")
    loading = rx.el.div(row_skeleton("120px", image="round"), class_name="wm-stack")
    return _part(
        rx.match(
            DevicesState.phase,
            ("loading", loading),
            ("failed", failed),
            ("asking", secure_place(label=_("A change of your devices"))),
            _list(),
        ),
        secure_ask(question=DevicesState.question, sync=BridgeState.sync, on_answer=DevicesState.on_answer),
        class_name=rx.cond(DevicesState.phase == "asking", "wm-secure-body", ""),
        on_mount=DevicesState.load,
    )
