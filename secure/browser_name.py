"""What a browser calls itself, as people know it: for mails and for the list of devices. Anyone can claim anything; nothing is decided by it."""

from typing import Final

from walletmodal.core.language import _
from walletmodal.core.text.browser_text import ON, browser_text

_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_UNKNOWN: Final = _("An unknown browser")
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


def browser_name(user_agent: str) -> str:
    """Such as `Firefox on Linux`; words of ours alone, so that nobody writes into mails."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    if browser and system:
        return f"{browser}{ON}{system}"
    return browser or system or str(_UNKNOWN)


def browser_at(browser: str, site: str) -> str:
    """A name that `browser_name` has given, with the origin of the page that it showed, or "" where nobody knows it."""
    named = browser_text(browser)
    # Translators: such as: Firefox on Linux, at https://app.example.com
    return _("{browser}, at {site}", browser=named, site=site) if site else named
