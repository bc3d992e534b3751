"""Reflex wrapper of the list of tokens."""

from __future__ import annotations

from typing import Any

import reflex as rx

rx.asset("token_list.css", shared=True)
_TOKEN_LIST = rx.asset("token_list.tsx", shared=True)


class TokenList(rx.Component):
    """Rows of tokens, painted only as far as they are seen; an unchanged row is not drawn again when others change.

    Attributes:
        rows: texts in an order: key, name, symbol, amount, value, price, picture.
        label: names the list for those who cannot see it.
    """

    library = _TOKEN_LIST.importable_path
    tag = "TokenList"

    rows: rx.Var[list[Any]]
    label: rx.Var[str]


token_list = TokenList.create
