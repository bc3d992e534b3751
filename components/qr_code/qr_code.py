"""Reflex wrapper of the QR code."""

from __future__ import annotations

from typing import Final

import reflex as rx

UQR: Final = ["uqr@0.1.3"]
"""Computes the modules; the drawing is ours."""

for _sibling in ("qr.ts", "qr_code.css"):
    rx.asset(_sibling, shared=True)
_QR_CODE = rx.asset("qr_code.tsx", shared=True)


class QrCode(rx.Component):
    """A text as a square QR code, as wide as its place; a picture in its middle unless `arena_clear`."""

    library = _QR_CODE.importable_path
    tag = "QrCode"
    lib_dependencies: list[str] = UQR

    uri: rx.Var[str]
    alt: rx.Var[str]
    logo: rx.Var[str]
    arena_clear: rx.Var[bool]


qr_code = QrCode.create
