"""Wrapped React components: each folder holds the Python class, the TypeScript, and its CSS. What several share lies beside them."""

from walletmodal.reflex_internals.asset_callers import quicken_assets

quicken_assets()
