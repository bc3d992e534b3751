"""Pairing with a wallet on another device: the SDK behind the port, the code on the screen, and links into apps."""

from walletmodal.components.pairing.pairing import WALLETCONNECT, pairing_ahead, pairing_copy, pairing_link, pairing_qr

__all__ = ["WALLETCONNECT", "pairing_ahead", "pairing_copy", "pairing_link", "pairing_qr"]
