"""The code on the screen: readable, four minutes long, and never without a successor."""

import io
import re

import pytest
import zxingcpp
from PIL import Image

from tests.components.pairing.phone import Phone
from tests.components.pairing.stage import Frame
from tests.components.pairing.test_pairing import paired

pytestmark = pytest.mark.asyncio(loop_scope="session")

BEFORE_THE_CHANGE = 215
THE_CHANGE = 16
"""The page's own time goes on beside what is let pass, and a busy machine may take some seconds for that."""


async def read(frame: Frame) -> str:
    """What a phone's camera reads."""
    picture = Image.open(io.BytesIO(await frame.page.get_by_test_id("wui-qr-code").screenshot()))
    found = zxingcpp.read_barcode(picture)
    assert found is not None
    return str(found.text)


async def shown(frame: Frame, **props: str) -> str:
    """A code on the screen, faded in; gives back its link."""
    await frame.page.emulate_media(reduced_motion="reduce")
    await frame.show("qr", **props)
    await frame.connect()
    return await frame.code()


@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_a_camera_reads_the_code(frame: Frame, theme: str) -> None:
    await frame.page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    assert await shown(frame) == await read(frame)


async def test_a_camera_reads_the_code_with_a_wallets_picture_in_it(frame: Frame) -> None:
    picture = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><rect width='99' height='99'/></svg>"
    assert await shown(frame, logo=picture, name="Lantern") == await read(frame)


async def test_a_picture_that_does_not_load_makes_room_for_our_own(frame: Frame) -> None:
    await shown(frame, logo="data:image/png;base64,AAAA")
    await frame.page.locator("svg.wm-qr-logo").wait_for()


async def test_the_code_has_a_name_and_says_that_it_is_there(frame: Frame) -> None:
    await shown(frame, name="Lantern")
    await frame.page.get_by_role("img", name="Pairing code for Lantern").wait_for()
    assert await frame.page.get_by_role("status").inner_text() == "The code is ready to be scanned"


async def test_the_code_takes_the_colour_of_the_host(frame: Frame) -> None:
    await frame.page.evaluate("document.documentElement.style.setProperty('--w3m-qr-color', 'rgb(12, 34, 56)')")
    await shown(frame)
    # However the browser spells it.
    painted = await frame.page.locator(".wm-qr-lines").evaluate(
        """line => {
            const paper = document.createElement("canvas").getContext("2d");
            paper.fillStyle = getComputedStyle(line).stroke;
            paper.fillRect(0, 0, 1, 1);
            return [...paper.getImageData(0, 0, 1, 1).data];
        }"""
    )
    assert painted == [12, 34, 56, 255]


async def test_its_link_can_be_copied(frame: Frame) -> None:
    await frame.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    code = await shown(frame)
    await frame.page.get_by_test_id("copy-wc2-uri").click()
    await frame.page.wait_for_function("async code => await navigator.clipboard.readText() === code", arg=code)


async def test_before_the_code_there_is_nothing_to_copy(frame: Frame) -> None:
    await frame.show("qr")
    assert await frame.page.get_by_test_id("copy-wc2-uri").is_disabled()


async def test_the_countdown_runs(frame: Frame) -> None:
    await frame.page.clock.install()
    await frame.load()
    await shown(frame)
    timer = frame.page.get_by_role("timer")
    assert re.fullmatch(r"New code in 3:(50|4\d)", await timer.inner_text())
    await frame.let_pass(60)
    assert re.fullmatch(r"New code in 2:(50|4\d)", await timer.inner_text())


async def test_a_fresh_code_comes_ten_seconds_before_the_end_and_the_old_one_still_counts(
    frame: Frame, phone: Phone
) -> None:
    await frame.page.clock.install()
    await frame.load()
    await frame.show("qr")
    question = await frame.connect()
    code = await frame.code()
    await frame.let_pass(BEFORE_THE_CHANGE)
    assert await frame.code() == code
    await frame.let_pass(THE_CHANGE)
    assert await frame.code(other_than=code)
    proposal = await phone.scan(code)
    await phone.do("approve", id=proposal["id"])
    await frame.let_pass(1)
    assert (await frame.answer(question))["ok"]


async def test_a_code_that_nobody_looks_at_is_not_renewed(frame: Frame) -> None:
    await frame.page.clock.install()
    await frame.load()
    code = await shown(frame)
    await frame.show("nothing")
    asked = len(frame.theatre.calls("/wc_proposeSession"))
    await frame.let_pass(BEFORE_THE_CHANGE + 30)
    assert len(frame.theatre.calls("/wc_proposeSession")) == asked
    await frame.show("qr")
    assert await frame.code(other_than=code)


async def test_connected_there_is_no_code_any_more(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    await frame.page.get_by_test_id("wui-qr-code").wait_for(state="detached")
