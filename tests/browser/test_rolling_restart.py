"""Every server of a deployment is replaced, one after the other, while a visitor fills in a form: there is nothing to be seen of it."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from typing import Final

from playwright.sync_api import WebSocket, expect

from tests.browser.chain import new_account
from tests.browser.servers import ModalServer
from tests.browser.stack import Stack
from tests.browser.test_send import enter, review
from tests.browser.visits import Visiting

_WATCH: Final = """() => {
  const parts = ["w3m-modal-card", "w3m-header-text", "send-amount-input", "send-address-input"];
  const find = (id) => document.querySelector(`[data-testid=${id}]`);
  const first = parts.map(find);
  const title = first[1].textContent;
  window.__flashes = [];
  const look = () => {
    parts.forEach((id, place) => {
      const part = find(id);
      if (part !== first[place]) window.__flashes.push(`${id} is another`);
      else if (!part.checkVisibility({opacityProperty: true, visibilityProperty: true})) window.__flashes.push(`${id} is hidden`);
    });
    if (first[1].textContent !== title) window.__flashes.push(`the title is ${first[1].textContent}`);
    if (document.activeElement !== first[2]) window.__flashes.push("the focus is elsewhere");
    if (first[2].value !== window.__typed) window.__flashes.push(`the amount is ${first[2].value}`);
  };
  window.__typed = first[2].value;
  first[2].addEventListener("input", () => { window.__typed = first[2].value; });
  first[2].focus();
  const frame = () => { look(); requestAnimationFrame(frame); };
  frame();
}"""


def _replace(servers: Sequence[ModalServer]) -> None:
    for server in servers:
        server.restart()


def test_a_form_that_is_being_typed_outlives_a_rolling_restart(visit: Visiting, stack: Stack) -> None:
    servers = stack.balanced_modals
    visitor = visit(server=servers[0])
    sockets: list[WebSocket] = []
    visitor.page.on("websocket", lambda socket: sockets.append(socket) if "/_event" in socket.url else None)
    stack.chain(1).fund(visitor.account.address, "2")
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    receiver = new_account().address
    enter(visitor.modal, "ETH", "0.5", receiver)
    expect(visitor.modal.part("send-preview-button")).to_be_enabled()
    amount = visitor.modal.part("send-amount-input")
    visitor.modal.card.evaluate(_WATCH)
    typed, before = "0.5", len(sockets)
    with ThreadPoolExecutor(1) as operator:
        rolling = operator.submit(_replace, servers)
        # A digit is typed and taken away again, as long as it takes.
        for key in cycle(("1", "Backspace")):
            amount.press(key)
            typed = "0.51" if key == "1" else "0.5"
            visitor.page.wait_for_timeout(100)
            if rolling.done() and key == "1":
                break
        rolling.result()
    assert len(sockets) > before
    assert visitor.modal.card.evaluate("() => window.__flashes") == []
    expect(amount).to_have_value(typed)
    review(visitor.modal)
    expect(visitor.modal.part("send-preview-amount")).to_contain_text(typed)
    expect(visitor.modal.part("send-preview-address")).to_have_text(receiver)
    assert visitor.problems.except_for() == []


def test_a_request_that_waits_for_the_wallet_outlives_a_rolling_restart(visit: Visiting, stack: Stack) -> None:
    servers = stack.balanced_modals
    visitor = visit(server=servers[0])
    visitor.modal.connect(visitor.wallet)
    visitor.modal.begin_request("sign", "personal_sign", ["0x68656c6c6f", visitor.account.address])
    visitor.wallet.await_question("personal_sign")
    _replace(servers)
    visitor.wallet.approve("personal_sign")
    assert visitor.modal.outcome("sign")["value"].startswith("0x")
    assert visitor.wallet.asked("personal_sign") == 1
    assert visitor.problems.except_for() == []
