"""The demo host page: its options, its policy, its life without a modal."""

import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import ConsoleMessage, Page, expect

from walletmodal import sandbox
from walletmodal.core.protocol.views import VIEWS
from walletmodal.sandbox import Sandbox

pytestmark = pytest.mark.asyncio(loop_scope="session")

OpenPage = Callable[..., Awaitable[Page]]


async def test_the_modal_gets_the_demo_options(open_page: OpenPage) -> None:
    page = await open_page()
    created = await page.evaluate("window.created")
    assert len(created) == 1
    assert created[0]["networks"][:2] == ["eip155:1", "eip155:137"]
    assert await page.evaluate("window.modal !== undefined")


async def test_options_of_the_address_are_merged(open_page: OpenPage) -> None:
    given = {"networks": ["eip155:10"], "metadata": {"name": "Mine"}, "__proto__": {"bad": 1}}
    page = await open_page("/?options=" + quote(json.dumps(given)))
    (created,) = await page.evaluate("window.created")
    assert created["networks"] == ["eip155:10"]
    assert created["metadata"]["name"] == "Mine"
    assert created["metadata"]["description"]
    assert await page.evaluate("({}).bad") is None


@pytest.mark.parametrize(("given", "places"), [({"enableEmbedded": True}, 1), ({"enableEmbedded": False}, 0), ({}, 0)])
async def test_an_embedded_modal_has_a_place_in_the_page(
    open_page: OpenPage, given: dict[str, bool], places: int
) -> None:
    page = await open_page("/?options=" + quote(json.dumps(given)))
    await expect(page.locator("wallet-modal-embed")).to_have_count(places)


async def test_every_namespace_is_one_link_away(open_page: OpenPage) -> None:
    page = await open_page("/?csp=strict")
    await page.get_by_test_id("demo-namespaces").click()
    await page.wait_for_url("**/?csp=strict&networks=all")
    (created,) = await page.evaluate("window.created")
    assert {chain.split(":")[0] for chain in created["networks"]} == {"eip155", "solana", "bip122"}
    assert (await page.evaluate("window.added"))[0] == "polkadot"
    await page.get_by_test_id("demo-namespaces").click()
    await page.wait_for_url("**/?csp=strict")


@pytest.mark.parametrize("given", ["{", "[]", "null", "1"])
async def test_wrong_options_are_told_and_left_out(open_page: OpenPage, given: str) -> None:
    page = await open_page("/?options=" + quote(given))
    await expect(page.get_by_test_id("demo-notice")).to_contain_text("?options=")
    (created,) = await page.evaluate("window.created")
    assert created["networks"][0] == "eip155:1"


async def test_without_the_modal_the_page_says_so(open_page: OpenPage, sandbox: Sandbox) -> None:
    page = await open_page(loader=False)
    notice = page.get_by_test_id("demo-notice")
    await expect(notice).to_contain_text(f"{sandbox.settings.modal_origin}/walletmodal.js")
    await expect(page.get_by_test_id("demo-open")).to_be_disabled()


async def test_the_strict_policy_carries_the_lines_for_hosts(http: httpx.AsyncClient, sandbox: Sandbox) -> None:
    policy = (await http.get("/?csp=strict")).headers["content-security-policy"].split("; ")
    modal = sandbox.settings.modal_origin
    assert policy[:3] == [f"script-src 'self' {modal}", f"frame-src {modal}", f"connect-src 'self' {modal}"]
    assert "default-src 'none'" in policy
    assert not any("unsafe" in directive for directive in policy)


async def test_the_page_breaks_no_line_of_the_strict_policy(open_page: OpenPage) -> None:
    page = await open_page("/?csp=strict")
    refused: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            refused.append(message.text)

    page.on("console", note)
    await page.reload()
    await page.get_by_test_id("sandbox-wallet-toggle").click()
    await expect(page.get_by_test_id("sandbox-wallet-status")).to_be_visible()
    assert refused == []


