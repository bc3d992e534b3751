"""The wallet directory: a bundled catalogue of wallets, with pictures that are drawn here."""

from walletmodal.sandbox.directory.openapi import OPENAPI
from walletmodal.sandbox.directory.service import directory_service

__all__ = ["OPENAPI", "directory_service"]
