"""Theme, theme variables, and the shapes for small screens."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.regulars import Regular, leave
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting
from walletmodal.core.text.texts import CLOSING_REFUSED

PHONE = {"width": 390, "height": 844}
LIGHT, DARK = [255, 255, 255], [18, 19, 19]


def style(part: Locator, name: str) -> str:
    value: str = part.evaluate("(element, name) => getComputedStyle(element)[name]", name)
    return value


def painted(part: Locator, name: str) -> list[int]:
    """A colour as it is painted, in red, green and blue, in whichever form the style names it."""
    found: list[int] = part.evaluate(
        """(element, name) => {
          const canvas = element.ownerDocument.createElement("canvas").getContext("2d");
          canvas.fillStyle = getComputedStyle(element)[name];
          canvas.fillRect(0, 0, 1, 1);
          return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
        }""",
        name,
    )
    return found


def background_of(part: Locator) -> list[int]:
    return painted(part, "backgroundColor")


def luminance(colour: list[int]) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def wait_for_background(visitor: Visit, wanted: list[int]) -> None:
    visitor.modal.wait(lambda: background_of(visitor.modal.card) == wanted, what=f"a card of colour {wanted}")


def leave_as_large_as_before(visitor: Visit) -> None:
    """What depends on the size of the text finds the usual one."""
    leave(visitor)
    visitor.modal.api("setThemeVariables", {"--w3m-font-size-master": "10px"})


@pytest.fixture(scope="module")
def regular_usual(shared_visit: Visiting) -> Regular[Visit]:
    """A visitor for tests to which theme and accent of the one before do not matter."""
    return Regular(shared_visit, leave_as_large_as_before)


@pytest.fixture
def usual(regular_usual: Regular[Visit]) -> Iterator[Visit]:
    """The same for one test."""
    with regular_usual.returning() as visitor:
        yield visitor


@pytest.fixture(scope="module", params=["light", "dark"])
def of_system(request: pytest.FixtureRequest, shared_visit: Visiting) -> tuple[str, Visit]:
    """The theme of a visitor's system, and the visitor, who has the modal open."""
    visitor = shared_visit(color_scheme=request.param)
    visitor.modal.open()
    return request.param, visitor


def test_the_theme_follows_the_system(of_system: tuple[str, Visit]) -> None:
    mode, visitor = of_system
    wait_for_background(visitor, LIGHT if mode == "light" else DARK)


@pytest.mark.parametrize(("mode", "background"), [("light", LIGHT), ("dark", DARK)])
def test_the_host_sets_the_theme_live(usual: Visit, mode: str, background: list[int]) -> None:
    usual.modal.open()
    usual.modal.api("setThemeMode", "light" if mode == "dark" else "dark")
    usual.modal.api("setThemeMode", mode)
    wait_for_background(usual, background)


def test_the_hosts_theme_beats_the_systems(visit: Visiting) -> None:
    visitor = visit(color_scheme="dark", options={"themeMode": "light"})
    visitor.modal.open()
    wait_for_background(visitor, LIGHT)


@pytest.mark.parametrize("host", ["light", "dark"])
def test_the_frame_is_transparent_in_every_pair_of_themes(of_system: tuple[str, Visit], host: str) -> None:
    _, visitor = of_system
    visitor.modal.api("close")
    visitor.modal.expect_closed()
    visitor.page.evaluate("(scheme) => document.documentElement.style.setProperty('color-scheme', scheme)", host)
    visitor.modal.open()
    frame_scheme = visitor.modal.card.evaluate(
        "(card) => getComputedStyle(card.ownerDocument.documentElement).colorScheme"
    )
    assert visitor.modal.iframe.evaluate("(iframe) => getComputedStyle(iframe).colorScheme") == frame_scheme


