"""The page `/gallery?edit=<preset>`: a theme's fields beside a view, and the Python to paste."""

from __future__ import annotations

from typing import Annotated, Final

import reflex as rx

from walletmodal.components.copy_button import copy_button
from walletmodal.core.theming.presets import PRESETS
from walletmodal.features.gallery.entries import ENTRIES
from walletmodal.features.gallery.state import EDITED, GalleryState
from walletmodal.features.gallery.theme_draft import COLORS, NUMBERS, TEXTS, DraftField
from walletmodal.ui.styled import styled

_editor: Final = styled(rx.asset("theme_editor.css", shared=True).importable_path)
_DEBOUNCE_MS: Final = 150
_VALUES: Final = GalleryState.shown["values"].to(dict[str, str])
_VIEWS: Final = tuple(sorted({entry.view: entry.id for entry in reversed(ENTRIES)}.values()))
"""The first entry of each view."""


class _Form(rx.el.Div):  # type: ignore[misc]  # Reflex loads its elements late, and gives them no types
    """Hears of keys."""

    on_key_down: Annotated[rx.EventHandler, rx.event.key_event]


def _input(field: DraftField, kind: str, **props: object) -> rx.Component:
    return rx.el.input(
        type=kind,
        default_value=_VALUES[field.name],
        on_change=lambda value: GalleryState.edit(field.name, value).debounce(_DEBOUNCE_MS),
        **props,
    )


def _text(field: DraftField) -> rx.Component:
    return rx.el.label(rx.el.span(field.label), _input(field, "text", spell_check=False, name=field.name))


def _number(field: DraftField) -> rx.Component:
    bounds = {"min": field.least, "max": field.most, "step": field.step}
    return rx.el.label(rx.el.span(field.label), _input(field, "number", name=field.name, **bounds))


def _color(field: DraftField) -> rx.Component:
    return rx.el.label(
        rx.el.i(aria_hidden="true", style={"background": _VALUES[field.name]}),
        rx.el.span(field.label),
        _input(field, "text", placeholder="as it follows", spell_check=False, name=field.name),
    )


def _choice(
    label: str, chosen: rx.Var[str] | str, options: tuple[str, ...], chosen_by: rx.EventHandler
) -> rx.Component:
    return rx.el.label(
        rx.el.span(label),
        rx.el.select(*(rx.el.option(one, value=one) for one in options), default_value=chosen, on_change=chosen_by),
    )


def _fields() -> rx.Component:
    """Anew with each preset: what is written in a field is the browser's."""
    groups = {
        "Dark": map(_color, COLORS["dark"]),
        "Light": map(_color, COLORS["light"]),
        "Sizes": map(_number, NUMBERS),
        "Else": map(_text, TEXTS),
    }
    return rx.el.div(
        *(rx.el.fieldset(rx.el.legend(name), *fields) for name, fields in groups.items()),
        key=GalleryState.shown["serial"].to(str),
    )


def theme_style() -> rx.Component:
    """The style sheet of the theme that is shown."""
    return rx.el.style(GalleryState.shown["css"])


def theme_editor(preview: rx.Component) -> rx.Component:
    """The fields, the contrasts and the Python at the left, a view at the right."""
    return _editor(
        _Form.create(
            rx.el.h1("Theme"),
            _choice("Preset", GalleryState.shown["preset"].to(str), tuple(PRESETS), GalleryState.start_from),
            _choice("Mode", GalleryState.theme, ("dark", "light"), GalleryState.turn),
            _choice("View", EDITED, _VIEWS, GalleryState.look_at),
            rx.el.p(GalleryState.shown["problem"], role="alert", class_name="wm-editor-problem"),
            _fields(),
            rx.el.h2("Python"),
            copy_button(rx.el.span("Copy"), text=GalleryState.shown["python"].to(str), class_name="wm-editor-copy"),
            rx.el.pre(GalleryState.shown["python"]),
            rx.el.h2("Contrasts"),
            rx.el.ul(
                rx.foreach(
                    GalleryState.shown["contrasts"].to(list[dict[str, str]]),
                    lambda one: rx.el.li(rx.el.span(one["pair"]), rx.el.b(one["ratio"])),
                )
            ),
            # The card keeps Tab and Escape for itself.
            on_key_down=rx.stop_propagation,
            class_name="wm-editor-form",
        ),
        rx.el.div(preview, class_name="wm-editor-stage"),
        class_name="wm-editor",
    )
