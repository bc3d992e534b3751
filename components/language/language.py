"""The function by which compiled views say their texts."""

from __future__ import annotations

import reflex as rx

from walletmodal.reflex_internals.text_vars import say_with

rx.asset("other.ts", shared=True)
say_with(rx.asset("language.ts", shared=True).importable_path, "t")
