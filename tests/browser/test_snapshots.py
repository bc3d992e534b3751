"""What a failed test is reported with."""

import pytest
from playwright.sync_api import Browser

from tests.browser.email_visitor import EmailVisitor
from tests.browser.snapshots import snapshots_of
from tests.browser.stack import Stack
from tests.browser.visits import Visiting


@pytest.mark.slow
def test_all_frames_are_in_the_report_of_a_failure(visit: Visiting, stack: Stack, chromium: Browser) -> None:
    visitor = EmailVisitor(visit, stack)
    visitor.ask_for_code()
    shown = dict(snapshots_of(chromium))
    assert "Confirm Email" in next(text for address, text in shown.items() if address.startswith(visitor.modal.url))
    assert any(f":{stack.secure_port}/" in address for address in shown)
