"""Opening a wallet with the code: which link, in which window, when, and what the visitor sees when it cannot be."""

from typing import Any
from urllib.parse import quote

import pytest

from tests.components.pairing.stage import HOST, Frame

pytestmark = pytest.mark.asyncio(loop_scope="session")

LANTERN: dict[str, Any] = {"kind": "mobile", "link": "lantern://", "name": "Lantern", "namespace": "eip155"}


async def activate(frame: Frame, *, active: bool) -> None:
    """Say whether a click still counts: what a test evaluates in the page counts as one."""
    stub = "active => Object.defineProperty(navigator, 'userActivation', { value: { isActive: active }, configurable: true })"
    await frame.page.evaluate(stub, active)


async def code(frame: Frame) -> str:
    """The code, ready behind the button, and no click that counts."""
    await activate(frame, active=False)
    await frame.show("qr")
    await frame.connect()
    return await frame.code()


async def said(frame: Frame, kind: str) -> list[Any]:
    """All that was said under this type so far."""
    found: list[Any] = await frame.page.evaluate(
        "kind => play.said.filter(({ type }) => type === kind).map(({ payload }) => payload)", kind
    )
    return found


async def test_the_button_opens_the_app_with_the_code(frame: Frame) -> None:
    uri = await code(frame)
    await frame.show("link", **LANTERN)
    await frame.page.get_by_role("button", name="Open Lantern").click()
    assert await frame.said("link") == {
        "href": f"lantern://wc?uri={quote(uri, safe='')}",
        "target": "_self",
        "deep": {"href": "lantern://", "name": "Lantern"},
    }
    assert len(await said(frame, "opened")) == 1


async def test_a_webapp_opens_in_a_tab_of_its_own(frame: Frame) -> None:
    await code(frame)
    await frame.show("link", **{**LANTERN, "kind": "web", "link": "https://lantern.example/"})
    await frame.page.get_by_test_id("pairing-open").click()
    assert (await frame.said("link"))["target"] == "_blank"


async def test_before_the_code_there_is_nothing_to_open(frame: Frame) -> None:
    await frame.show("link", **LANTERN)
    assert await frame.page.get_by_test_id("pairing-open").is_disabled()


async def test_without_a_click_nothing_opens_by_itself(frame: Frame) -> None:
    await code(frame)
    await frame.show("link", **LANTERN)
    await frame.page.get_by_role("button", name="Open Lantern").wait_for()
    assert await said(frame, "link") == []


async def test_the_click_that_led_here_still_opens_the_app_and_only_once(frame: Frame) -> None:
    await code(frame)
    await activate(frame, active=True)
    await frame.show("link", **LANTERN)
    await frame.said("link")
    await frame.connect(again=True)
    await frame.page.get_by_role("button", name="Open Lantern").wait_for()
    assert len(await said(frame, "link")) == 1


async def test_phantom_on_solana_opens_the_page_in_its_own_browser_without_a_code(frame: Frame) -> None:
    await activate(frame, active=False)
    await frame.page.evaluate("url => play.standIn({ url }, [])", HOST)
    await frame.show("link", kind="mobile", link="phantom://", name="Phantom", namespace="solana")
    await frame.page.get_by_test_id("pairing-open").click()
    assert (await frame.said("link"))["href"].startswith(
        "https://phantom.app/ul/browse/https%3A%2F%2Fshop.example%2Fcart"
    )


async def test_a_link_that_would_run_script_is_not_opened_and_is_told(frame: Frame) -> None:
    uri = await code(frame)
    await frame.show("link", **{**LANTERN, "link": "javascript:alert(1)//"})
    await frame.page.get_by_test_id("pairing-open").click()
    assert await frame.page.get_by_role("status").inner_text() == "The wallet's link cannot be opened"
    failure = {"message": "The wallet's link cannot be opened", "uri": uri, "mobile_link": "javascript:alert(1)//"}
    assert await frame.said("failed") == {**failure, "name": "Lantern"}
    assert await said(frame, "link") == []


async def test_without_a_code_the_button_tries_again(frame: Frame) -> None:
    await frame.load(relayUrl="")
    await frame.show("link", **LANTERN)
    await frame.answer(await frame.connect())
    await frame.page.get_by_role("button", name="Try again").click()
    await frame.said("retry")