async def test_wallet_none_leaves_the_wallet_out(open_page: OpenPage) -> None:
    page = await open_page("/?wallet=none")
    assert await page.evaluate("window.created.length") == 1
    await expect(page.get_by_test_id("sandbox-wallet-toggle")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_axe_finds_nothing(open_page: OpenPage, theme: str) -> None:
    page = await open_page()
    await page.get_by_role("radio", name=theme.capitalize()).check()
    await page.get_by_test_id("sandbox-wallet-toggle").click()
    # Colours on their way to the other theme are not the colours that people read.
    await page.wait_for_function("document.getAnimations().length === 0")
    found = await Axe().run(page)
    assert [(one["id"], one["nodes"][0]["html"]) for one in found.response["violations"]] == []


@pytest.mark.parametrize("width", [360, 390])
async def test_a_phone_scrolls_in_one_direction_only(open_page: OpenPage, width: int) -> None:
    page = await open_page()
    await page.set_viewport_size({"width": width, "height": 844})
    assert await page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("path", ["/phone/nope.js", "/demo/../settings.py", "/demo/nope.js"])
async def test_what_is_not_there_is_404(http: httpx.AsyncClient, path: str) -> None:
    assert (await http.get(path)).status_code == 404


async def test_every_view_that_the_page_offers_is_there() -> None:
    page = (Path(str(sandbox.__file__)).parent / "web" / "demo" / "index.html").read_text("utf-8")
    choices = re.search(r'<select id="view".*?</select>', page, re.DOTALL)
    assert choices is not None
    assert set(re.findall(r"<option>(\w+)</option>", choices[0])) <= VIEWS.keys()


async def test_what_came_of_an_action_is_read_in_its_own_card(open_page: OpenPage) -> None:
    page = await open_page()
    await page.evaluate("window.modal.open = () => Promise.reject(new Error('on purpose')); null")
    await page.get_by_test_id("demo-open").click()
    card = page.locator(".card", has=page.get_by_test_id("demo-open"))
    await expect(card.get_by_test_id("demo-result")).to_have_text("on purpose")


async def test_who_declines_reads_nothing_red(open_page: OpenPage) -> None:
    page = await open_page()
    await page.evaluate(
        "window.modal.open = () => Promise.reject(Object.assign(new Error('no'), { code: 4001 })); null"
    )
    await page.get_by_test_id("demo-open").click()
    result = page.get_by_test_id("demo-result")
    await expect(result).to_have_text("You declined.")
    await expect(result).to_have_attribute("data-failed", "false")


async def test_the_log_holds_no_pictures(open_page: OpenPage) -> None:
    page = await open_page()
    await page.evaluate("window.modal.open = async () => ({ icon: 'data:image/png;base64,' + 'A'.repeat(500) }); null")
    await page.get_by_test_id("demo-open").click()
    await expect(page.get_by_test_id("demo-log")).to_contain_text("open")
    log = await page.get_by_test_id("demo-log").evaluate("(list) => list.textContent")
    assert "data:image/png;base64,…" in log
    assert "AAAA" not in log


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"authorization": "Bearer x"}, 403),
        ({"origin": "https://evil.example", "authorization": "Bearer x"}, 403),
        ({"origin": "{demo}"}, 401),
        ({"origin": "{demo}", "authorization": "Basic x"}, 401),
        # Nobody is at the modal's address here, so its keys are not known.
        ({"origin": "{demo}", "authorization": "Bearer x"}, 503),
    ],
)
async def test_the_pages_server_lets_nobody_in_without_the_modals_word(
    http: httpx.AsyncClient, sandbox: Sandbox, headers: dict[str, str], status: int
) -> None:
    sent = {name: value.replace("{demo}", sandbox.settings.demo_origins[0]) for name, value in headers.items()}
    assert (await http.post("/demo/session", headers=sent)).status_code == status


async def test_the_element_of_buying_is_placed_on_wish(open_page: OpenPage) -> None:
    page = await open_page()
    await page.get_by_test_id("demo-onramp").click()
    await expect(page.locator("wallet-modal-onramp")).to_have_count(1)
    # There is nothing to tell of it.
    await expect(page.get_by_test_id("demo-result")).to_be_hidden()
