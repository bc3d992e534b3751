"""One tab, two hosts of one site: the frame's session goes on from the one to the other, and takes nothing along."""

import pytest

from tests.browser.host_pages import embedding_page
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting


@pytest.fixture
def moved(visit: Visiting, stack: Stack) -> Visit:
    """A visitor who has gone on to a host where the wallet is connected, while another host waited for it to be disconnected there."""
    stack.hosts.put("/second", embedding_page(stack.modal.url, {"preload": "eager"}))
    second = f"{stack.hosts.allowed}/second"
    visitor = visit(second)
    visitor.modal.connect(visitor.wallet)
    visitor.page.goto(f"{stack.demo}/")
    visitor.modal.connect(visitor.wallet)
    visitor.wallet.misbehave("wallet_revokePermissions", "hang")
    visitor.modal.begin("end", "disconnect")
    visitor.modal.wait(lambda: visitor.wallet.calls("wallet_revokePermissions"), what="the wallet's end", seconds=60)
    visitor.page.goto(second)
    return visitor


def test_a_wallet_stays_connected_that_another_host_has_disconnected(moved: Visit) -> None:
    moved.modal.expect_connected()
    # Whatever the frame had to say to the page before is behind it with this answer.
    moved.modal.api("open")
    assert (moved.modal.api("getIsConnectedState"), moved.wallet.calls("wallet_revokePermissions")) == (True, 0)
