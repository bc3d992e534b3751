"""One toast at a time, and the host's own messages."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from walletmodal.features.account.active import ActiveState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState


@pytest.mark.parametrize("variant", ["success", "error"])
async def test_the_host_may_show_a_message(driver: Driver, variant: str) -> None:
    await driver.load()
    await driver.call("toast", message="Saved", variant=variant)
    toast = await driver.state(ToastState)
    assert (toast.message, toast.variant) == ("Saved", variant)


@pytest.mark.parametrize(("variant", "shown"), [("success", "Done"), ("error", "Something went wrong")])
async def test_a_message_without_a_text_has_one_of_ours(driver: Driver, variant: str, shown: str) -> None:
    await driver.load()
    await driver.call("toast", message="", variant=variant)
    assert (await driver.state(ToastState)).message == shown


async def test_the_hosts_message_is_cut(driver: Driver) -> None:
    await driver.load()
    await driver.call("toast", message="x" * 5000, variant="success")
    assert len((await driver.state(ToastState)).message) <= 200


@pytest.mark.parametrize(("message", "variant"), [("x", "loading"), ("x", None), (None, "success"), ({}, "error")])
async def test_a_message_that_is_none_is_refused(driver: Driver, message: Any, variant: Any) -> None:
    await driver.load()
    await driver.call("toast", message=message, variant=variant)
    answer = await driver.answer("call-toast")
    assert answer["ok"] is False


async def test_a_new_toast_takes_the_place_of_the_one_before(driver: Driver) -> None:
    await driver.load()
    await driver.call("toast", call_id="one", message="One", variant="success")
    before = (await driver.state(ToastState)).serial
    await driver.call("toast", call_id="two", message="Two", variant="error")
    toast = await driver.state(ToastState)
    assert (toast.message, toast.serial > before) == ("Two", True)


async def test_a_toast_goes_when_its_time_is_over(driver: Driver) -> None:
    await driver.fire(ActiveState.on_copied(True))
    await driver.fire(ToastState.on_dismissed((await driver.state(ToastState)).serial))
    assert (await driver.state(ToastState)).message == ""


async def test_the_end_of_an_old_toast_leaves_the_new_one(driver: Driver) -> None:
    await driver.fire(ActiveState.on_copied(True))
    old = (await driver.state(ToastState)).serial
    await driver.fire(ActiveState.on_copied(False))
    await driver.fire(ToastState.on_dismissed(old))
    assert (await driver.state(ToastState)).message != ""


async def test_closing_the_modal_hides_its_toast(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ActiveState.on_copied(True))
    await driver.fire(ShellState.close)
    assert (await driver.state(ToastState)).message == ""


async def test_a_new_page_sees_no_toast_of_the_one_before(driver: Driver) -> None:
    await driver.load()
    await driver.fire(ActiveState.on_copied(True))
    await driver.reload()
    assert (await driver.state(ToastState)).message == ""
