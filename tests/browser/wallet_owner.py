"""The owner of a wallet in a page, from a test's side: what every test wallet has, whatever its namespace."""

from typing import Any, ClassVar, TypedDict

from playwright.sync_api import Page

from tests.browser.polling import until
from tests.patience import PATIENCE


class Question(TypedDict):
    """Something that the wallet asks its owner."""

    id: int
    method: str
    params: Any


class WalletOwner:
    """The owner of the wallet in one page.

    Attributes:
        HANDLE: the name on `window` under which the wallet's bundle leaves its handle.
        CONNECT: what the wallet calls the question whether a site may connect.
    """

    HANDLE: ClassVar[str]
    CONNECT: ClassVar[str]

    def __init__(self, page: Page) -> None:
        self._page = page

    def pending(self) -> list[Question]:
        """What waits for the owner, oldest first."""
        found: list[Question] = self._do("pending")
        return found

    def asked(self, method: str) -> int:
        """How often the owner of this page's wallet was asked for `method`."""
        return sum(question["method"] == method for question in self._do("log"))

    def await_question(self, method: str | None = None, *, seconds: float = PATIENCE) -> Question:
        """Wait until the owner is asked for `method`, by default whether a site may connect."""
        wanted = method or self.CONNECT
        waiting = until(
            lambda: [question for question in self.pending() if question["method"] == wanted],
            what=f"the wallet being asked for {wanted}",
            seconds=seconds,
            wait=self._wait,
        )
        return waiting[0]

    def approve(self, method: str | None = None) -> Question:
        """Wait for the question and agree."""
        question = self.await_question(method)
        self._do("approve", question["id"])
        return question

    def reject(self, method: str | None = None) -> Question:
        """Wait for the question and refuse (4001)."""
        question = self.await_question(method)
        self._do("reject", question["id"])
        return question

    def lock(self, *, locked: bool = True) -> None:
        """The owner locks the wallet, or unlocks it."""
        self._do("lock", locked)

    def revoke(self) -> None:
        """The owner disconnects the site."""
        self._do("revoke")

    def _do(self, method: str, *arguments: object) -> Any:
        return self._page.evaluate(
            "([handle, method, args]) => window[handle][method](...args)", [self.HANDLE, method, list(arguments)]
        )

    def _wait(self, seconds: float) -> None:
        self._page.wait_for_timeout(seconds * 1000)
