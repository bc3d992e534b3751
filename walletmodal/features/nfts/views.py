"""The NFTs of the account, and one of them in detail."""

from __future__ import annotations

import reflex as rx

from walletmodal.components.copy_button import copy_button
from walletmodal.components.nft_grid import nft_grid
from walletmodal.core.language import _
from walletmodal.features.account.active import ActiveState, active_var
from walletmodal.features.nfts.state import NftsState
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import button, button_link, link
from walletmodal.ui.feedback import shimmer
from walletmodal.ui.images import picture
from walletmodal.ui.notes import note, try_again

PARTIAL = _("Some NFTs may be missing: this network lets only a part of its past be searched.")


def _empty_note() -> rx.Component:
    receive = link(_("Receive funds"), on_click=ShellState.push("WalletReceive"), data_testid="link-receive-funds")
    return note(
        "image",
        rx.cond(NftsState.partial, _("No NFTs found"), _("No NFTs yet")),
        rx.cond(NftsState.partial, PARTIAL, _("What you collect on this network will appear here")),
        rx.cond(ActiveState.actions.contains("receive"), receive, rx.fragment()),
        data_testid="nfts-none",
    )


def _partial_note() -> rx.Component:
    """Below what is there."""
    line = rx.el.p(PARTIAL, class_name="wm-nft-partial", data_testid="nfts-partial")
    return rx.cond(NftsState.partial, line, rx.fragment())


def _failure_note() -> rx.Component:
    """Below what is there."""
    some = NftsState.page["number"].to(int) > 0
    return note(
        "cloud-off",
        rx.cond(some, _("There are more, but they could not be loaded"), _("Your NFTs could not be loaded")),
        _("The network does not answer. They are not affected."),
        try_again(NftsState.retry, test_id="nfts-retry"),
        data_testid="nfts-failed",
    )


@rx.memo
def nfts_tab() -> rx.Component:
    """The NFTs tab of the account."""
    return rx.fragment(
        nft_grid(
            rx.el.div(
                rx.match(
                    NftsState.phase,
                    ("none", _empty_note()),
                    ("failed", _failure_note()),
                    ("shown", _partial_note()),
                    rx.fragment(),
                ),
                role="status",
            ),
            page=NftsState.page,
            account=active_var("caip_address"),
            turn=NftsState.turn,
            loading=NftsState.phase == "loading",
            ended=NftsState.phase == "failed",
            label=_("NFTs"),
            on_shown=NftsState.on_shown,
            on_more=NftsState.more,
            on_choose=NftsState.choose,
        ),
        rx.el.span(NftsState.told, class_name="wm-hidden", role="status"),
    )


def _fact(label: str, *value: rx.Component | rx.Var[str]) -> rx.Component:
    return rx.el.div(rx.el.dt(label), rx.el.dd(*value))


def _facts() -> rx.Component:
    contract = copy_button(
        rx.el.span(NftsState.short_contract, class_name="wm-address"),
        rx.icon("copy", size=16, aria_hidden="true"),
        rx.el.span(_("Copy the contract's address"), class_name="wm-hidden"),
        text=NftsState.contract,
        class_name="wm-copy",
        title=NftsState.contract,
        data_testid="nft-copy-contract",
        on_copied=NftsState.on_copied,
    )
    token = rx.el.span(NftsState.short_id, title=NftsState.token_id)
    return rx.el.dl(
        rx.cond(NftsState.token_id != "", _fact(_("Token ID"), token), rx.fragment()),
        _fact(_("Contract"), contract),
        rx.cond(NftsState.amount != "", _fact(_("You have"), NftsState.amount), rx.fragment()),
        _fact(_("Standard"), NftsState.standard),
        _fact(_("Network"), NftsState.network),
        class_name="wm-nft-facts",
    )


def _about() -> rx.Component:
    return rx.el.div(
        rx.el.h2(NftsState.name, class_name="wm-nft-title", data_testid="nft-name"),
        rx.cond(NftsState.collection != "", rx.el.p(NftsState.collection, class_name="wm-text"), rx.fragment()),
        rx.cond(
            NftsState.description != "",
            rx.el.p(NftsState.description, class_name="wm-nft-description"),
            rx.fragment(),
        ),
        class_name="wm-nft-about",
    )


def _picture() -> rx.Component:
    return rx.el.div(
        rx.icon("image", size=48, stroke_width=1.25, aria_hidden="true"),
        rx.cond(
            NftsState.picture != "",
            rx.fragment(
                # The same once more, out of focus, fills what the picture's own shape leaves free.
                rx.el.span(picture(NftsState.picture), class_name="wm-nft-backdrop", aria_hidden="true"),
                picture(NftsState.picture),
            ),
            rx.fragment(),
        ),
        class_name="wm-nft-large",
    )


def _details() -> rx.Component:
    return rx.fragment(
        _picture(),
        _about(),
        _facts(),
        rx.cond(
            NftsState.explorer_url != "",
            button_link(
                _("Block Explorer"), NftsState.explorer_url, icon=rx.icon("compass", size=16, aria_hidden="true")
            ),
            rx.fragment(),
        ),
    )


def _skeleton() -> rx.Component:
    return rx.fragment(
        rx.el.div(shimmer("100%", "100%"), class_name="wm-nft-large"),
        shimmer("60%", "26px"),
        shimmer("100%", "168px", "var(--wm-radius-xs)"),
        rx.el.span(_("Reading the NFT"), class_name="wm-hidden"),
    )


@rx.memo
def nft_details_view() -> rx.Component:
    """NftDetails: one NFT, read from its contract."""
    back = button(_("Back to the account"), variant="accent", on_click=ShellState.back)
    return rx.el.div(
        rx.el.div(
            rx.match(
                NftsState.chosen,
                ("shown", _details()),
                ("loading", _skeleton()),
                (
                    "failed",
                    note(
                        "cloud-off",
                        _("The NFT could not be read"),
                        _("The network does not answer. It is not affected."),
                        try_again(NftsState.retry_chosen, test_id="nft-retry"),
                        data_testid="nft-failed",
                    ),
                ),
                (
                    "gone",
                    note(
                        "image-off",
                        _("Not yours any more"),
                        _("This account does not have this NFT now."),
                        back,
                        data_testid="nft-gone",
                    ),
                ),
                note(
                    "image", _("No NFT is chosen"), _("Choose one in the account."), back, data_testid="nft-none-chosen"
                ),
            ),
            class_name="wm-scroll wm-nft-details",
            role="region",
            aria_label=_("NFT"),
            tab_index=0,
            aria_busy=NftsState.chosen == "loading",
        ),
        rx.el.span(
            rx.match(NftsState.chosen, ("shown", NftsState.name), ("loading", _("Reading the NFT")), ""),
            class_name="wm-hidden",
            role="status",
        ),
    )
