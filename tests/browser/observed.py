"""What goes wrong in a page without a test looking for it: console errors, uncaught exceptions, refusals by a policy."""

import re

from playwright.sync_api import ConsoleMessage, Error, Page


class Problems:
    """Everything that a page and its frames reported as an error since it was opened."""

    def __init__(self, page: Page) -> None:
        self.errors: list[str] = []
        self.warnings: list[str] = []
        page.on("console", self._on_console)
        page.on("pageerror", self._on_page_error)

    def except_for(self, *patterns: str) -> list[str]:
        """The errors that match none of `patterns` (regular expressions)."""
        return [error for error in self.errors if not any(re.search(pattern, error) for pattern in patterns)]

    def said(self, pattern: str) -> bool:
        """Whether an error or a warning matches."""
        return any(re.search(pattern, text) for text in (*self.errors, *self.warnings))

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"{message.text} ({message.location.get('url', '')})")
        elif message.type == "warning":
            self.warnings.append(message.text)

    def _on_page_error(self, error: Error) -> None:
        self.errors.append(f"uncaught: {error}")
