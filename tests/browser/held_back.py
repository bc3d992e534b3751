"""Requests that are kept waiting, for what happens before something has loaded."""

from playwright.sync_api import BrowserContext, Route


class HeldBack:
    """Keeps the requests of a context that match a pattern waiting until `release`."""

    def __init__(self, context: BrowserContext, pattern: str) -> None:
        self._waiting: list[Route] = []
        self._released = False
        context.route(pattern, self._on_request)

    @property
    def any(self) -> bool:
        """Whether a request waits."""
        return bool(self._waiting)

    def release(self) -> None:
        """Let all go, also those that come later."""
        self._released = True
        waiting, self._waiting = self._waiting, []
        for route in waiting:
            route.continue_()

    def _on_request(self, route: Route) -> None:
        if self._released:
            route.continue_()
        else:
            self._waiting.append(route)
