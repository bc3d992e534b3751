"""The wallet directory: a bundled catalogue of wallets, with pictures that are drawn here."""

from sandbox.directory.openapi import OPENAPI
from sandbox.directory.service import directory_service

__all__ = ["OPENAPI", "directory_service"]
