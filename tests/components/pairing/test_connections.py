"""How many connections to the relay a code and a session take."""

import pytest

from tests.components.pairing.phone import Phone
from tests.components.pairing.stage import Frame
from tests.components.pairing.test_pairing import paired, signed
from tests.components.pairing.test_signing import asked, begin

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_code_takes_one_connection(frame: Frame) -> None:
    await frame.show("qr")
    await frame.connect()
    await frame.code()
    assert len(frame.sockets) == 1


async def test_a_code_under_which_the_wallet_signs_takes_one_connection(frame: Frame) -> None:
    await begin(frame, asked())
    await frame.code()
    assert len(frame.sockets) == 1


async def test_an_attested_code_takes_one_connection(frame: Frame) -> None:
    await frame.load(verifyUrl=f"{frame.theatre.url}/verify")
    await frame.show("qr")
    await frame.connect()
    await frame.code()
    assert len(frame.sockets) == 1


async def test_a_fresh_code_goes_over_the_connection_that_stands(frame: Frame) -> None:
    await frame.show("qr")
    await frame.connect()
    first = await frame.code()
    await frame.connect(again=True)
    await frame.code(other_than=first)
    assert len(frame.sockets) == 1


async def test_a_session_from_before_takes_one_connection(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    await frame.load()
    frame.sockets.clear()
    await frame.ask("sessions")
    # Asked once more, as by a loader whose frame has lost its server: by then the connection stands.
    await signed(frame, phone)
    await frame.ask("sessions")
    await signed(frame, phone)
    assert len(frame.sockets) == 1
