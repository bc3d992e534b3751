"""The sandbox's clock: the machine's, and ahead of it by what tests have moved it."""

from datetime import datetime, timedelta

from walletmodal.core.clock import SystemClock


class SandboxClock(SystemClock):
    """The machine's clock with an offset, which the control moves."""

    def __init__(self) -> None:
        self._ahead = 0
        self._moved = 0

    @property
    def ahead(self) -> int:
        """Seconds that it is ahead of the machine's."""
        return self._ahead

    def now(self) -> datetime:
        """Civil time, in UTC."""
        return super().now() + timedelta(seconds=self._ahead)

    def monotonic(self) -> float:
        """Seconds since the machine's start, and those that it was ever moved by."""
        return super().monotonic() + self._moved

    def advance(self, seconds: int) -> None:
        """Move it forward."""
        self._ahead += seconds
        self._moved += seconds

    def reset(self) -> None:
        """Set it to the machine's time; what counts seconds alone does not go back."""
        self._ahead = 0
