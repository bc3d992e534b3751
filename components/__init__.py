"""Wrapped React components: each folder holds the Python class, the TypeScript, and its CSS."""
