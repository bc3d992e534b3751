"""After a whole run nothing that opens the wallet is where it must not be: messages, the modal's lines, storage, logs, databases."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any

import base58
from eth_account import Account
from playwright.sync_api import BrowserContext, WebSocket, expect

from tests.browser.email_visitor import EmailVisitor
from tests.browser.stack import MoveClock, Stack
from tests.browser.visits import Visiting
from tests.closing_click import closing_click
from tests.deliberate_click import deliberate_click

LISTEN = """(() => {
  const told = (event) => { (window.__heard ??= []).push(event.data); };
  addEventListener("message", told, true);
  const port = MessagePort.prototype, { set, get } = Object.getOwnPropertyDescriptor(port, "onmessage");
  Object.defineProperty(port, "onmessage", { get, set(run) { this.addEventListener("message", told); set.call(this, run); } });
  const post = port.postMessage;
  port.postMessage = function (data, ...more) { (window.__heard ??= []).push(data); return post.call(this, data, ...more); };
})()"""
"""Notes what windows and ports are told, before any script of the page runs."""

STORED = """async () => {
  const kept = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie];
  for (const { name } of await indexedDB.databases()) {
    const base = await new Promise((done) => { indexedDB.open(name).onsuccess = ({ target }) => done(target.result); });
    for (const table of base.objectStoreNames) {
      const all = base.transaction(table).objectStore(table).getAll();
      kept.push(JSON.stringify(await new Promise((done) => { all.onsuccess = () => done(all.result); })));
    }
  }
  return kept.join("\\n");
}"""


class Watched:
    """Everything that a browser sends and receives, and what its pages are told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def watch(self, context: BrowserContext) -> None:
        """From the context's first page on."""
        context.add_init_script(LISTEN)
        context.on("request", lambda request: self.lines.append(f"{request.url} {request.post_data or ''}"))
        context.on("console", lambda line: self.lines.append(line.text))
        context.on("page", lambda page: page.on("websocket", self._socket))

    def _socket(self, socket: WebSocket) -> None:
        for event in ("framesent", "framereceived"):
            socket.on(event, lambda frame: self.lines.append(str(frame)))


def forms(data: bytes) -> Iterator[str]:
    """How bytes are written."""
    yield data.hex()
    yield base58.b58encode(data).decode()
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        yield encode(data).decode().rstrip("=")
    yield ",".join(str(byte) for byte in data)


def exported(owner: EmailVisitor) -> tuple[list[str], str, str]:
    """Phrase and keys, out of the window that shows them."""
    owner.modal.open_account()
    owner.modal.part("w3m-profile-button").click()
    owner.modal.part("account-settings-button").click()
    owner.modal.part("account-upgrade").click()
    owner.modal.part("export-begin").click()
    owner.frame.get_by_test_id("recovery-code-input").press_sequentially(owner.code(8))
    with owner.page.expect_popup() as opened:
        deliberate_click(owner.frame.get_by_test_id("window-open"))
    window = opened.value
    for part in ("phrase", "evm", "solana"):
        window.get_by_test_id(f"export-show-{part}").click()
    words = window.get_by_test_id("export-phrase").locator("li").all_inner_texts()
    keys = [window.get_by_test_id(f"export-{part}").inner_text() for part in ("evm", "solana")]
    closing_click(window, window.get_by_test_id("export-done"))
    return words, keys[0], keys[1]


def test_nothing_that_opens_the_wallet_is_left_anywhere(visit: Visiting, stack: Stack, move_clock: MoveClock) -> None:
    watched = Watched()
    owner = EmailVisitor(visit, stack, prepare=watched.watch)
    owner.log_in()
    owner.modal.begin_request("text", "personal_sign", ["0x61", owner.address])
    expect(owner.frame.get_by_test_id("frame-summary")).to_be_visible()
    owner.approve()
    assert owner.modal.outcome("text")["value"]
    move_clock(31)
    words, evm, solana = exported(owner)
    found: Any = Account
    found.enable_unaudited_hdwallet_features()
    assert found.from_mnemonic(" ".join(words)).address == owner.address

    secrets = [" ".join(words), ",".join(words), '","'.join(words), *forms(bytes.fromhex(evm[2:]))]
    secrets += [*forms(base58.b58decode(solana)), *forms(base58.b58decode(solana)[:32])]
    secure = f"http://localhost:{stack.secure_port}"
    places = {"lines": "\n".join(watched.lines)}
    for frame in owner.page.frames:
        name = "secure" if frame.url.startswith(secure) else frame.url
        places[f"storage of {name}"] = frame.evaluate(STORED)
        places[f"messages of {name}"] = frame.evaluate("JSON.stringify(window.__heard ?? [])")
    files = {str(path): path.read_bytes() for path in stack.folder.rglob("*") if path.is_file()}
    assert any(path.endswith(".log") for path in files)
    places |= {path: data.decode("latin-1") for path, data in files.items()}
    # It was looked at where something can be found: the account, which everybody may know.
    assert sum(bool(re.search(owner.address, text, re.IGNORECASE)) for text in places.values()) >= 4
    assert (
        sorted((place, kind) for place, text in places.items() for kind, one in enumerate(secrets) if one in text) == []
    )
