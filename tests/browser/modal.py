"""The modal as a visitor sees it and as a host page calls it."""

from typing import Any

from playwright.sync_api import FrameLocator, Locator, Page, expect

from tests.browser.polling import until
from tests.browser.wallet import RDNS, TestWallet
from tests.patience import PATIENCE

NOTE_TOASTS = """(body) => {
  const said = (window.__toastsSaid = []);
  new MutationObserver((records) => {
    for (const {addedNodes} of records) for (const node of addedNodes) {
      const message = node.querySelector?.("[data-testid=wui-snackbar-message]");
      if (message?.closest("[aria-live=polite]")) said.push(message.textContent);
    }
  }).observe(body, {childList: true, subtree: true});
}"""


class Modal:
    """The modal in one host page.

    Args:
        page: the host page, with its modal on `window.modal`.
        url: the origin of the modal's server.
    """

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.iframe = page.locator(f'iframe[src^="{url}"]')
        self.frame: FrameLocator = page.frame_locator(f'iframe[src^="{url}"]')

    # what a visitor sees

    def part(self, test_id: str) -> Locator:
        """A part of the frame by its test id."""
        return self.frame.get_by_test_id(test_id)

    @property
    def card(self) -> Locator:
        """The card."""
        return self.part("w3m-modal-card")

    @property
    def title(self) -> Locator:
        """The header's title."""
        return self.part("w3m-header-text")

    @property
    def toast(self) -> Locator:
        """The toast."""
        return self.part("wui-snackbar-message")

    @property
    def retry(self) -> Locator:
        """The button of the connecting view that tries again."""
        return self.part("w3m-connecting-widget-secondary-button")

    @property
    def balance(self) -> Locator:
        """The native balance in the account view."""
        return self.part("account-balance")

    def wallet_row(self, connector: str = RDNS) -> Locator:
        """The row of a wallet on the Connect view."""
        return self.part(f"wallet-selector-{connector}")

    def network_row(self, name: str) -> Locator:
        """The row of a network on the Networks view."""
        return self.part(f"w3m-network-switch-{name}")

    # the host page's elements

    @property
    def connect_button(self) -> Locator:
        """The host page's `wallet-modal-button` while nobody is connected."""
        return self.page.locator("wallet-modal-button").get_by_test_id("connect-button")

    @property
    def account_button(self) -> Locator:
        """The same element once somebody is connected."""
        return self.page.locator("wallet-modal-button").get_by_test_id("account-button")

    # steps

    def open(self) -> None:
        """Click the host page's button and see the Connect view."""
        self.connect_button.click()
        self.expect_view("Connect Wallet")
        # The card is in the frame before the page shows the frame and gives it the focus.
        expect(self.iframe).to_be_visible()

    def open_account(self) -> None:
        """Click the host page's account button and see the Account view."""
        self.account_button.click()
        expect(self.part("disconnect-button")).to_be_visible()
        expect(self.iframe).to_be_visible()

    def choose_wallet(self, connector: str = RDNS) -> None:
        """On the Connect view, pick a wallet."""
        self.wallet_row(connector).click()

    def connect(self, wallet: TestWallet, connector: str = RDNS) -> None:
        """From the host page's button to a connected account and a closed modal."""
        self.open()
        self.choose_wallet(connector)
        wallet.approve()
        self.expect_connected()
        self.expect_closed()

    def disconnect(self) -> None:
        """From the host page's account button to nobody connected."""
        self.open_account()
        self.part("disconnect-button").click()
        self.expect_disconnected()

    # what must hold

    def expect_view(self, title: str) -> None:
        """The view of this title is shown."""
        expect(self.title).to_have_text(title, ignore_case=True)
        expect(self.card).to_be_visible()

    def expect_closed(self) -> None:
        """Nothing is shown, and the host page has its clicks again."""
        expect(self.card).to_be_hidden()
        expect(self.iframe).to_be_hidden()

    def expect_rest(self) -> None:
        """Nothing fades, slides or grows any more; what goes on for ever, as a spinner does, may, and so may what follows the scrolling."""
        resting = """(card) => getComputedStyle(card.closest("[data-testid='w3m-modal-overlay']")).opacity === "1"
          && document.getAnimations().filter(({ timeline }) => timeline === document.timeline).every(
            ({ playState, effect }) => playState !== "running" || effect.getTiming().iterations === Infinity)"""
        self.wait(lambda: self.card.evaluate(resting), what="an end of all movement")

    def note_toasts(self) -> None:
        """From now on the page notes what toasts say: one leaves by itself, perhaps between two looks of a busy machine."""
        self.frame.locator("body").evaluate(NOTE_TOASTS)

    def has_said(self, text: str) -> bool:
        """Whether a toast has said this since `note_toasts`, to screen readers too."""
        said: list[str] = self.frame.locator("body").evaluate("() => window.__toastsSaid")
        return text in said

    def expect_toast(self, text: str) -> None:
        """A toast says this, or has since `note_toasts`."""
        self.wait(lambda: self.has_said(text), what=f"the toast {text!r}")

    def expect_connected(self, address: str | None = None) -> None:
        """The host page knows a connected account (this one)."""
        if address is None:
            self.wait(lambda: self.api("getIsConnectedState"), what="a connected account at the host")
            return
        wanted = address.lower()
        self.wait(lambda: str(self.api("getAddress") or "").lower() == wanted, what=f"{address} at the host")

    def expect_disconnected(self) -> None:
        """The host page knows no connected account."""
        self.wait(lambda: not self.api("getIsConnectedState"), what="nobody connected at the host")

    def expect_network(self, caip2: str) -> None:
        """The host page knows this network as the selected one."""
        self.wait(lambda: self.api("getCaipNetworkId") == caip2, what=f"network {caip2} at the host")

    # the host's API

    def api(self, method: str, *arguments: object) -> Any:
        """Call a method of `window.modal` and wait for its promise; a rejection raises playwright's Error."""
        return self.page.evaluate("([method, args]) => window.modal[method](...args)", [method, list(arguments)])

    def attempt(self, method: str, *arguments: object) -> dict[str, Any]:
        """Call a method of `window.modal`; its outcome as `{value}` or `{code, message}`."""
        outcome: dict[str, Any] = self.page.evaluate(
            """async ([method, args]) => {
              try { return {value: await window.modal[method](...args)}; }
              catch (error) { return {code: error.code ?? null, message: error.message, isError: error instanceof Error}; }
            }""",
            [method, list(arguments)],
        )
        return outcome

    def begin(self, name: str, method: str, *arguments: object) -> None:
        """Call a method of `window.modal` without waiting; `outcome(name)` tells how it ended."""
        self.page.evaluate(
            """([name, method, args]) => {
              const outcomes = (window.__outcomes ??= {});
              outcomes[name] = null;
              Promise.resolve().then(() => window.modal[method](...args)).then(
                (value) => { outcomes[name] = {value: value ?? null}; },
                (error) => { outcomes[name] = {code: error.code ?? null, message: error.message}; });
            }""",
            [name, method, list(arguments)],
        )

    def begin_request(self, name: str, method: str, params: object = None) -> None:
        """Ask the EIP-1193 provider of the modal without waiting; `outcome(name)` tells how it ended."""
        self.page.evaluate(
            """([name, method, params]) => {
              const outcomes = (window.__outcomes ??= {});
              outcomes[name] = null;
              const asked = params === null ? {method} : {method, params};
              Promise.resolve().then(() => window.modal.getProvider("eip155").request(asked)).then(
                (value) => { outcomes[name] = {value: value ?? null}; },
                (error) => { outcomes[name] = {code: error.code ?? null, message: error.message}; });
            }""",
            [name, method, params],
        )

    def request(self, method: str, params: object = None) -> dict[str, Any]:
        """Ask the EIP-1193 provider of the modal; its outcome as `{value}` or `{code, message}`."""
        self.begin_request(method, method, params)
        return self.outcome(method)

    def outcome(self, name: str, *, seconds: float = PATIENCE) -> dict[str, Any]:
        """How a call begun before ended: `{value}` or `{code, message}`."""
        found = self.wait(
            lambda: self.page.evaluate("(name) => window.__outcomes[name]", name),
            what=f"the end of {name}",
            seconds=seconds,
        )
        assert isinstance(found, dict)
        return found

    def pending(self, name: str) -> bool:
        """Whether a call begun before has not ended yet."""
        unfinished: bool = self.page.evaluate("(name) => window.__outcomes[name] === null", name)
        return unfinished

    def wait(self, read: Any, *, what: str, seconds: float = PATIENCE) -> object:
        """Poll while the page lives on."""
        return until(read, what=what, seconds=seconds, wait=lambda pause: self.page.wait_for_timeout(pause * 1000))
