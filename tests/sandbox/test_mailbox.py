"""Mails that the sandbox takes, the page that shows them, and the clock that tests move."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.message import EmailMessage

import aiosmtplib
import httpx
import pytest
from playwright.async_api import Browser, expect

from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.clock import SandboxClock
from walletmodal.sandbox.mailbox import Mailbox
from walletmodal.sandbox.mailbox.mails import KEPT

pytestmark = pytest.mark.asyncio(loop_scope="session")

Rpc = Callable[..., Awaitable[object]]


def mail(to: str = "kim@example.org", subject: str = "Grüße", text: str = "Code: 123456") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "login@example.org", to, subject
    message.set_content(text)
    message.add_alternative(f"<p>{text}</p>", subtype="html")
    return message


async def send(sandbox: Sandbox, message: EmailMessage) -> None:
    await aiosmtplib.send(message, hostname="127.0.0.1", port=sandbox.smtp_port, timeout=10)


async def test_mails_are_listed_newest_last_for_the_address_that_is_asked_for(
    http: httpx.AsyncClient, sandbox: Sandbox
) -> None:
    await send(sandbox, mail(text="first"))
    await send(sandbox, mail("lee@example.org"))
    await send(sandbox, mail("Kim@example.org", text="second"))
    found = (await http.get("/sandbox/mails", params={"to": "kim@EXAMPLE.org"})).json()
    assert [one["text"].strip() for one in found] == ["first", "second"]
    assert found[0]["subject"] == "Grüße"
    assert found[0]["html"].strip() == "<p>first</p>"
    assert len((await http.get("/sandbox/mails")).json()) == 3


async def test_a_reset_empties_the_mailbox(http: httpx.AsyncClient, sandbox: Sandbox) -> None:
    await send(sandbox, mail())
    await http.post("/sandbox/reset")
    assert (await http.get("/sandbox/mails")).json() == []


async def test_the_newest_mails_are_kept() -> None:
    mailbox = Mailbox(SandboxClock())
    for number in range(KEPT + 3):
        mailbox.deliver(["kim@example.org"], mail(subject=str(number)).as_bytes())
    kept = mailbox.newest_last(None)
    assert (len(kept), kept[0]["subject"]) == (KEPT, "3")


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe", b"Content-Type: text/plain; charset=none-such\n\nhello", b"Content-Type: multipart/mixed\n\n--"],
)
async def test_a_malformed_mail_is_kept_as_far_as_it_can_be_read(content: bytes) -> None:
    mailbox = Mailbox(SandboxClock())
    mailbox.deliver(["kim@example.org"], content)
    assert mailbox.newest_last("kim@example.org")[0]["to"] == "kim@example.org"


async def test_the_page_shows_a_mail_that_comes_while_it_is_open_and_runs_nothing_of_it(
    chromium: Browser, sandbox: Sandbox, http: httpx.AsyncClient
) -> None:
    page = await chromium.new_page()
    await page.goto(f"{sandbox.url}/mail")
    await expect(page.get_by_test_id("mail-empty")).to_be_visible()
    await send(sandbox, mail(text="Go to http://localhost:1/device/abc <script>top.document.title='run'</script>"))
    await expect(page.get_by_test_id("mail-text")).to_contain_text("Go to http://localhost:1/device/abc")
    await expect(page.get_by_role("link", name="http://localhost:1/device/abc")).to_be_visible()
    await page.get_by_text("As it looks").click()
    await expect(page.frame_locator("iframe").locator("p")).to_contain_text("Go to")
    assert await page.title() == "Sandbox Mailbox"
    await page.close()


async def test_the_clock_moves_services_and_chains_until_a_reset(
    http: httpx.AsyncClient, sandbox: Sandbox, rpc: Rpc
) -> None:
    async def hours_ahead() -> tuple[int, ...]:
        await send(sandbox, mail())
        at = (await http.get("/sandbox/mails")).json()[-1]["at"]
        block = await rpc("eip155:1", "eth_getBlockByNumber", "latest", False)
        assert isinstance(block, dict)
        now = datetime.now(UTC)
        moments = (datetime.fromisoformat(at), datetime.fromtimestamp(int(block["timestamp"], 16), UTC))
        return tuple(round((moment - now).total_seconds() / 3600) for moment in moments)

    moved = await http.post("/sandbox/clock", json={"seconds": 7200})
    assert moved.json()["ahead"] == 7200
    assert await hours_ahead() == (2, 2)
    assert (await http.delete("/sandbox/clock")).json()["ahead"] == 0
    assert await hours_ahead() == (0, 2)
    await http.post("/sandbox/clock", json={"seconds": 7200})
    await http.post("/sandbox/reset")
    assert (await hours_ahead())[0] == 0


async def test_seconds_are_counted_on_when_the_clock_is_set_back() -> None:
    clock = SandboxClock()
    clock.advance(60)
    before = clock.monotonic()
    clock.reset()
    assert clock.ahead == 0
    assert clock.monotonic() >= before


@pytest.mark.parametrize("seconds", [0, -5, "60", 1.5, 10**12, None])
async def test_the_clock_goes_forward_by_whole_seconds(unchanging_http: httpx.AsyncClient, seconds: object) -> None:
    assert (await unchanging_http.post("/sandbox/clock", json={"seconds": seconds})).status_code == 400
