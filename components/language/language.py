"""The function by which compiled views say their texts."""

from __future__ import annotations

import reflex as rx

from walletmodal.reflex_internals.text_vars import say_with

for _later in ("mark.ts", "other.ts", "rtl.css", "switch_language.ts"):
    rx.asset(_later, shared=True)
say_with(rx.asset("language.ts", shared=True).importable_path, "t")
_PAGE_LANGUAGE = rx.asset("page_language.tsx", shared=True)


class PageLanguage(rx.Component):
    """Invisible; for a page that no host opens, such as the gallery: its address names its language."""

    library = _PAGE_LANGUAGE.importable_path
    tag = "PageLanguage"


page_language = PageLanguage.create
