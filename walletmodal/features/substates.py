"""Assignment of state variables at the least cost: what is assigned is also sent."""

from __future__ import annotations

from typing import Any

import reflex as rx


class AssigningMixin(rx.State, mixin=True):
    """Assigns only what differs, for states that are told again and again what they may hold already."""

    def _put(self, **values: Any) -> None:
        """Assigns variables that differ."""
        for name, value in values.items():
            if self.get_value(name) != value:
                setattr(self, name, value)
