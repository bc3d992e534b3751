"""The embedded wallet under a finger: nothing needs a pointer that hovers, and what is tapped is large enough."""

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.email_visitor import EmailVisitor
from tests.browser.stack import Stack
from tests.browser.visits import Visiting

TOUCH: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TARGET = 44
"""Pixels that what is tapped has in both directions (WCAG 2.2, 2.5.5); a link within a sentence need not."""
_SMALL = """(root, least) => [...root.querySelectorAll(":is(button, a, input, summary, [role=button]):not(.wm-guide > *)")].filter((one) => {
  const box = one.getBoundingClientRect();
  if (!box.width || getComputedStyle(one).visibility === "hidden") return false;
  const [x, y, reach] = [box.left + box.width / 2, box.top + box.height / 2, least / 2 - 0.5];
  const hits = (dx, dy) => one.contains(document.elementFromPoint(x + dx, y + dy));
  return hits(0, 0) && !(hits(-reach, 0) && hits(reach, 0) && hits(0, -reach) && hits(0, reach));
}).map((one) => (one.getAttribute("aria-label") || one.textContent || one.type).trim())"""


def small(root: Locator) -> list[str]:
    """Names of what can be tapped and is too small."""
    found: list[str] = root.evaluate(_SMALL, TARGET)
    return found


@pytest.fixture
def visitor(visit: Visiting, stack: Stack) -> EmailVisitor:
    """Somebody with a phone."""
    return EmailVisitor(visit, stack, **TOUCH)


def log_in(visitor: EmailVisitor) -> None:
    """From the host page's button to the address at the host, by taps."""
    visitor.modal.connect_button.tap()
    field = visitor.modal.part("wui-email-input").locator("input")
    field.tap()
    field.fill(visitor.email)
    visitor.modal.part("email-submit").tap()
    visitor.modal.expect_view("Confirm Email")
    visitor.otp.first.tap()
    visitor.enter(visitor.code())
    visitor.modal.expect_connected()
    visitor.modal.expect_closed()


def test_what_a_login_is_tapped_on_is_large_enough(visitor: EmailVisitor) -> None:
    found: dict[str, Any] = {}
    visitor.modal.connect_button.tap()
    field = visitor.modal.part("wui-email-input").locator("input")
    field.fill(visitor.email)
    expect(visitor.modal.part("email-submit")).to_be_visible()
    found["Connect"] = small(visitor.modal.card)
    visitor.modal.part("email-submit").tap()
    visitor.modal.expect_view("Confirm Email")
    visitor.modal.expect_rest()
    found["Confirm Email"] = small(visitor.modal.card)
    assert found == {"Connect": [], "Confirm Email": []}


def test_a_request_is_approved_by_a_tap(visitor: EmailVisitor) -> None:
    log_in(visitor)
    visitor.modal.begin_request("sign", "personal_sign", ["0x68656c6c6f", visitor.address])
    approve = visitor.frame.get_by_test_id("frame-approve")
    expect(approve).to_be_enabled()
    assert small(visitor.frame.locator("body")) == []
    approve.tap()
    assert str(visitor.modal.outcome("sign")["value"]).startswith("0x")


def test_a_device_is_removed_by_taps(visitor: EmailVisitor) -> None:
    log_in(visitor)
    visitor.modal.api("open", {"view": "Devices"})
    remove = visitor.modal.part("device-remove")
    expect(remove).to_be_visible()
    visitor.modal.expect_rest()
    assert small(visitor.modal.card) == []
    remove.tap()
    approve = visitor.frame.get_by_test_id("frame-approve")
    expect(approve).to_be_enabled()
    assert small(visitor.frame.locator("body")) == []
    approve.tap()
    visitor.modal.expect_disconnected()
