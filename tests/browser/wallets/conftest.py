"""A page that a wallet can be put into, without any server."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

ORIGIN = "http://dapp.test/"
DOCUMENT = """<!doctype html><html lang="en"><title>dapp</title><link rel="icon" href="data:,"><script>
window.heard = [];
const hex = (value) => value instanceof Uint8Array ? Array.from(value, (b) => b.toString(16).padStart(2, "0")).join("") : value;
window.bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));
window.begin = (work) => { window.answer = null; work().then(
  (value) => { window.answer = { value: JSON.parse(JSON.stringify(value, (_, one) => hex(one))) }; },
  ({ code, message }) => { window.answer = { code, message }; }); };
</script></html>"""

OpenPage = Callable[[str], Page]


@pytest.fixture
def open_dapp(chromium: Browser) -> Iterator[OpenPage]:
    """Open the page with an init script."""
    context = chromium.new_context()
    context.route("**/*", lambda route: route.fulfill(body=DOCUMENT, content_type="text/html"))

    def opened(script: str) -> Page:
        context.add_init_script(script)
        page = context.new_page()
        page.goto(ORIGIN)
        return page

    yield opened
    context.close()
