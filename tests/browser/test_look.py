"""Theme, theme variables, and the shapes for small screens."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting

PHONE = {"width": 390, "height": 844}
LIGHT, DARK = [255, 255, 255], [18, 19, 19]


def style(part: Locator, name: str) -> str:
    value: str = part.evaluate("(element, name) => getComputedStyle(element)[name]", name)
    return value


def background_of(part: Locator) -> list[int]:
    """The background as it is painted, in red, green and blue, in whichever form the style names it."""
    painted: list[int] = part.evaluate(
        """(element) => {
          const canvas = element.ownerDocument.createElement("canvas").getContext("2d");
          canvas.fillStyle = getComputedStyle(element).backgroundColor;
          canvas.fillRect(0, 0, 1, 1);
          return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
        }"""
    )
    return painted


def wait_for_background(visitor: Visit, wanted: list[int]) -> None:
    visitor.modal.wait(lambda: background_of(visitor.modal.card) == wanted, what=f"a card of colour {wanted}")


@pytest.mark.parametrize(("mode", "background"), [("light", LIGHT), ("dark", DARK)])
def test_the_theme_follows_the_system(visit: Visiting, mode: str, background: list[int]) -> None:
    visitor = visit(color_scheme=mode)
    visitor.modal.open()
    wait_for_background(visitor, background)


@pytest.mark.parametrize(("mode", "background"), [("light", LIGHT), ("dark", DARK)])
def test_the_host_sets_the_theme_live(visitor: Visit, mode: str, background: list[int]) -> None:
    visitor.modal.open()
    visitor.modal.api("setThemeMode", "light" if mode == "dark" else "dark")
    visitor.modal.api("setThemeMode", mode)
    wait_for_background(visitor, background)


def test_the_hosts_theme_beats_the_systems(visit: Visiting) -> None:
    visitor = visit(color_scheme="dark", options={"themeMode": "light"})
    visitor.modal.open()
    wait_for_background(visitor, LIGHT)


@pytest.mark.parametrize("host", ["light", "dark"])
@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_frame_is_transparent_in_every_pair_of_themes(visit: Visiting, host: str, system: str) -> None:
    visitor = visit(color_scheme=system)
    visitor.page.evaluate("(scheme) => document.documentElement.style.setProperty('color-scheme', scheme)", host)
    visitor.modal.open()
    frame_scheme = visitor.modal.card.evaluate(
        "(card) => getComputedStyle(card.ownerDocument.documentElement).colorScheme"
    )
    assert visitor.modal.iframe.evaluate("(iframe) => getComputedStyle(iframe).colorScheme") == frame_scheme


def test_the_accent_takes_effect_live(visitor: Visit) -> None:
    visitor.modal.open()
    visitor.modal.choose_wallet()
    visitor.wallet.reject()
    expect(visitor.modal.retry).to_be_enabled()
    visitor.modal.api("setThemeVariables", {"--w3m-accent": "rgb(1, 200, 3)"})
    # A tint of the accent, which loses a little on the way through eight bits.
    visitor.modal.wait(
        lambda: background_of(visitor.modal.retry) == pytest.approx([1, 200, 3], abs=6), what="the accent on the button"
    )


def test_the_font_takes_effect_live(visitor: Visit) -> None:
    visitor.modal.open()
    visitor.modal.api("setThemeVariables", {"--w3m-font-family": "monospace"})
    expect(visitor.modal.title).to_have_css("font-family", "monospace")


def test_the_font_size_takes_effect_live(visitor: Visit) -> None:
    visitor.modal.open()
    before = float(style(visitor.modal.title, "fontSize").removesuffix("px"))
    visitor.modal.api("setThemeVariables", {"--w3m-font-size-master": "12px"})
    expect(visitor.modal.title).to_have_css("font-size", f"{before * 1.2:g}px")


def test_the_corners_take_effect_live(visitor: Visit) -> None:
    visitor.modal.open()
    visitor.modal.api("setThemeVariables", {"--w3m-border-radius-master": "0px"})
    expect(visitor.modal.wallet_row()).to_have_css("border-radius", "0px")


def test_the_colour_mix_takes_effect_live(visit: Visiting) -> None:
    visitor = visit(options={"themeMode": "light"})
    visitor.modal.open()
    visitor.modal.api("setThemeVariables", {"--w3m-color-mix": "#ff0000", "--w3m-color-mix-strength": 40})
    visitor.modal.wait(lambda: background_of(visitor.modal.card) != LIGHT, what="another background")


def test_the_z_index_takes_effect_live(visitor: Visit) -> None:
    visitor.modal.open()
    visitor.modal.api("setThemeVariables", {"--w3m-z-index": "4711"})
    expect(visitor.modal.iframe).to_have_css("z-index", "4711")


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


def test_on_a_phone_the_card_is_as_wide_as_the_screen(visit: Visiting) -> None:
    visitor = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    visitor.modal.open()
    width = visitor.modal.card.evaluate("(card) => card.getBoundingClientRect().width / innerWidth")
    assert width == pytest.approx(1, abs=0.001)


def test_on_a_phone_the_card_is_a_sheet_at_the_bottom(visit: Visiting) -> None:
    visitor = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    visitor.modal.open()
    visitor.modal.wait(
        lambda: visitor.modal.card.evaluate(
            "(card) => Math.abs(card.getBoundingClientRect().bottom - innerHeight) <= 1"
        ),
        what="the card at the bottom edge",
    )


def test_on_a_desk_the_card_is_in_the_middle(visitor: Visit) -> None:
    visitor.modal.open()
    visitor.modal.wait(
        lambda: visitor.modal.card.evaluate(
            "(card) => { const r = card.getBoundingClientRect(); return Math.abs(r.left + r.right - document.documentElement.clientWidth) <= 2; }"
        ),
        what="the card in the middle",
    )


def test_on_a_desk_the_card_is_360_wide(visitor: Visit) -> None:
    visitor.modal.open()
    expect(visitor.modal.card).to_have_css("width", "360px")


@pytest.mark.parametrize("height", [320, 480])
def test_in_a_short_window_every_row_can_be_reached(visit: Visiting, height: int) -> None:
    visitor = visit(viewport={"width": 900, "height": height})
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    visitor.modal.part("disconnect-button").click()
    visitor.modal.expect_disconnected()


def test_at_200_percent_text_nothing_is_cut_off(visitor: Visit) -> None:
    visitor.modal.open()
    visitor.modal.api("setThemeVariables", {"--w3m-font-size-master": "20px"})
    assert visitor.modal.card.evaluate("(card) => card.scrollWidth <= card.clientWidth") is True


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
