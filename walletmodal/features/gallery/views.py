"""The page `/gallery`: an index of all entries, one of them alone, or the editor of themes."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.components.language.language import page_language
from walletmodal.components.shell import LazyView
from walletmodal.features.gallery.entries import ENTRIES
from walletmodal.features.gallery.state import GalleryState
from walletmodal.features.gallery.theme_editor import theme_editor, theme_style
from walletmodal.features.help.views import what_is_a_wallet_view
from walletmodal.features.modal.frame import modal, modal_body
from walletmodal.reflex_internals.theme_assets import own_rules
from walletmodal.ui.styled import styled

_index_page: Final = styled(rx.asset("gallery.css", shared=True).importable_path)


class LostView(LazyView):
    """A view whose script does not come."""

    library = what_is_a_wallet_view().library
    tag = "LostView"

    def loading(self, module: str) -> str:  # noqa: ARG002 - the component has it
        """Fails."""
        return "() => Promise.reject(new Error('lost'))"


def _body() -> rx.Component:
    return rx.cond(GalleryState.shown["page"] == "lost", LostView.create(), modal_body())


def _line(line: rx.vars.ArrayVar[list[str]]) -> rx.Component:
    entry, note = line[0], line[1]
    href = f"/gallery?entry={entry}&theme="
    return rx.el.li(
        rx.el.a(entry, href=f"{href}dark"),
        rx.el.a("light", href=f"{href}light", aria_label=f"{entry}, light"),
        rx.el.span(note),
    )


def _section(group: rx.vars.ArrayVar[tuple[str, list[list[str]]]]) -> rx.Component:
    return rx.el.section(rx.el.h2(group[0]), rx.el.ul(rx.foreach(group[1], _line)))


def _index() -> rx.Component:
    # In the browser, entry by entry: `walletmodal dev` would compile each after each save.
    groups: dict[str, list[list[str]]] = {}
    for entry in ENTRIES:
        groups.setdefault(entry.id.split("-")[0].capitalize(), []).append([entry.id, entry.note])
    return _index_page(
        rx.el.h1("Gallery"),
        rx.el.p(rx.el.a("Edit a theme", href="/gallery?edit=default")),
        rx.foreach(rx.Var.create(groups), _section),
        class_name="wm-gallery",
    )


def _shown() -> rx.Component:
    return rx.el.div(modal(refuse_close=True, body=_body()), key=GalleryState.entry)


def gallery_page() -> rx.Component:
    """The whole page. The entry's id stands on `<main>`, so that a test knows when it is there."""
    return rx.el.main(
        theme_style(),
        rx.match(
            GalleryState.shown["page"],
            ("index", _index()),
            ("entry", "lost", _shown()),
            ("editor", theme_editor(_shown())),
            rx.fragment(),
        ),
        *own_rules(),
        page_language(),
        data_theme=GalleryState.theme,
        data_entry=GalleryState.entry,
    )
