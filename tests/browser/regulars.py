"""Visitors who come again: a visit costs what twenty tests cost that need no new one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from tests.browser.visits import Visit

T = TypeVar("T")


class Regular(Generic[T]):
    """A visitor whom the tests of a file have one after the other, each as the first one had: what a test changed is undone behind it.

    Who cannot be brought back does not come again: that test ends with an error, and the next has a new visitor.

    Args:
        arrive: makes the visitor.
        settle: undoes what a test may have changed, and sees that it is undone.
    """

    def __init__(self, arrive: Callable[[], T], settle: Callable[[T], None]) -> None:
        self._arrive = arrive
        self._settle = settle
        self._resting: T | None = None

    @contextmanager
    def returning(self) -> Iterator[T]:
        """The visitor, for one test."""
        visitor, self._resting = self._resting or self._arrive(), None
        yield visitor
        self._settle(visitor)
        self._resting = visitor


def put_away(visitor: Visit) -> None:
    """The wallet has nothing to ask and nothing bad in mind, and nothing is shown."""
    visitor.wallet.repent()
    for question in visitor.wallet.pending():
        visitor.wallet.reject(question["method"])
    visitor.modal.api("close")
    visitor.modal.expect_closed()


def leave(visitor: Visit) -> None:
    """Nobody is connected, and nothing is shown."""
    put_away(visitor)
    if visitor.modal.api("getIsConnectedState"):
        visitor.modal.api("disconnect")
    visitor.modal.expect_disconnected()
    visitor.modal.expect_closed()


def reconnect(visitor: Visit) -> None:
    """The first account is connected on Ethereum, and nothing is shown."""
    visitor.wallet.select_accounts(visitor.account, visitor.other)
    if visitor.wallet.chain_id != 1:
        visitor.wallet.select_chain(1)
    put_away(visitor)
    if not visitor.modal.api("getIsConnectedState"):
        visitor.modal.connect(visitor.wallet)
    visitor.modal.expect_connected(visitor.account.address)
    visitor.modal.expect_network("eip155:1")
