"""Wrapped React components: each folder holds the Python class, the TypeScript, and its CSS. What several share lies beside them."""

from components.reflex_patches import quicken_assets

quicken_assets()
