"""A visitor who logs in by email, and what the frame of the secure site shows."""

import re
import secrets
from typing import Any

from playwright.sync_api import FrameLocator, Locator, Page, expect

from tests.browser.host_pages import embedding_page
from tests.browser.polling import until
from tests.browser.servers import ModalServer
from tests.browser.stack import SOLANA, Stack
from tests.browser.visits import Visit, Visiting
from tests.deliberate_click import deliberate_click

NETWORKS = ["eip155:1", "eip155:137", SOLANA]


class EmailVisitor:
    """A visitor of a host page whose modal has the embedded wallet.

    Args:
        visit: makes visitors.
        stack: the running system.
        email: the address; a new one by default.
        site: origin of the host page; the deployment's own by default.
        options: of the modal.
        server: the modal's; one with the embedded wallet by default.
        context: of the browser, such as `color_scheme`.
    """

    def __init__(
        self,
        visit: Visiting,
        stack: Stack,
        *,
        email: str = "",
        site: str = "",
        options: dict[str, Any] | None = None,
        server: ModalServer | None = None,
        **context: Any,
    ) -> None:
        self.stack = stack
        self.email = email or f"{secrets.token_hex(6)}@example.org"
        path = f"/embedded/{secrets.token_hex(4)}"
        self._path = path
        served = server or stack.embedded_modal
        stack.hosts.put(path, embedding_page(served.url, {"networks": NETWORKS, **(options or {})}))
        address = (site or stack.hosts.allowed) + path
        self.visit: Visit = visit(address, server=served, **context)
        self.page, self.modal = self.visit.page, self.visit.modal

    @property
    def frame(self) -> FrameLocator:
        """The secure site's page inside the modal."""
        return self.modal.frame.frame_locator("#w3m-iframe")

    @property
    def otp(self) -> Locator:
        """The boxes of the code."""
        return self.modal.part("wui-otp-input").locator("input")

    def go_to(self, site: str) -> None:
        """Goes to the same page of another site, in the same tab."""
        self.page.goto(site + self._path)

    def ask_for_code(self) -> None:
        """From the host page's button to the boxes of the code."""
        self.modal.open()
        self.modal.part("wui-email-input").locator("input").fill(self.email)
        self.modal.part("email-submit").click()
        self.modal.expect_view("Confirm Email")
        expect(self.otp.first).to_be_focused()

    def code(self, digits: int = 6) -> str:
        """The code of the newest mail that has one of so many digits."""

        def newest() -> str:
            subjects = [mail["subject"] for mail in reversed(self.stack.mails(self.email))]
            found = (re.search(rf"(?<!\d)(\d{{{digits}}})(?!\d)", subject) for subject in subjects)
            return next((match[1] for match in found if match), "")

        return until(newest, what=f"a mail with {digits} digits")

    def enter(self, code: str) -> None:
        """Types a code."""
        self.otp.first.press_sequentially(code)

    def log_in(self, *, offered: bool = False) -> str:
        """From the host page's button to the address at the host; with an authenticator a passkey is `offered`, which is refused."""
        self.ask_for_code()
        self.enter(self.code())
        self.modal.expect_connected()
        if offered:
            self.modal.part("passkey-skip").click()
        self.modal.expect_closed()
        return self.address

    def recover(self) -> str:
        """From the host page's button to the address, on a device that has no half of the wallet."""
        self.ask_for_code()
        self.enter(self.code())
        self.modal.part("recovery-code").click()
        self.frame.get_by_test_id("recovery-code-input").press_sequentially(self.code(8))
        self.modal.expect_connected()
        return self.address

    def begin_social(self, provider: str) -> Page:
        """The window of a provider whose button the modal shows."""
        with self.page.context.expect_page() as opening:
            self.modal.part(f"social-selector-{provider}").click()
        return opening.value

    def approve_in_farcaster(self, account: str = "0") -> None:
        """From the button to the modal's word that Farcaster's app, on a phone, has approved with one of its accounts."""
        self.modal.part("social-selector-farcaster").click()
        code = self.modal.part("wui-qr-code")
        expect(code).to_be_visible()
        phone = self.page.context.new_page()
        phone.goto(str(code.get_attribute("uri")))
        phone.get_by_test_id("farcaster-account").select_option(account)
        phone.get_by_test_id("farcaster-approve").click()
        expect(phone.get_by_test_id("farcaster-result")).to_have_text("Signed in")
        phone.close()
        self.modal.expect_connected()

    def save_address(self, email: str) -> None:
        """Asks for another address, from the settings."""
        self.modal.note_toasts()
        self.modal.api("open", {"view": "AccountSettings"})
        self.modal.part("w3m-account-email-update").click()
        self.modal.part("wui-email-input").locator("input").fill(email)
        self.modal.part("email-save").click()

    def confirm_address(self, email: str) -> None:
        """Types the code that went to it, once that of the present address was right; the account has it then, also after a reload."""
        self.modal.expect_view("Confirm New Email")
        # The view of the first code has left.
        expect(self.otp).to_have_count(6)
        self.email = email
        self.enter(self.code())
        self.modal.expect_toast("Email address changed")
        address = self.address
        self.page.reload()
        self.modal.expect_connected(address)
        self.modal.api("open", {"view": "AccountSettings"})
        expect(self.modal.part("account-person")).to_have_text(email)

    @property
    def address(self) -> str:
        """The Ethereum address at the host."""
        return str(self.modal.api("getAccount", "eip155")["address"])

    def approve(self) -> None:
        """Approves what the frame shows, read to its end."""
        # It grows until its place is as high as it wants; what is out of view then must be scrolled to.
        summary = self.frame.get_by_test_id("frame-summary")
        expect(summary).to_be_visible()
        self.modal.wait(self._read_to_its_end, what="an end of what the frame shows")
        deliberate_click(self.frame.get_by_test_id("frame-approve"))

    def _read_to_its_end(self) -> bool:
        self.frame.locator(".body").evaluate("(body) => body.scrollTo(0, body.scrollHeight)")
        return self.frame.get_by_test_id("frame-approve").is_enabled()

    def begin_solana(self, name: str, method: str, params: dict[str, object]) -> None:
        """Ask the provider of Solana without waiting; `modal.outcome(name)` tells how it ended."""
        self.page.evaluate(
            """([name, method, params]) => {
              const outcomes = (window.__outcomes ??= {});
              outcomes[name] = null;
              window.modal.getProvider("solana").request({method, params}).then(
                (value) => { outcomes[name] = {value: value ?? null}; },
                (error) => { outcomes[name] = {code: error.code ?? null, message: error.message}; });
            }""",
            [name, method, params],
        )


def allow_login(window: Page) -> None:
    """Somebody new logs in at a provider: who has a wallet already would need its key."""
    window.get_by_test_id("login-name").fill(secrets.token_hex(6))
    window.get_by_test_id("login-allow").click()


def code_behind_link(beside: Page, stack: Stack, present: str, following: str) -> str:
    """The code of a change of address, which the page behind the link of its mail shows once the change is approved there."""
    mail = until(lambda: [one for one in stack.mails(present) if "/move/" in one["text"]], what="a mail")[-1]
    link = re.search(r"http\S+/move/\S+", mail["text"])
    assert link, mail["text"]
    page = beside.context.new_page()
    page.goto(link[0])
    expect(page.get_by_text(f"New: {following}")).to_be_visible()
    page.get_by_role("button", name="Approve, and show the code").click()
    shown = re.search(r"\d{6}", page.get_by_role("heading", name="Your code is").inner_text())
    assert shown
    page.close()
    return shown[0]