def test_the_accent_takes_effect_live(usual: Visit) -> None:
    usual.modal.open()
    usual.modal.choose_wallet()
    usual.wallet.reject()
    expect(usual.modal.retry).to_be_enabled()
    usual.modal.api("setThemeVariables", {"--w3m-accent": "rgb(1, 200, 3)"})
    # A tint of the accent, which loses a little on the way through eight bits.
    usual.modal.wait(
        lambda: background_of(usual.modal.retry) == pytest.approx([1, 200, 3], abs=6), what="the accent on the button"
    )


def test_the_font_takes_effect_live(visitor: Visit) -> None:
    visitor.modal.open()
    visitor.modal.api("setThemeVariables", {"--w3m-font-family": "monospace"})
    expect(visitor.modal.title).to_have_css("font-family", "monospace")


def test_the_font_size_takes_effect_live(usual: Visit) -> None:
    usual.modal.open()
    before = float(style(usual.modal.title, "fontSize").removesuffix("px"))
    usual.modal.api("setThemeVariables", {"--w3m-font-size-master": "12px"})
    expect(usual.modal.title).to_have_css("font-size", f"{before * 1.2:g}px")


def test_the_corners_take_effect_live(usual: Visit) -> None:
    usual.modal.open()
    usual.modal.api("setThemeVariables", {"--w3m-border-radius-master": "0px"})
    expect(usual.modal.wallet_row()).to_have_css("border-radius", "0px")


def test_the_colour_mix_takes_effect_live(visit: Visiting) -> None:
    visitor = visit(options={"themeMode": "light"})
    visitor.modal.open()
    visitor.modal.api("setThemeVariables", {"--w3m-color-mix": "#ff0000", "--w3m-color-mix-strength": 40})
    visitor.modal.wait(lambda: background_of(visitor.modal.card) != LIGHT, what="another background")


def test_the_z_index_takes_effect_live(usual: Visit) -> None:
    usual.modal.open()
    usual.modal.api("setThemeVariables", {"--w3m-z-index": "4711"})
    expect(usual.modal.iframe).to_have_css("z-index", "4711")


def test_a_theme_variable_cannot_reach_the_network(visitor: Visit) -> None:
    visitor.modal.open()
    requests: list[str] = []
    visitor.page.on("request", lambda request: requests.append(request.url))
    visitor.modal.api(
        "setThemeVariables",
        {
            "--w3m-accent": "url(http://localhost:1/leak)",
            "--w3m-font-family": "x; background: url(http://localhost:1/leak)",
        },
    )
    visitor.modal.api("switchNetwork", "eip155:1")
    assert [url for url in requests if "leak" in url] == []


@pytest.fixture(scope="module")
def on_phone(shared_visit: Visiting) -> Visit:
    """A visitor with a phone, who has the modal open."""
    visitor = shared_visit(viewport=PHONE, has_touch=True, is_mobile=True)
    visitor.modal.open()
    return visitor


def test_on_a_phone_the_card_is_as_wide_as_the_screen(on_phone: Visit) -> None:
    width = on_phone.modal.card.evaluate("(card) => card.getBoundingClientRect().width / innerWidth")
    assert width == pytest.approx(1, abs=0.001)


def test_on_a_phone_the_card_is_a_sheet_at_the_bottom(on_phone: Visit) -> None:
    on_phone.modal.wait(
        lambda: on_phone.modal.card.evaluate(
            "(card) => Math.abs(card.getBoundingClientRect().bottom - innerHeight) <= 1"
        ),
        what="the card at the bottom edge",
    )


def test_on_a_desk_the_card_is_in_the_middle(usual: Visit) -> None:
    usual.modal.open()
    usual.modal.wait(
        lambda: usual.modal.card.evaluate(
            "(card) => { const r = card.getBoundingClientRect(); return Math.abs(r.left + r.right - document.documentElement.clientWidth) <= 2; }"
        ),
        what="the card in the middle",
    )


def test_on_a_desk_the_card_is_360_wide(usual: Visit) -> None:
    usual.modal.open()
    expect(usual.modal.card).to_have_css("width", "360px")


