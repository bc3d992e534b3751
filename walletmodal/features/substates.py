"""How states change what browsers are sent at the least cost."""

from __future__ import annotations

from typing import Any

import reflex as rx


class AssigningMixin(rx.State, mixin=True):
    """States that are told again and again what they may hold already: what is assigned is also sent, so only what differs is."""

    def _put(self, **values: Any) -> None:
        """Changes variables only where they differ."""
        for name, value in values.items():
            if self.get_value(name) != value:
                setattr(self, name, value)
