"""Warnings, movements and costs of a transfer: the lower part of its preview."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.language import _
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.send.review import ReviewState
from walletmodal.ui.images import network_image
from walletmodal.ui.options import option, options
from walletmodal.ui.previews import cost_fact, fact, not_simulated, unpaid_remark, warning, warnings_box

_WARNINGS: Final = (
    ("lookalike", _("It looks like an address of your own past, and is another one. Compare every group.")),
    ("contract", _("This is the contract of a token. What is sent to it can usually never be recovered.")),
    ("burn", _("Nobody has the key of this address. What is sent there is gone.")),
    ("namespace", _("It was given for another network. Be sure that the receiver uses it on this one too.")),
    ("checksum", _("Its capital letters do not fit together: a character may be mistyped.")),
    (
        "confusable",
        _("The name was written with characters that are easily taken for others. It is shown as it is read."),
    ),
    (
        "barred",
        _("This is your smart account, which cannot be used on this network. What is sent there may be out of reach."),
    ),
)

_UNCHECKED: Final = (
    ("history", _("Whether you have sent here before could not be checked.")),
    ("contract", _("Whether this is the contract of a token could not be checked.")),
    ("name", _("Where the name leads could not be checked.")),
)

_SPEEDS: Final = {"slow": _("Slow"), "normal": _("Normal"), "fast": _("Fast")}


def warnings() -> rx.Component:
    """What the visitor must know, and accept where it can be sent all the same."""
    plan, named = ReviewState.plan, ReviewState.plan["warnings"].to(list[str])
    return warnings_box(
        *(warning(named.contains(kind), text, test_id=f"send-warning-{kind}") for kind, text in _WARNINGS),
        warning(
            plan["failure"] != "",
            _("It would fail. {reason}", reason=plan["failure"]),
            test_id="send-simulation-failure",
        ),
        state=ReviewState,
        acceptable=ReviewState.phase != "blocked",
        consent=_("I know, and want to send it all the same"),
        test_id="send-warning-accept",
    )


def _unchecked(kind: str, text: str) -> rx.Component:
    return rx.cond(
        ReviewState.plan["unchecked"].to(list[str]).contains(kind),
        rx.el.li(text, data_testid=f"send-unchecked-{kind}"),
        rx.fragment(),
    )


def _moves(name: str, texts: rx.Var[Any], identity: str) -> rx.Component:
    listed = texts.to(list[str])
    return rx.cond(
        listed.length() > 0,
        fact(name, rx.foreach(listed, lambda text: rx.el.span(text, key=text)), data_testid=identity),
        rx.fragment(),
    )


def _speed(row: rx.Var[Any]) -> rx.Component:
    speed = row["speed"].to(str)
    return option(
        rx.match(speed, *_SPEEDS.items(), speed),
        row["fee"],
        chosen=ReviewState.speed == speed,
        on_click=ReviewState.choose_speed(speed),
        data_testid="send-speed-" + speed,
        key=speed,
    )


def details() -> rx.Component:
    """Fee, network, what moves, speeds, and what could not be found out."""
    plan = ReviewState.plan
    return rx.el.div(
        rx.el.h2(_("Details"), class_name="wm-send-heading"),
        rx.el.dl(
            cost_fact(ReviewState, test_id="send-fee"),
            fact(
                _("Network"),
                rx.el.button(
                    network_image(NetworksState.active_image, "xs"),
                    NetworksState.active_name,
                    type="button",
                    class_name="wm-link",
                    aria_label=_("Network: {network}", network=NetworksState.active_name),
                    disabled=~NetworksState.choosable,
                    on_click=NetworksState.open_list,
                    data_testid="send-network",
                ),
            ),
            _moves(_("Leaves your account"), plan["leaves"], "send-leaves"),
            _moves(_("Reaches the receiver"), plan["arrives"], "send-arrives"),
        ),
        rx.cond(
            plan["speeds"].to(list).length() > 1,
            options(rx.foreach(plan["speeds"].to(list[dict[str, str]]), _speed), aria_label=_("Speed")),
            rx.fragment(),
        ),
        rx.el.ul(
            unpaid_remark(plan),
            rx.cond(
                plan["data_fee"],
                rx.el.li(_("The network also charges for the data of a transaction. That comes on top.")),
                rx.fragment(),
            ),
            not_simulated(~plan["simulated"].to(bool) & (plan["failure"] == ""), test_id="send-not-simulated"),
            rx.cond(
                plan["first"] == "first",
                rx.el.li(_("You have not sent anything to this address before.")),
                rx.fragment(),
            ),
            *(_unchecked(kind, text) for kind, text in _UNCHECKED),
            class_name="wm-review-remarks",
        ),
        class_name="wm-review-details",
    )
