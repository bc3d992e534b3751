"""Names of browsers, as the secure site writes them: it knows what a browser calls itself, and pages and mails say it."""

from typing import Final

from walletmodal.core.language import _
from walletmodal.core.language.text import recalled

ON: Final = " on "
"""Between a browser and the system that it runs on."""


def browser_text(name: str) -> str:
    """A name such as `Firefox on Linux`, to be said in any language."""
    browser, on, system = name.partition(ON)
    # Translators: such as: Firefox on Linux
    return _("{browser} on {system}", browser=browser, system=system) if on else recalled(name)
