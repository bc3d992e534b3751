"""A visitor: a browser context, a host page in it, the wallet that the browser brings, and the modal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote, urlencode

from playwright.sync_api import BrowserContext, Page

from tests.browser.chain import TestAccount
from tests.browser.modal import Modal
from tests.browser.observed import Problems
from tests.browser.servers import ModalServer
from tests.browser.wallet import TestWallet


class Place(Protocol):
    """Where a visitor's context comes from."""

    @property
    def context(self) -> BrowserContext:
        """The context."""


@dataclass(frozen=True)
class OwnPlace:
    """A context that was made for one visitor."""

    context: BrowserContext


@dataclass(frozen=True)
class Visit:
    """One visitor of one host page.

    Attributes:
        account: the first account of the visitor's wallet.
        other: the second one.
        address: the URL of the host page.
        place: whose context the visitor has.
    """

    place: Place
    page: Page
    modal: Modal
    wallet: TestWallet
    problems: Problems
    account: TestAccount
    other: TestAccount
    address: str

    @property
    def context(self) -> BrowserContext:
        """The browser context; whoever asks for it may do with it what cannot be undone, so no other visitor will have it."""
        return self.place.context

    def go(self) -> None:
        """Load the host page (again)."""
        self.page.goto(self.address)


def demo_address(origin: str, options: str = "", **query: str) -> str:
    """The URL of the demo page; `options`: JSON that it merges into its options."""
    parts = {**({"options": options} if options else {}), **query}
    return f"{origin}/?{urlencode(parts, quote_via=quote)}" if parts else f"{origin}/"


class Visiting(Protocol):
    """Makes a visitor; see `visit`."""

    def __call__(
        self,
        address: str | None = None,
        *,
        options: Mapping[str, Any] | None = None,
        query: Mapping[str, str] | None = None,
        server: ModalServer | None = None,
        modal_url: str | None = None,
        wallet: Mapping[str, Any] | None = None,
        before: Sequence[str] = (),
        prepare: Callable[[BrowserContext], None] | None = None,
        context: BrowserContext | None = None,
        load: bool = True,
        **context_options: Any,
    ) -> Visit:
        """Make a visitor and load the host page."""
