"""Counterparty of a transaction, as it is named everywhere."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.ui.images import avatar
from walletmodal.ui.styled import styled

_party: Final = styled(rx.asset("party.css", shared=True).importable_path)


def party(
    name: rx.Var[str], address: rx.Var[str], background: rx.Var[str], *, source: str | rx.Var[str] = ""
) -> rx.Component:
    """Icon, name if there is one, and address.

    Args:
        name: as it was looked up, or "".
        address: short.
        background: of the avatar, a CSS background that the server made.
        source: a picture above it.
    """
    return _party(
        avatar(background, "sm", source=source),
        rx.cond(name != "", rx.el.strong(name), rx.fragment()),
        rx.cond(name != "", rx.el.span(address), rx.el.strong(address)),
        class_name="wm-party",
    )
