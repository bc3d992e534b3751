"""What a list of wallets makes ready before one of them is chosen."""

from typing import Any

import pytest

from tests.components.pairing.stage import Frame

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def chosen(frame: Frame) -> list[Any]:
    """The rows that were chosen, after a tap on each."""
    for row in ("App", "Browser"):
        await frame.page.get_by_role("button", name=row).click()
    rows: list[Any] = await frame.page.evaluate(
        "play.said.filter(({ type }) => type === 'chosen').map(({ payload }) => payload.row)"
    )
    return rows


async def test_on_a_phone_the_sdk_comes_with_the_list(frame: Frame) -> None:
    async with frame.page.expect_response(lambda response: "/client-" in response.url):
        await frame.show("list", mode="load")
    assert await chosen(frame) == ["app", "browser"]


async def test_rows_that_need_a_code_wait_for_it_and_the_others_do_not(frame: Frame) -> None:
    await frame.show("list", mode="code")
    assert await chosen(frame) == ["browser"]


async def test_the_wait_is_said(frame: Frame) -> None:
    await frame.show("list", mode="code")
    assert await frame.page.get_by_role("status").inner_text() == "Preparing the link to your wallet"


async def test_with_the_code_they_can_be_chosen(frame: Frame) -> None:
    await frame.ask("sessions")
    await frame.show("list", mode="code")
    await frame.connect(ahead=True)
    # After twelve seconds rows wait no longer, code or not.
    await frame.page.locator(".wm-pairing-ahead[data-waits=false]").wait_for(state="attached", timeout=11_000)
    assert await chosen(frame) == ["app", "browser"]


async def test_a_code_that_never_comes_is_not_waited_for_without_an_end(frame: Frame) -> None:
    await frame.page.clock.install()
    await frame.load()
    await frame.show("list", mode="code")
    await frame.page.clock.run_for(13_000)
    assert await chosen(frame) == ["app", "browser"]


async def test_without_a_relay_nobody_waits(frame: Frame) -> None:
    await frame.load(relayUrl="")
    await frame.show("list", mode="code")
    await frame.answer(await frame.connect(ahead=True))
    assert await chosen(frame) == ["app", "browser"]
