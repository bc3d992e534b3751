"""Ways of a host page to have a visitor approve what they do not see, or did not mean to: none of them counts."""

import pytest
from playwright.sync_api import Frame, Locator, Page, expect

from tests.deliberate_click import deliberate_click
from tests.secure.browser.stage import Stage

TOO_SOON = "That click came too soon, or the page has moved. Check the request and click again."

_OF_THE_HOST = {
    "an opaque layer over the button": "add('left:50%;top:60px;width:100px;height:500px;background:#fff')",
    "an overlay": "add('inset:0;background:#fff8;pointer-events:none')",
    "a transparent layer": "add('inset:0;background:transparent;pointer-events:none')",
    "a layer that blurs what is behind it": "add('inset:0;backdrop-filter:blur(9px);pointer-events:none')",
    "a patch over the amount": "add('left:50%;top:160px;width:20px;height:10px;background:#fff;pointer-events:none')",
    "a text over the details": "add('left:50%;top:160px;pointer-events:none').textContent = 'Free mint'",
    "the backdrop of a dialog": "document.body.append(Object.assign(document.createElement('dialog'), {className: 'cover'})); document.querySelector('dialog').showModal()",
    "a popover": "const over = add('left:50%;top:100px;width:50px;height:50px;margin:0'); over.popover = 'manual'; over.showPopover()",
    "a modal that is nearly opaque": "modal.style.opacity = .99",
    "a modal that is nearly transparent": "modal.style.opacity = .01",
    "a page that is half transparent": "document.body.style.opacity = .5",
    "a page whose colours are turned over": "document.documentElement.style.filter = 'invert(1)'",
    "a modal that is scaled": "modal.style.transform = 'scale(.5)'",
    "a modal that is turned": "modal.style.transform = 'rotate(1deg)'",
    "a modal that is slanted": "modal.style.transform = 'skewX(10deg)'",
    "a modal that is tilted": "modal.style.transform = 'perspective(500px) rotateX(20deg)'",
    "a modal that is blurred": "modal.style.filter = 'blur(1px)'",
    "a modal with a shadow filter": "modal.style.filter = 'drop-shadow(0 0 2px red)'",
    "a modal that is blended": "modal.style.mixBlendMode = 'multiply'",
    "a modal that is clipped": "modal.style.clipPath = 'inset(0 0 500px 0)'",
    "a modal that is cut off above": "modal.style.top = '-100px'",
    "a modal that is cut off beside": "modal.style.left = '400px'",
    "a modal that is out of sight": "modal.style.top = '2000px'",
    "a modal that is too low for the card": "modal.style.height = '150px'",
    "a modal that is not shown": "modal.style.visibility = 'hidden'",
    "a modal that has no place": "modal.style.display = 'none'",
    "a clipping box around the modal": "document.body.style.cssText = 'position:fixed;contain:paint;width:100%;height:150px'",
}  # fmt: skip
_OF_THE_MODAL = {
    "a layer of the modal": "document.body.append(Object.assign(document.createElement('div'), {className: 'cover', style: 'position:fixed;inset:0;background:#fff1'}))",
    "a frame that is faded in": "frame.style.opacity = .9",
    "a frame that grows": "frame.style.transform = 'scale(.98)'",
}  # fmt: skip
_ADD = """const modal = document.getElementById("modal");
const add = (style) => { const made = document.createElement("div"); made.className = "cover"; made.style.cssText = "position:fixed;z-index:9;" + style; document.body.append(made); return made; };"""
_UNDO = """for (const one of [document.getElementById("modal"), document.body, document.documentElement]) one.removeAttribute("style");
document.querySelectorAll(".cover").forEach((one) => one.remove())"""
_UNDO_IN_MODAL = """for (const name of ["opacity", "transform"]) frame.style.removeProperty(name);
document.querySelectorAll(".cover").forEach((one) => one.remove())"""


def _asked(stage: Stage) -> Locator:
    """A signature that is asked for, while time stands still; the button that approves it."""
    stage.context.clock.install()
    user = stage.log_in()
    stage.request("personal_sign", ["0x00", user["address"]])
    approve = stage.card.get_by_test_id("frame-approve")
    expect(approve).to_be_enabled()
    # From here on nothing is offered because time has passed.
    stage.page.clock.pause_at("2100-01-01")
    return approve


def _until_enabled(stage: Stage, approve: Locator, way: str) -> None:
    """Let half a second pass as often as it takes: when the browser has noticed that the card is free again, nobody knows."""
    for _ in range(200):
        stage.page.clock.run_for(500)
        if approve.is_enabled() and approve.inner_text() == "Approve":
            return
    pytest.fail(f"the button stays dead after {way}")


