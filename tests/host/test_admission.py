"""Who is admitted, where no framework is involved: event loops that wait for nobody, and what is refused in a crowd."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from threading import Event

import pytest
import pytest_asyncio

from tests.host.modal_server import ModalServer, host, token
from tests.host.test_tokens import ADDRESS, PAGE
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import ModalUnreachableError
from walletmodal.host import Modal, SignedIn
from walletmodal.host.admission import MAX_WAITING, UNREACHABLE, Admission, Admitted, Refusal, Visit, bearer_token


class SilentModal(Modal):
    """Does not answer until it is let go."""

    def __init__(self) -> None:
        super().__init__("https://modal.example", PAGE)
        self.free = Event()

    def verify(self, *_args: object, **_more: object) -> SignedIn:
        self.free.wait()
        raise ModalUnreachableError("it was silent")


@pytest_asyncio.fixture
async def silent() -> AsyncIterator[SilentModal]:
    modal = SilentModal()
    yield modal
    modal.free.set()


VISIT = Visit("GET", authorization="Bearer x.y.z")


async def test_an_event_loop_goes_on_while_the_modal_is_silent(silent: SilentModal) -> None:
    asked = asyncio.create_task(Admission(silent).admit_soon(VISIT))
    for _ in range(100):
        await asyncio.sleep(0)
    assert not asked.done()
    silent.free.set()
    assert await asked == UNREACHABLE


async def test_a_crowd_that_waits_for_a_silent_modal_is_bounded(silent: SilentModal) -> None:
    admission = Admission(silent)
    waiting = [asyncio.create_task(admission.admit_soon(VISIT)) for _ in range(MAX_WAITING)]
    await asyncio.sleep(0)
    assert await admission.admit_soon(VISIT) == UNREACHABLE
    silent.free.set()
    assert set(map(type, await asyncio.gather(*waiting))) == {Refusal}


async def test_whoever_gives_up_makes_room_for_others(
    silent: SilentModal, server: ModalServer, clock: MovableClock
) -> None:
    waiting = [asyncio.create_task(Admission(silent).admit_soon(VISIT)) for _ in range(MAX_WAITING)]
    await asyncio.sleep(0)
    for each in waiting:
        each.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    silent.free.set()
    visit = Visit("GET", authorization=f"Bearer {token(server)}")
    found = await Admission(host(server, clock)).admit_soon(visit)
    assert isinstance(found, Admitted)
    assert found.signed_in.address == ADDRESS


def test_a_log_tells_why_and_never_the_token(
    server: ModalServer, clock: MovableClock, caplog: pytest.LogCaptureFixture
) -> None:
    forged = token(server, aud="https://evil.example")
    with caplog.at_level(logging.INFO, logger="walletmodal.host"):
        Admission(host(server, clock)).admit(Visit("GET", authorization=f"Bearer {forged}"))
    expected = f"it is for 'https://evil.example', and WALLETMODAL_AUDIENCE is {PAGE!r}"
    assert caplog.record_tuples == [
        ("walletmodal.host", logging.WARNING, f"A sign-in is refused: audience: {expected}")
    ]


def test_a_token_whose_time_is_over_is_no_warning(
    server: ModalServer, clock: MovableClock, caplog: pytest.LogCaptureFixture
) -> None:
    old = token(server)
    admission = Admission(host(server, clock))
    clock.advance(3600)
    with caplog.at_level(logging.INFO, logger="walletmodal.host"):
        admission.admit(Visit("GET", authorization=f"Bearer {old}"))
    ((_, level, message),) = caplog.record_tuples
    assert (level, message[:42]) == (logging.INFO, "A sign-in is refused: time: it counts from")


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("Bearer a.b.c", "a.b.c"),
        ("bearer a.b.c", "a.b.c"),
        ("  Bearer   a.b.c  ", "a.b.c"),
        ("Bearer", ""),
        ("Bearer a b", "a b"),
        ("Bearera.b.c", None),
        ("Basic a.b.c", None),
        ("", None),
        (None, None),
    ],
)
def test_a_token_is_what_stands_behind_bearer(header: str | None, found: str | None) -> None:
    assert bearer_token(header) == found
