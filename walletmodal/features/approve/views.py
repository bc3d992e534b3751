"""ApproveTransaction. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.components.embedded import secure_place
from walletmodal.core.language import _, pgettext
from walletmodal.features.approve.fees_view import fee_choice
from walletmodal.features.approve.state import ApproveState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.ui.buttons import button, link
from walletmodal.ui.feedback import outlined, shimmer, spinner, tag
from walletmodal.ui.images import network_image, wallet_image
from walletmodal.ui.notes import note
from walletmodal.ui.styled import CHIP, OPTIONS, styled

_part: Final = styled(rx.asset("approve.css", shared=True).importable_path, OPTIONS, CHIP)


def _requester() -> rx.Component:
    request = ApproveState.request
    return rx.el.div(
        wallet_image(request["icon"], "sm", glyph="globe"),
        rx.el.div(
            rx.el.p(request["host"], class_name="wm-heading", dir="auto", data_testid="approve-host"),
            rx.el.p(request["origin"], class_name="wm-text", dir="ltr", data_testid="approve-origin"),
            class_name="wm-approve-words",
        ),
        rx.cond(
            ApproveState.total > 1,
            tag(_("{place} of {total}", place=ApproveState.place, total=ApproveState.total)),
            rx.fragment(),
        ),
        class_name="wm-approve-who",
    )


def _row(name: str | rx.Var[str], *value: Any, depth: Any = 0, tone: Any = "", **props: Any) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name),
        rx.el.dd(*value, data_tone=tone),
        class_name="wm-approve-row",
        data_depth=rx.Var.create(depth).to_string(),
        **props,
    )


def _signer() -> rx.Component:
    request = ApproveState.request
    return rx.el.dl(
        _row(
            _("Account"),
            rx.el.span(
                style={"background": request["avatar"]}, class_name="wm-avatar", data_size="xs", aria_hidden="true"
            ),
            rx.el.span(request["account"], dir="ltr", data_testid="approve-account"),
        ),
        _row(
            _("Network"),
            network_image(request["network_image"], "xs"),
            rx.el.span(request["network"], data_testid="approve-network"),
        ),
        class_name="wm-approve-part",
    )


def _warnings() -> rx.Component:
    warnings = ApproveState.request["warnings"].to(list[str])

    def line(text: rx.Var[str]) -> rx.Component:
        return rx.el.li(rx.icon("triangle-alert", size=16, aria_hidden="true"), text, key=text)

    return rx.cond(
        warnings.length() > 0,
        rx.el.ul(
            rx.foreach(warnings, line),
            class_name="wm-approve-warnings",
            aria_label=_("Warnings"),
            data_testid="approve-warnings",
        ),
        rx.fragment(),
    )


def _message() -> rx.Component:
    request = ApproveState.request
    return rx.cond(
        request["text"] != "",
        rx.el.div(
            rx.el.pre(
                request["text"],
                class_name="wm-approve-message",
                data_encoded=request["encoded"].to_string(),
                dir="auto",
                data_testid="approve-text",
            ),
            class_name="wm-approve-part",
        ),
        rx.fragment(),
    )


def _section(section: rx.Var[Any], at: rx.Var[int]) -> rx.Component:
    def line(row: rx.Var[Any], number: rx.Var[int]) -> rx.Component:
        return _row(row["name"].to(str), row["value"], depth=row["depth"], tone=row["tone"], key=number)

    return rx.el.section(
        rx.cond(section["title"] != "", rx.el.h3(section["title"]), rx.fragment()),
        rx.el.dl(rx.foreach(section["rows"].to(list[dict[str, Any]]), line)),
        rx.cond(
            section["raw"] != "",
            rx.el.details(
                rx.el.summary(_("Data")),
                rx.el.p(section["raw"], class_name="wm-approve-raw"),
                class_name="wm-approve-data",
            ),
            rx.fragment(),
        ),
        class_name="wm-approve-part",
        data_testid="approve-part-" + at.to_string(),
        key=at,
    )


def _movements(name: str, side: str) -> rx.Component:
    listed = ApproveState.trial[side].to(list[str])
    return rx.cond(
        listed.length() > 0,
        rx.el.div(
            rx.el.dt(name),
            rx.el.dd(rx.foreach(listed, lambda text: rx.el.span(text, key=text)), class_name="wm-approve-many"),
            class_name="wm-approve-row",
            data_testid=f"approve-{side}",
        ),
        rx.fragment(),
    )


def _trial_note(icon: rx.Component, *text: Any) -> rx.Component:
    return rx.el.p(icon, rx.el.span(*text), class_name="wm-approve-remark wm-text")


def _failure() -> rx.Component:
    """Why it would fail: above all else that is said of it."""
    trial = ApproveState.trial
    return rx.el.div(
        rx.cond(
            trial["state"] == "fails",
            rx.el.ul(
                rx.el.li(
                    rx.icon("triangle-alert", size=16, aria_hidden="true"), _("It would fail."), " ", trial["failure"]
                ),
                class_name="wm-approve-warnings",
            ),
            rx.fragment(),
        ),
        role="status",
        class_name="wm-approve-says",
        data_testid="approve-failure",
    )


def _trial() -> rx.Component:
    trial = ApproveState.trial
    nothing = (trial["leaves"].to(list).length() == 0) & (trial["arrives"].to(list).length() == 0)
    return rx.el.div(
        rx.match(
            trial["state"],
            ("running", _trial_note(spinner(), _("Trying out what it would do"))),
            (
                "told",
                rx.el.section(
                    rx.el.h2(_("What it would do")),
                    rx.el.dl(
                        _movements(_("Leaves your account"), "leaves"), _movements(_("Reaches your account"), "arrives")
                    ),
                    rx.cond(
                        nothing,
                        rx.el.p(_("Nothing leaves your account but the fee."), class_name="wm-text"),
                        rx.fragment(),
                    ),
                    class_name="wm-approve-part",
                ),
            ),
            (
                "unknown",
                _trial_note(
                    rx.icon("circle-help", size=16, aria_hidden="true"),
                    _("It could not be simulated."),
                    " ",
                    link(_("Try again"), on_click=ApproveState.run_trial, data_testid="approve-trial-retry"),
                ),
            ),
            rx.fragment(),
        ),
        role="status",
        class_name="wm-approve-says",
        data_testid="approve-trial",
    )


def _request() -> rx.Component:
    request = ApproveState.request
    return rx.fragment(
        _requester(),
        rx.el.h2(request["title"], class_name="wm-approve-title", data_testid="approve-title"),
        rx.cond(
            request["reason"] != "",
            rx.el.p(request["reason"], class_name="wm-text wm-approve-reason", data_testid="approve-reason"),
            rx.fragment(),
        ),
        _failure(),
        _warnings(),
        _message(),
        rx.foreach(request["parts"].to(list[dict[str, Any]]), _section),
        rx.cond(
            request["total"] != "",
            rx.el.dl(_row(_("Pays altogether"), request["total"]), class_name="wm-approve-part"),
            rx.fragment(),
        ),
        rx.cond(
            request["hidden"].to(bool) & (ApproveState.phase == "ready") & ~ApproveState.whole,
            rx.el.button(
                rx.icon("chevron-down", size=16, aria_hidden="true"),
                _("Show all of it"),
                type="button",
                class_name="wm-chip",
                on_click=ApproveState.show_all(ApproveState.seen),
                data_testid="approve-show-all",
            ),
            rx.fragment(),
        ),
        _trial(),
        _signer(),
    )


@rx.memo
def approve_skeleton() -> rx.Component:
    """What stands there while a request is read. A component of its own: each time that it appears, it asks for the reading."""

    def card(height: str) -> rx.Component:
        return shimmer("100%", height, "var(--wm-radius-xs)")

    return rx.el.div(
        rx.el.div(
            shimmer("40px", "40px", "var(--wm-radius-xxs)"),
            rx.el.div(shimmer("120px", "20px"), shimmer("180px", "16px"), class_name="wm-approve-words"),
            class_name="wm-approve-who",
        ),
        shimmer("160px", "26px"),
        card("120px"),
        card("80px"),
        rx.el.span(_("Reading the request"), class_name="wm-hidden", role="status"),
        class_name="wm-approve-skeleton",
        on_mount=ApproveState.on_shown,
    )


def _asking_note() -> rx.Component:
    """Beside what is shown, which stays to be compared."""
    return rx.el.div(
        rx.cond(
            ApproveState.phase == "asking",
            _trial_note(spinner(), _("Continue in your wallet, and compare what it shows with this.")),
            rx.fragment(),
        ),
        role="status",
        class_name="wm-approve-says",
        data_testid="approve-asking",
    )


def _leave(label: str, **props: Any) -> rx.Component:
    return button(label, size="lg", on_click=ApproveState.leave, data_testid="request-hide-button", **props)


def _returned_note() -> rx.Component:
    """The wallet has a request that a lost session has come back without."""
    return rx.el.div(
        outlined(wallet_image("", "lg"), running=rx.Var.create(value=True), failed=rx.Var.create(value=False)),
        rx.el.div(
            rx.el.p(_("Continue in your wallet"), class_name="wm-heading"),
            rx.el.p(
                _("What this site has asked for waits there. Read it in your wallet, then approve or reject it."),
                class_name="wm-text",
            ),
            class_name="wm-words",
            role="status",
            data_testid="approve-asking",
        ),
        _leave(pgettext("button", "Hide"), variant="neutral", wide=True),
        class_name="wm-centered",
    )


def _buttons() -> rx.Component:
    phase, fee = ApproveState.phase, ApproveState.fee
    return rx.el.div(
        rx.cond(
            phase == "asking",
            _leave(pgettext("button", "Hide"), variant="neutral"),
            button(
                pgettext("button", "Reject"),
                variant="neutral",
                size="lg",
                on_click=ApproveState.reject(ApproveState.seen),
                data_testid="request-reject-button",
            ),
        ),
        button(
            rx.cond(ApproveState.request["framed"], pgettext("button", "Continue"), pgettext("button", "Approve")),
            size="lg",
            loading=phase == "asking",
            disabled=(phase != "ready") | ((fee.length() > 0) & (fee["token"] != "") & (fee["phase"] != "known")),
            on_click=ApproveState.approve(ApproveState.seen),
            # Another element for each request, which begins deaf: a host could have it appear below a click that was meant for its page.
            key=ApproveState.seen + phase,
            data_testid="request-approve-button",
        ),
        class_name="wm-approve-buttons",
    )


def _idle() -> rx.Component:
    return rx.fragment(
        note("check", _("No request waits"), _("Nothing on this site asks for your approval now.")),
        _leave(pgettext("button", "Done"), wide=True),
    )


def _hint(text: rx.Var[str]) -> rx.Component:
    return rx.el.li(rx.icon("triangle-alert", size=16, aria_hidden="true"), text)


def _framed() -> rx.Component:
    """The secure site's frame asks; beside it stands what the request would do, and what the site's policy and our reading of it warn of."""
    return rx.el.div(
        _failure(),
        rx.cond(
            EmbeddedState.hints.length() > 0,
            rx.el.ul(
                rx.foreach(EmbeddedState.hints, _hint), class_name="wm-approve-warnings", data_testid="approve-hints"
            ),
            rx.fragment(),
        ),
        _trial(),
        secure_place(label=_("The request, as your wallet reads it")),
        class_name="wm-secure-asks",
    )


def _own() -> rx.Component:
    """A request that is approved here."""
    phase = ApproveState.phase
    return rx.cond(
        (phase == "asking") & (ApproveState.request.length() == 0),
        _returned_note(),
        rx.fragment(
            rx.el.div(
                rx.cond(
                    phase == "loading",
                    approve_skeleton(),
                    rx.cond(ApproveState.request.length() > 0, _request(), rx.fragment()),
                ),
                class_name="wm-scroll wm-approve-body",
                tab_index=0,
                role="group",
                aria_label=_("What the site asks for"),
                aria_busy=(phase == "loading").to_string(),
            ),
            rx.cond(phase == "ready", fee_choice(), rx.fragment()),
            _asking_note(),
            _buttons(),
        ),
    )


@rx.memo
def approve_transaction_view() -> rx.Component:
    """ApproveTransaction: what the host page asks of the wallet, with the visitor's word for it."""
    phase = ApproveState.phase
    return _part(
        rx.cond(
            ((phase == "idle") | (phase == "asking")) & EmbeddedState.framed,
            _framed(),
            rx.cond(phase == "idle", _idle(), _own()),
        ),
        class_name="wm-approve",
    )
