"""The preview of a transfer: how long from the click on the form's button until its fee and its trial run are on the screen."""

import asyncio
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import cast

import httpx
from eth_typing import ChecksumAddress
from eth_utils.address import to_checksum_address
from playwright.sync_api import Browser, Frame, Page
from web3 import AsyncHTTPProvider, AsyncWeb3
from web3.types import RPCEndpoint, TxParams

from bench.apps import App, served
from bench.browser import ROW, fresh_page, preloaded, wait_for
from bench.figures import Figure, Floor, figure
from bench.sandbox_start import RunningSandbox, running_sandbox
from scripts.build import build_sandbox
from walletmodal.commands.project import CommandError, say

VISITS = 3
PREVIEWS = 8
_CHAIN = "eip155:1"
_USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
_VISITOR = to_checksum_address("0x90f8bf6a479f320ead074411a4b0e7944ea8c9c1")
"""The account of `pages/wallet.js`."""
_GIFTS = {None: 100 * 10**18, f"{_CHAIN}:{_USDC}": 10_000 * 10**6}
_PAINTED = '[data-testid="send-fee"]'


@dataclass(frozen=True)
class Series:
    """The times of one kind of transfer, in ms, and those of a plain library that asks the same node the same."""

    symbol: str
    title: str
    painted: list[float] = field(default_factory=list)
    plain: list[float] = field(default_factory=list)


def preview(browser: Browser, app: App, host: str) -> list[Figure]:
    """The figures, of a coin and of a token.

    Raises:
        CommandError: the sandbox did not start, or there was no preview, or it was not simulated.
    """
    say(f"preview: {VISITS} visitors look at {2 * PREVIEWS} transfers each")
    build_sandbox()
    coin, token = Series("ETH", "of a coin"), Series("USDC", "of a token")
    with running_sandbox() as sandbox:
        give(sandbox)
        services = {"BLOCKCHAIN_URL": f"{sandbox.url}/blockchain", "RPC_URL": f"{sandbox.url}/rpc"}
        with served(replace(app, environment={**app.environment, **services})):
            for _ in range(VISITS):
                with fresh_page(browser) as page:
                    frame = at_form(page, app, host, "WalletSend")
                    for series in (coin, token):
                        _pick(frame, series.symbol)
                        series.painted.extend(_look(page, frame) for _ in range(PREVIEWS))
        # In a thread of its own, for the browser's event loop runs in this one.
        with ThreadPoolExecutor(1) as executor:
            executor.submit(asyncio.run, _ask_plainly(sandbox.evm_url, coin, token)).result()
    beside = "beside it web3, which asks the node one thing after the other and draws nothing"
    return [
        figure(f"preview_{series.symbol.lower()}_ms", f"preview {series.title}: fee and trial run painted", "ms", series.painted, floor=Floor(300), reference=series.plain, note=beside)
        for series in (coin, token)
    ]  # fmt: skip


def give(sandbox: RunningSandbox) -> None:
    """The visitor gets something to send."""
    with httpx.Client(timeout=60, trust_env=False) as client:
        for token, amount in _GIFTS.items():
            gift = {"address": _VISITOR, "chain": _CHAIN, "amount": str(amount), **({"token": token} if token else {})}
            client.post(f"{sandbox.url}/sandbox/faucet", json=gift).raise_for_status()


def at_form(page: Page, app: App, host: str, view: str) -> Frame:
    """A new visitor connects and opens a form."""
    frame = preloaded(page, host, app.url)
    page.evaluate("modal.open(), null")
    frame.locator(ROW).first.click()
    wait_for(page, page, "modal.getIsConnectedState()", "the connection of the wallet")
    page.evaluate("(view) => (modal.open({ view }), null)", view)
    return frame


def _part(name: str) -> str:
    return f'[data-testid="{name}"]'


def _pick(frame: Frame, symbol: str) -> None:
    frame.locator(_part("send-select-token-button")).click()
    frame.locator(_part(f"send-token-{symbol}")).click()
    frame.locator(_part("send-amount-input")).fill("1.5")


def _look(page: Page, frame: Frame) -> float:
    """To somebody who never got anything, so that nothing is known of the receiver."""
    frame.locator(_part("send-address-input")).fill(_stranger())
    button = frame.locator(f"{_part('send-preview-button')}:enabled")
    button.wait_for()
    frame.evaluate("(selector) => __probe.watchElement(selector)", _PAINTED)
    button.click()
    painted = wait_for(page, frame, "__probe.painted", "the painting of the preview")
    took = float(painted - frame.evaluate("__probe.clicked"))
    if not 0 < took < painted:
        raise CommandError(f"the preview was painted {took:.1f} ms after the click, which makes no sense")
    if frame.locator(_part("send-leaves")).count() != 1:
        raise CommandError("the preview does not say what leaves the account")
    frame.locator(_part("send-cancel-button")).click()
    # It leaves in a movement, in which it can still be seen.
    frame.locator(_PAINTED).wait_for(state="detached")
    return took


def _stranger() -> ChecksumAddress:
    return to_checksum_address(f"0x{secrets.token_hex(20)}")


async def _ask_plainly(node: str, *kinds: Series) -> None:
    """What a preview must know, with a plain library."""
    provider = AsyncHTTPProvider(node)
    web3 = AsyncWeb3(provider)
    try:
        for series in kinds:
            for _ in range(VISITS * PREVIEWS):
                started = time.perf_counter()
                await _plain_preview(web3, _transfer(series.symbol))
                series.plain.append((time.perf_counter() - started) * 1000)
    finally:
        await provider.disconnect()


def _transfer(symbol: str) -> TxParams:
    receiver = _stranger()
    call = f"0xa9059cbb{receiver[2:].lower():0>64}{1_500_000:064x}"
    if symbol == "ETH":
        return cast("TxParams", {"from": _VISITOR, "to": receiver, "value": hex(15 * 10**17)})
    return cast("TxParams", {"from": _VISITOR, "to": _USDC, "data": call})


async def _plain_preview(web3: AsyncWeb3[AsyncHTTPProvider], transfer: TxParams) -> None:
    eth = web3.eth
    await eth.get_balance(_VISITOR)
    await eth.get_code(_stranger())
    await eth.fee_history(10, "latest", [50])
    await eth.get_transaction_count(_VISITOR, "pending")
    await eth.estimate_gas(transfer)
    run = {"blockStateCalls": [{"calls": [transfer]}], "traceTransfers": True}
    answer = await web3.provider.make_request(RPCEndpoint("eth_simulateV1"), [run, "latest"])
    if "result" not in answer:
        raise CommandError(f"the node does not simulate: {answer.get('error')}")
