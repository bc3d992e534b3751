"""Names and pictures of namespaces."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.core.namespaces.registry import DESCRIPTORS


def chain_name(namespace: rx.Var[str]) -> Any:
    """Returns what visitors call a namespace."""
    return rx.match(namespace, *((name, one.title) for name, one in DESCRIPTORS.items()), "").to(str)


def chain_picture(namespace: rx.Var[str]) -> Any:
    """Returns the URL of the picture that stands for a namespace."""
    return rx.match(namespace, *((name, one.picture) for name, one in DESCRIPTORS.items()), "").to(str)
