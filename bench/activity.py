"""The activity of an account: whether scrolling through a long history keeps up with the screen."""

from dataclasses import replace

import httpx
from playwright.sync_api import Browser, Page

from bench.apps import App, served
from bench.browser import HOST_BUTTON, ROW, fresh_page, preloaded, wait_for
from bench.figures import Figure, Floor, figure
from bench.host_page import PAGES
from bench.sandbox_start import running_sandbox
from bench.wallet_grid import main_tasks, scroll
from scripts.build import build_sandbox
from walletmodal.commands.project import CommandError, say

ENTRIES = 1000
SCROLLS = 2
_LIST = ".wm-activity"
_ENTRY = '[data-testid^="activity-item-"]'
_VISITOR = "0x90f8bf6a479f320ead074411a4b0e7944ea8c9c1"
"""The account of `pages/wallet.js`."""
_SENDER = "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955"
"""One of the node's own accounts, which it signs for."""


def activity(browser: Browser, app: App, host: str) -> list[Figure]:
    """The figure, of an account that a thousand transactions have reached.

    Raises:
        CommandError: the sandbox did not start, or the list did not show what it should.
    """
    say(f"activity: {SCROLLS} visitors scroll through {ENTRIES} transactions")
    build_sandbox()
    tasks: list[float] = []
    with running_sandbox() as sandbox:
        _fill(sandbox.evm_url)
        knowing = {"BLOCKCHAIN_URL": f"{sandbox.url}/blockchain", "RPC_URL": f"{sandbox.url}/rpc"}
        with served(replace(app, environment={**app.environment, **knowing})):
            for _ in range(SCROLLS):
                with fresh_page(browser) as page:
                    tasks += _pass(browser, page, app, host)
    title = f"activity: tasks while {ENTRIES} transactions are scrolled through"
    return [figure("activity_task_ms", title, "ms of processor", tasks, floor=Floor(50, on="max"))]


def _fill(node: str) -> None:
    """A thousand small payments to the visitor, one after the other: the node mines each at once."""
    payment = {"from": _SENDER, "to": _VISITOR, "value": "0x1"}
    call = {"jsonrpc": "2.0", "id": 1, "method": "eth_sendTransaction", "params": [payment]}
    with httpx.Client(timeout=60, trust_env=False) as client:
        for _ in range(ENTRIES):
            answer = client.post(node, json=call).raise_for_status().json()
            if "error" in answer:
                raise CommandError(f"the node refused a payment to the visitor: {answer['error']}")


def _pass(browser: Browser, page: Page, app: App, host: str) -> list[float]:
    page.context.add_init_script(path=PAGES / "grid.js")
    frame = preloaded(page, host, app.url)
    page.click(HOST_BUTTON)
    frame.locator(ROW).first.click()
    wait_for(page, page, "modal.getIsConnectedState()", "the connection of the wallet")
    page.evaluate("modal.open({ view: 'Transactions' }), null")
    frame.locator(_ENTRY).first.wait_for()
    browser.start_tracing(page=page, categories=["toplevel"])
    scroll(page, frame, _LIST)
    found = main_tasks(browser.stop_tracing())
    seen = frame.locator(_ENTRY).count()
    if seen < ENTRIES:
        raise CommandError(f"only {seen} of the transactions can be scrolled to")
    return found
