"""What a page asks of a wallet, in JavaScript, and what it gets."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.polling import until


def begin(page: Page, work: str) -> None:
    """Begin something that a wallet answers later."""
    page.evaluate(f"begin(async () => {work})")


def end(page: Page) -> Any:
    """The answer: `{"value": …}`, or `{"code": …, "message": …}`; bytes are hexadecimal."""
    return until(
        lambda: page.evaluate("window.answer"),
        what="the wallet's answer",
        wait=lambda seconds: page.wait_for_timeout(seconds * 1000),
    )


def asked(page: Page, work: str) -> Any:
    """The answer to something that needs no owner."""
    begin(page, work)
    return end(page)
