"""What the host page has filled into a form, and how much of that is still there."""

from __future__ import annotations

from collections.abc import Mapping

from walletmodal.features.substates import AssigningMixin


class FilledInMixin(AssigningMixin, mixin=True):
    """Names the host page until the visitor has changed all that it has filled in.

    Attributes:
        host: address of the host page, where it has filled something in.
    """

    host: str = ""

    # The arguments of which the form still has the host's values.
    _filled_in: tuple[str, ...] = ()

    def _on_filled_in(self, given: Mapping[str, str], host: str) -> None:
        """Notes which arguments the host page has given."""
        self._filled_in = tuple(name for name, value in given.items() if value)
        self._put(host=host if self._filled_in else "")

    def _on_changed(self, *names: str) -> None:
        """Notes arguments that are the visitor's by now, or empty."""
        self._filled_in = tuple(name for name in self._filled_in if name not in names)
        if not self._filled_in:
            self._put(host="")