def test_whatever_covers_or_distorts_the_card_makes_the_button_dead(stage: Stage) -> None:
    approve = _asked(stage)
    places: list[tuple[Page | Frame, dict[str, str], str]] = [
        (stage.page, _OF_THE_HOST, _UNDO),
        (stage.modal, _OF_THE_MODAL, _UNDO_IN_MODAL),
    ]
    for place, ways, undo in places:
        for way, script in ways.items():
            place.evaluate(f"() => {{ {_ADD} {script} }}")
            expect(approve, way).to_be_disabled()
            place.evaluate(f"() => {{ {undo} }}")
            _until_enabled(stage, approve, way)


def _centre(button: Locator) -> tuple[float, float]:
    box = button.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_an_invisible_layer_takes_the_click_itself(stage: Stage) -> None:
    approve = _asked(stage)
    x, y = _centre(approve)
    stage.page.mouse.move(x, y)
    stage.page.clock.run_for(600)
    stage.page.evaluate(f"() => {{ {_ADD} add('inset:0;opacity:0') }}")
    stage.page.mouse.click(x, y)
    assert stage.pending("asked")


def _move(stage: Stage, down: int) -> None:
    stage.page.evaluate(f"() => {{ document.getElementById('modal').style.transform = 'translate(0, {down}px)' }}")


def _press_until_noticed(stage: Stage) -> None:
    """Press where the pointer is until the card has heard of it: when the browser has it where it was moved to, nobody knows. No time passes."""
    status = stage.card.get_by_role("status")
    for _ in range(100):
        stage.page.mouse.down()
        stage.page.mouse.up()
        if status.inner_text() or not stage.pending("asked"):
            break
    expect(status).to_have_text(TOO_SOON)
    assert stage.pending("asked")


def test_a_frame_that_is_moved_under_the_pointer_gets_no_approval(stage: Stage) -> None:
    approve = _asked(stage)
    x, y = _centre(approve)
    # The visitor wants to press something of the host's; the card has been there to be seen for long, above it.
    stage.page.mouse.move(x, y + 60)
    stage.page.clock.run_for(5000)
    _move(stage, 60)
    _press_until_noticed(stage)


def test_a_frame_that_is_moved_while_the_pointer_is_in_it_gets_no_approval(stage: Stage) -> None:
    approve = _asked(stage)
    x, y = _centre(approve)
    stage.page.mouse.move(x, y - 30)
    stage.page.clock.run_for(5000)
    _move(stage, -30)
    _press_until_noticed(stage)


def test_who_clicks_too_soon_clicks_again(stage: Stage) -> None:
    user = stage.log_in()
    stage.request("personal_sign", ["0x00", user["address"]])
    approve = stage.card.get_by_test_id("frame-approve")
    expect(approve).to_be_enabled()
    approve.click()
    expect(stage.card.get_by_role("status")).to_have_text(TOO_SOON)
    deliberate_click(approve)
    assert stage.answer("asked")["type"] == "@w3m-frame/RPC_REQUEST_SUCCESS"


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_key_approves(stage: Stage, key: str) -> None:
    approve = _asked(stage)
    approve.press(key)
    assert stage.answer("asked")["type"] == "@w3m-frame/RPC_REQUEST_SUCCESS"


def test_a_site_that_asks_in_windows_alone_is_not_approved_in_a_frame(stage: Stage) -> None:
    # Chromium does not tell the frame that a host has masked it away.
    user = stage.log_in()
    stage.secure.evaluate(
        "() => document.head.append(Object.assign(document.createElement('meta'), {name: 'walletmodal-consent', content: 'window'}))"
    )
    stage.request("personal_sign", ["0x00", user["address"]])
    approve = stage.card.get_by_test_id("frame-approve")
    expect(approve).to_have_text("Approve in a window")
    with stage.context.expect_page() as opening:
        deliberate_click(approve)
    assert stage.pending("asked")
    opening.value.get_by_test_id("frame-approve").click()
    assert stage.answer("asked")["type"] == "@w3m-frame/RPC_REQUEST_SUCCESS"


def test_a_pointer_that_has_been_there_approves(stage: Stage) -> None:
    user = stage.log_in()
    stage.request("personal_sign", ["0x00", user["address"]])
    deliberate_click(stage.card.get_by_test_id("frame-approve"))
    assert stage.answer("asked")["type"] == "@w3m-frame/RPC_REQUEST_SUCCESS"
