"""Texts, numbers and amounts as they are shown."""
