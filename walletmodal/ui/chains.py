"""The four kinds of chain: their names and pictures."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.core.constants import NAMESPACE_NAMES

_PICTURES = {
    "eip155": "/networks/eip155-1.svg",
    "solana": "/networks/solana-5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp.svg",
    "bip122": "/networks/bip122-000000000019d6689c085ae165831e93.svg",
    "polkadot": "/networks/polkadot-91b171bb158e2d3848fa23a9f1c25182.svg",
}


def chain_name(namespace: rx.Var[str]) -> Any:
    """What visitors call a namespace."""
    return rx.match(namespace, *NAMESPACE_NAMES.items(), "").to(str)


def chain_picture(namespace: rx.Var[str]) -> Any:
    """The URL of the picture that stands for a namespace."""
    return rx.match(namespace, *_PICTURES.items(), "").to(str)
