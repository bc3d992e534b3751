"""Warnings, movements and costs of a transfer: the lower part of its preview."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.features.networks.state import NetworksState
from walletmodal.features.send.review import ReviewState
from walletmodal.ui.images import network_image
from walletmodal.ui.inputs import checkbox

_WARNINGS: Final = (
    ("lookalike", "It looks like an address of your own past, and is another one. Compare every group."),
    ("contract", "This is the contract of a token. What is sent to it can usually never be recovered."),
    ("burn", "Nobody has the key of this address. What is sent there is gone."),
    ("namespace", "It was given for another network. Be sure that the receiver uses it on this one too."),
    ("checksum", "Its capital letters do not fit together: a character may be mistyped."),
    ("confusable", "The name was written with characters that are easily taken for others. It is shown as it is read."),
)

_UNCHECKED: Final = (
    ("history", "Whether you have sent here before"),
    ("contract", "Whether this is the contract of a token"),
    ("name", "Where the name leads"),
)

_SPEEDS: Final = {"slow": "Slow", "normal": "Normal", "fast": "Fast"}


def _warning(kind: str, text: str) -> rx.Component:
    return rx.cond(
        ReviewState.plan["warnings"].to(list[str]).contains(kind),
        rx.el.li(rx.icon("triangle-alert", size=16, aria_hidden="true"), text, data_testid=f"send-warning-{kind}"),
        rx.fragment(),
    )


def warnings() -> rx.Component:
    """What the visitor must know, and accept where it can be sent all the same."""
    plan = ReviewState.plan
    return rx.el.div(
        rx.el.ul(
            *(_warning(kind, text) for kind, text in _WARNINGS),
            rx.cond(
                plan["failure"] != "",
                rx.el.li(
                    rx.icon("triangle-alert", size=16, aria_hidden="true"),
                    "It would fail. ",
                    plan["failure"],
                    data_testid="send-simulation-failure",
                ),
                rx.fragment(),
            ),
        ),
        rx.cond(
            ReviewState.phase == "blocked",
            rx.fragment(),
            checkbox(
                "I know, and want to send it all the same",
                checked=ReviewState.accepted,
                on_change=lambda accepted: ReviewState.accept(accepted, ReviewState.seen),
                data_testid="send-warning-accept",
            ),
        ),
        class_name="wm-review-warnings",
        role="group",
        aria_label="Warnings",
    )


def _unchecked(kind: str, text: str) -> rx.Component:
    return rx.cond(
        ReviewState.plan["unchecked"].to(list[str]).contains(kind),
        rx.el.li(text + " could not be checked.", data_testid=f"send-unchecked-{kind}"),
        rx.fragment(),
    )


def _fact(name: str, *value: Any, **props: Any) -> rx.Component:
    return rx.el.div(rx.el.dt(name), rx.el.dd(*value, **props), class_name="wm-fact")


def _moves(name: str, texts: rx.Var[Any], identity: str) -> rx.Component:
    listed = texts.to(list[str])
    return rx.cond(
        listed.length() > 0,
        _fact(name, rx.foreach(listed, lambda text: rx.el.span(text, key=text)), data_testid=identity),
        rx.fragment(),
    )


def _speed(row: rx.Var[Any]) -> rx.Component:
    speed = row["speed"].to(str)
    return rx.el.button(
        rx.el.span(rx.match(speed, *_SPEEDS.items(), speed)),
        rx.el.span(row["fee"], class_name="wm-text"),
        type="button",
        role="radio",
        aria_checked=rx.cond(ReviewState.speed == speed, "true", "false"),
        class_name="wm-speed",
        on_click=ReviewState.choose_speed(speed),
        data_testid="send-speed-" + speed,
        key=speed,
    )


def details() -> rx.Component:
    """Fee, network, what moves, speeds, and what could not be found out."""
    plan = ReviewState.plan
    return rx.el.div(
        rx.el.h2("Details", class_name="wm-send-heading"),
        rx.el.dl(
            rx.cond(
                plan["fee"] != "",
                _fact(
                    "Network cost",
                    rx.el.span("up to ", plan["fee"]),
                    rx.cond(
                        plan["fee_worth"] != "", rx.el.span(plan["fee_worth"], class_name="wm-text"), rx.fragment()
                    ),
                    data_testid="send-fee",
                ),
                rx.fragment(),
            ),
            _fact(
                "Network",
                rx.el.button(
                    network_image(NetworksState.active_image, "xs"),
                    NetworksState.active_name,
                    type="button",
                    class_name="wm-link",
                    aria_label="Network: " + NetworksState.active_name,
                    disabled=~NetworksState.choosable,
                    on_click=NetworksState.open_list,
                    data_testid="send-network",
                ),
            ),
            _moves("Leaves your account", plan["leaves"], "send-leaves"),
            _moves("Reaches the receiver", plan["arrives"], "send-arrives"),
        ),
        rx.cond(
            plan["speeds"].to(list).length() > 1,
            rx.el.div(
                rx.foreach(plan["speeds"].to(list[dict[str, str]]), _speed),
                role="radiogroup",
                aria_label="Speed",
                class_name="wm-speeds",
            ),
            rx.fragment(),
        ),
        rx.el.ul(
            rx.cond(
                plan["data_fee"],
                rx.el.li("The network also charges for the data of a transaction. That comes on top."),
                rx.fragment(),
            ),
            rx.cond(
                plan["simulated"] | (plan["failure"] != ""),
                rx.fragment(),
                rx.el.li("Not simulated: the network offers no trial run.", data_testid="send-not-simulated"),
            ),
            rx.cond(
                plan["first"] == "first",
                rx.el.li("You have not sent anything to this address before."),
                rx.fragment(),
            ),
            *(_unchecked(kind, text) for kind, text in _UNCHECKED),
            class_name="wm-review-remarks",
        ),
        class_name="wm-review-details",
    )