@pytest.fixture(params=[320, 480])
def in_short_window(request: pytest.FixtureRequest, member: Visit) -> Iterator[Visit]:
    """A connected visitor whose window is low during the test."""
    usual = member.page.viewport_size
    assert usual
    member.page.set_viewport_size({"width": 900, "height": request.param})
    yield member
    member.page.set_viewport_size(usual)


def test_in_a_short_window_every_row_can_be_reached(in_short_window: Visit) -> None:
    in_short_window.modal.open_account()
    in_short_window.modal.part("disconnect-button").click()
    in_short_window.modal.expect_disconnected()


def test_at_200_percent_text_nothing_is_cut_off(usual: Visit) -> None:
    usual.modal.open()
    usual.modal.api("setThemeVariables", {"--w3m-font-size-master": "20px"})
    assert usual.modal.card.evaluate("(card) => card.scrollWidth <= card.clientWidth") is True


def test_nothing_but_loopback_is_asked(visit: Visiting, stack: Stack) -> None:
    visitor = visit(load=False)
    hosts: set[str] = set()
    visitor.context.on(
        "request",
        lambda request: hosts.add(request.url.split("/")[2].split(":")[0] if "://" in request.url else "data"),
    )
    visitor.go()
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    assert hosts <= {"localhost", "127.0.0.1", "data"}


def pull(visitor: Visit, pixels: int) -> None:
    """A finger on the header goes down so far, and lets go; nothing where the sheet is on its way out."""
    handles = visitor.modal.title.element_handles()
    box = handles[0].bounding_box() if handles else None
    if box is None:
        return
    x, y = box["x"] + box["width"] / 2, box["y"] + 4
    devtools = visitor.page.context.new_cdp_session(visitor.page)
    devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in (1, 2, 3, 4):
        point = {"x": x, "y": y + pixels * part / 4}
        devtools.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    devtools.detach()


def test_on_a_phone_a_finger_pulls_the_sheet_down_where_it_may_be_closed(visit: Visiting) -> None:
    visitor = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    modal = visitor.modal
    modal.api("open", {"view": "UnsupportedChain"})
    modal.note_toasts()

    def is_refused() -> bool:
        # What follows the finger has a script of its own, which comes last.
        pull(visitor, 200)
        return modal.has_said(CLOSING_REFUSED["UnsupportedChain"])

    modal.wait(is_refused, what="why it cannot be closed")
    expect(modal.card).to_have_css("translate", "none")
    modal.api("close")
    modal.expect_closed()
    modal.open()

    def is_closed() -> bool:
        pull(visitor, 200)
        return not modal.card.is_visible()

    modal.wait(is_closed, what="a closed modal")
    modal.expect_closed()


def test_forced_colours_leave_edges_and_focus(visit: Visiting) -> None:
    visitor = visit(forced_colors="active")
    visitor.modal.open()
    row = visitor.modal.wallet_row()
    expect(row).to_have_css("outline", re.compile(r"solid 1px"))
    row.focus()
    visitor.page.keyboard.press("Shift+Tab")
    visitor.page.keyboard.press("Tab")
    expect(row).to_have_css("outline", re.compile(r"solid 3px"))


def test_the_text_of_the_hosts_button_can_be_read_on_every_accent(usual: Visit) -> None:
    button, poor = usual.modal.connect_button, {}
    for accent in ("#5773ff", "#ffffff", "#000000", "#ffd400", "#00ff00", "#ff0000", "#777777", "#747474", "#8a2be2"):
        usual.modal.api("setThemeVariables", {"--w3m-accent": accent})
        ground = f"color-mix(in srgb, {accent} 85%, rgb(0, 0, 0))"
        button.evaluate("(element, colour) => { element.style.outlineColor = colour; }", ground)
        usual.modal.wait(lambda: background_of(button) == painted(button, "outlineColor"), what=f"the accent {accent}")
        lighter, darker = sorted((luminance(background_of(button)), luminance(painted(button, "color"))), reverse=True)
        if (ratio := (lighter + 0.05) / (darker + 0.05)) < 4.5:
            poor[accent] = round(ratio, 2)
    assert poor == {}
