"""The Reflex example: what a visitor sees stands in a state, which only a verified token fills."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from reflex_base.registry import RegistrationContext

from tests.examples.clubs import PAGE, loaded
from walletmodal.testing import FakeModal, FakeWallet


@pytest.fixture(scope="module")
def example() -> Iterator[Any]:
    # Another app may be there in this process: Reflex has one for each such context.
    with FakeModal(PAGE) as modal, modal.believed(), RegistrationContext.ensure_context().fork():
        yield loaded("reflex")


@pytest.fixture
def modal() -> Iterator[FakeModal]:
    with FakeModal(PAGE) as found, found.believed():
        yield found


class Visitor:
    """Runs the handlers that a browser asks for, one after the other."""

    def __init__(self, example: Any) -> None:
        self._class = example.Club
        self.state = example.Club(_reflex_internal_init=True)

    async def enter(self, token: object) -> None:
        """The page hands over a token: what `enter` asks for next is done."""
        asked = [getattr(event, "handler", event).fn.__name__ for event in self._class.enter.fn(self.state, token)]
        assert asked == ["take_token", "open_members"]
        await self.take_token(token)
        await self.open_members()

    async def take_token(self, token: object) -> None:
        """Anything may come."""
        await self._class.take_token.fn(self.state, token)

    async def open_members(self) -> Any:
        """The page for members."""
        return await self._class.open_members.fn(self.state)

    async def stay(self) -> Any:
        """The same, loaded again."""
        return await self._class.stay.fn(self.state)

    def leave(self) -> None:
        """The button."""
        self._class.leave.fn(self.state)


@pytest.fixture
def visitor(example: Any) -> Visitor:
    return Visitor(example)


async def signed_in(visitor: Visitor, modal: FakeModal, wallet: FakeWallet) -> Any:
    session = modal.sign_in(wallet)
    await visitor.enter(modal.token(session))
    return session


@pytest.mark.parametrize("namespace", ["eip155", "solana", "bip122", "polkadot"])
async def test_who_is_signed_in_sees_the_members_page(visitor: Visitor, modal: FakeModal, namespace: str) -> None:
    wallet = FakeWallet(namespace)
    await signed_in(visitor, modal, wallet)
    assert (visitor.state.address, visitor.state.problem) == (wallet.address, "")
    assert await visitor.open_members() is not None


async def test_without_a_sign_in_the_handlers_show_nothing(visitor: Visitor, modal: FakeModal) -> None:
    assert await visitor.open_members() is None
    assert await visitor.stay() is None
    assert (visitor.state.address, visitor.state.problem) == ("", "Sign in with your wallet.")


@pytest.mark.parametrize("token", ["", None, 5, ["x"], {"token": "x"}])
async def test_what_is_no_token_shows_nothing(visitor: Visitor, modal: FakeModal, token: object) -> None:
    await visitor.take_token(token)
    assert await visitor.open_members() is None
    assert visitor.state.address == ""


async def test_no_forged_token_is_taken(visitor: Visitor, modal: FakeModal, example: Any) -> None:
    for why, token in modal.forged_tokens(modal.sign_in(FakeWallet())).items():
        other = Visitor(example)
        await other.enter(token)
        assert other.state.address == "", why


async def test_a_session_that_was_revoked_at_the_modal_ends_here_too(visitor: Visitor, modal: FakeModal) -> None:
    session = await signed_in(visitor, modal, FakeWallet())
    modal.revoke(session)
    await visitor.stay()
    assert visitor.state.address == ""
    assert visitor.state.problem


async def test_while_the_modal_is_away_nobody_is_told_a_lie(visitor: Visitor, modal: FakeModal) -> None:
    await signed_in(visitor, modal, FakeWallet())
    modal.away = True
    await visitor.stay()
    assert (visitor.state.address, visitor.state.problem) == ("", "Whether you are signed in cannot be said now.")


async def test_who_has_signed_out_sees_the_page_no_more(visitor: Visitor, modal: FakeModal) -> None:
    await signed_in(visitor, modal, FakeWallet())
    visitor.leave()
    await visitor.stay()
    assert visitor.state.address == ""
