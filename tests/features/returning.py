"""A tab whose session was lost: how it comes back."""

from __future__ import annotations

from typing import Any

from tests.driver import Driver
from walletmodal.features.resume.state import ResumeState


async def returns(heir: Driver, driver: Driver, **parts: Any) -> None:
    """The socket of the tab is back under its new token."""
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.load(**parts)
