"""The list of wallets: its sections, All Wallets below them, and what it says when something is missing."""

from __future__ import annotations

import reflex as rx

from walletmodal.components.pairing import pairing_ahead
from walletmodal.components.preloaded import preloaded
from walletmodal.core.language import _, pgettext
from walletmodal.features.connect.choice import OF_THE_DIRECTORY, ChoiceState
from walletmodal.features.pairing.state import PairingState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.wallets.state import WalletRow, WalletsState
from walletmodal.ui.buttons import button, link
from walletmodal.ui.feedback import spinner, tag
from walletmodal.ui.images import icon_box
from walletmodal.ui.rows import all_wallets_row, row_skeleton, wallet_row

_SKELETONS = ("112px", "88px", "136px")


def _tag(text: rx.Var[str]) -> rx.Component:
    return rx.match(
        text,
        ("", rx.fragment()),
        ("qr code", tag(pgettext("tag", "qr code"), "main")),
        ("installed", tag(pgettext("tag", "installed"), "success")),
        ("recent", tag(pgettext("tag", "recent"))),
        ("multichain", tag(pgettext("tag", "multichain"))),
        tag(text),
    )


def _row(row: rx.Var[WalletRow], kind: str, mark: str = "") -> rx.Component:
    waits = ChoiceState.pending == row["id"]
    return rx.el.li(
        wallet_row(
            row["name"],
            row["icon"],
            glyph="qr-code" if kind == "walletconnect" else "wallet",
            end=rx.cond(waits, spinner(), _tag(row["tag"])),
            on_click=ChoiceState.select(kind, row["id"]),
            aria_busy=waits,
            data_pairs="true" if kind in OF_THE_DIRECTORY | {"custom"} else "false",
            data_testid="wallet-selector-walletconnect"
            if kind == "walletconnect"
            else f"wallet-selector-{mark}" + row["id"],
        ),
        key=row["id"],
    )


def _placeholder_row(row: rx.Var[WalletRow]) -> rx.Component:
    return rx.el.li(row_skeleton("112px"), key=row["id"], aria_hidden="true")


def _from_browser(rows: rx.Var[list[WalletRow]], kind: str, mark: str = "") -> rx.Component:
    return rx.fragment(rx.foreach(rows, lambda row: _row(row, kind, mark)))


def _from_directory(rows: rx.Var[list[WalletRow]], kind: str, mark: str = "") -> rx.Component:
    return preloaded(
        rows,
        until=rx.fragment(rx.foreach(rows, _placeholder_row)),
        then=rx.fragment(rx.foreach(rows, lambda row: _row(row, kind, mark))),
    )


def _section(name: rx.Var[str]) -> rx.Component:
    """One section; the names are those of `SECTION_VARS`."""
    return rx.fragment(
        rx.match(
            name,
            ("pairing", _from_browser(WalletsState.pairing, "walletconnect")),
            ("recent", _from_browser(WalletsState.recent, "recent")),
            ("injected", _from_browser(WalletsState.injected, "connector")),
            ("featured", _from_directory(WalletsState.featured, "featured", "featured-")),
            ("custom", _from_browser(WalletsState.custom, "custom")),
            ("external", _from_browser(WalletsState.external, "external", "external-")),
            ("recommended", _from_directory(WalletsState.recommended, "recommended")),
            rx.fragment(),
        ),
        key=name,
    )


def _all_wallets() -> rx.Component:
    loading = WalletsState.directory == "loading"
    return rx.el.li(
        all_wallets_row(
            _("All Wallets"),
            end=rx.cond(loading, spinner(), rx.cond(WalletsState.count != "", tag(WalletsState.count), rx.fragment())),
            on_click=ChoiceState.open_all_wallets,
            data_testid="all-wallets",
        )
    )


def _failure_note() -> rx.Component:
    """The directory does not answer."""
    return rx.el.div(
        rx.el.p(_("More wallets could not be loaded."), class_name="wm-text"),
        link(_("Try again"), on_click=WalletsState.retry, data_testid="wallet-list-try-again"),
        class_name="wm-note",
        role="status",
        data_testid="wallet-list-missing",
    )


def _searching() -> rx.Component:
    return rx.el.div(
        *(row_skeleton(width) for width in _SKELETONS),
        rx.el.span(_("Looking for wallets"), class_name="wm-hidden", role="status"),
        class_name="wm-rows",
        aria_busy="true",
    )


def _none_found() -> rx.Component:
    return rx.el.div(
        icon_box(rx.icon("wallet", size=20), size="lg"),
        rx.el.div(
            rx.el.p(_("No wallet found"), class_name="wm-heading", data_testid="no-wallet-found-text"),
            rx.el.p(
                _(
                    "This browser has no wallet that works here. Install one as a browser extension, then reload the page."
                ),
                class_name="wm-text",
            ),
            class_name="wm-words",
        ),
        button(_("What is a wallet?"), variant="accent", on_click=ShellState.push("WhatIsAWallet")),
        class_name="wm-centered",
        data_pad="empty",
        data_testid="no-wallet-found",
    )


@rx.memo
def wallet_list() -> rx.Component:
    """Every wallet that the view offers. Rows keep their place, focus and scroll position while others come and go."""
    empty = (WalletsState.sections.length() == 0) & ~WalletsState.all_wallets
    return rx.fragment(
        rx.cond(
            WalletsState.searched,
            rx.cond(
                empty,
                _none_found(),
                pairing_ahead(
                    rx.el.ul(
                        rx.foreach(WalletsState.sections, _section),
                        rx.cond(WalletsState.all_wallets, _all_wallets(), rx.fragment()),
                        class_name="wm-rows",
                        role="list",
                        aria_label=_("Wallets"),
                        aria_busy=WalletsState.directory == "loading",
                        data_testid="wallet-list-rows",
                    ),
                    mode=PairingState.ahead,
                ),
            ),
            _searching(),
        ),
        rx.cond(WalletsState.directory == "failed", _failure_note(), rx.fragment()),
    )
