"""Pages that the deployment does not allow, and that want the modal all the same: framed, by way of a host, opened, or beside it."""

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.browser.host_pages import embedding_page, framing_page
from tests.browser.polling import until
from tests.browser.stack import Stack
from tests.browser.visits import Visiting

FORGE = """
window.forge = (frame, id) => {
  const channel = new MessageChannel();
  frame.postMessage({v: 1, id, type: "walletmodal:port", payload: {}}, "*", [channel.port2]);
};
"""
ANSWER = (
    FORGE
    + """
addEventListener("message", (event) => forge(event.source, event.data?.id));
addEventListener("load", () => forge(frames[0], "0".repeat(32)));
"""
)
REFUSED = "chrome-error:"
"""Where Chromium shows its own page in the place of one that may not be framed."""


def frame_at(page: Page, url: str) -> Frame:
    """A frame once it is there."""

    def found() -> list[Frame]:
        return [frame for frame in page.frames if frame.url.startswith(url)]

    return until(found, what=f"a frame at {url}", wait=lambda s: page.wait_for_timeout(s * 1000))[0]


def framed(page: Page, stack: Stack) -> list[str]:
    """What of the modal is in the page's frames."""
    return [frame.url for frame in page.frames if frame.url.startswith(stack.modal.url)]


def test_a_page_that_answers_whatever_it_hears_hears_nothing(visit: Visiting, stack: Stack) -> None:
    stack.hosts.put("/answers-all", framing_page(stack.modal.url, ANSWER))
    stranger = visit(f"{stack.hosts.refused}/answers-all", load=False)
    sockets: list[str] = []
    stranger.page.on("websocket", lambda socket: sockets.append(socket.url))
    stranger.go()
    frame_at(stranger.page, REFUSED)
    assert (stranger.page.evaluate("received"), framed(stranger.page, stack), sockets) == ([], [], [])


def test_a_host_that_is_framed_by_a_page_that_is_not_allowed_has_no_modal(visit: Visiting, stack: Stack) -> None:
    """What is laid over a host page's buttons leads no click into the modal."""
    stack.hosts.put("/host", embedding_page(stack.modal.url, body="<script>modal.open().catch(() => {})</script>"))
    stack.hosts.put("/around", f'<!doctype html><iframe title="host" src="{stack.hosts.allowed}/host"></iframe>')
    stranger = visit(f"{stack.hosts.refused}/around")
    refused = frame_at(stranger.page, REFUSED)
    assert refused.parent_frame is not None
    assert refused.parent_frame.url == f"{stack.hosts.allowed}/host"
    assert framed(stranger.page, stack) == []


def test_a_page_that_opens_the_modal_gets_no_port_of_it(visit: Visiting, stack: Stack) -> None:
    stack.hosts.put("/opens", f"<!doctype html><title>Opens</title><script>{FORGE}</script>")
    stranger = visit(f"{stack.hosts.refused}/opens")
    with stranger.page.expect_popup() as opened:
        stranger.page.evaluate("(url) => { window.opened = open(url); }", f"{stack.modal.url}/")
    expect(opened.value.get_by_test_id("w3m-modal-card")).to_be_visible()
    before = opened.value.evaluate("__walletmodal.dropped")
    stranger.page.evaluate("forge(opened, '0'.repeat(32))")
    opened.value.wait_for_function("(before) => __walletmodal.dropped > before", arg=before)
    assert opened.value.evaluate("__walletmodal.origin") == stack.modal.url


def test_a_frame_beside_the_modals_gets_no_port_even_with_the_right_nonce(visit: Visiting, stack: Stack) -> None:
    stack.hosts.put(
        "/beside",
        f"<!doctype html><script>{FORGE} addEventListener('message', ({{data}}) => forge(parent.frames[0], data));</script>",
    )
    tell = "addEventListener('message', ({data}) => { window.nonce = data.id; });"
    body = f'<iframe id="beside" title="beside" src="{stack.hosts.refused}/beside"></iframe></body>'
    stack.hosts.put("/with-another", framing_page(stack.modal.url, tell).replace("</body>", body))
    visitor = visit(f"{stack.hosts.allowed}/with-another")
    visitor.page.wait_for_function("window.nonce")
    visitor.page.evaluate("document.getElementById('beside').contentWindow.postMessage(nonce, '*')")
    modal = frame_at(visitor.page, stack.modal.url)
    modal.wait_for_function("__walletmodal.dropped === 1")
    assert modal.evaluate("__walletmodal.port") is None


@pytest.mark.parametrize("page", ["sdk", "sdk?projectId=x", "popup", "popup#export"])
def test_a_page_that_is_not_allowed_does_not_frame_the_secure_site(visit: Visiting, stack: Stack, page: str) -> None:
    secure = f"http://localhost:{stack.secure_port}"
    stack.hosts.put("/frames-secure", f'<!doctype html><iframe title="wallet" src="{secure}/{page}"></iframe>')
    stranger = visit(f"{stack.hosts.refused}/frames-secure")
    frame_at(stranger.page, REFUSED)
    assert [frame.url for frame in stranger.page.frames if frame.url.startswith(secure)] == []
