"""A text as a QR code, for phones to scan."""

from walletmodal.components.qr_code.qr_code import UQR, qr_code

__all__ = ["UQR", "qr_code"]
