"""What a theme changes is written, and nothing else; hosts stay above it."""

import re
from pathlib import Path

import pytest

import walletmodal.ui
from walletmodal.core.theming.palette import Colors
from walletmodal.core.theming.presets import DEFAULT, PRESETS
from walletmodal.core.theming.source import python_source
from walletmodal.core.theming.stylesheet import stylesheet
from walletmodal.core.theming.theme import INTER, Font, Shadow, Theme

_TOKENS = (Path(walletmodal.ui.__file__ or "").parent / "tokens.css").read_text("utf-8")
_OF_HOSTS_ACCENT = {"--wm-host-solid", "--wm-host-on-accent", "--wm-host-text"}


def test_the_default_changes_nothing() -> None:
    assert stylesheet(DEFAULT) == ""


@pytest.mark.parametrize("name", PRESETS)
def test_only_tokens_that_exist_are_set(name: str) -> None:
    written = set(re.findall(r"^\s*(--[\w-]+):", stylesheet(PRESETS[name]), re.MULTILINE))
    assert written - set(re.findall(r"(--wm-[\w-]+)\s*:", _TOKENS)) <= _OF_HOSTS_ACCENT


def test_spacings_are_multiples_of_those_of_the_tokens() -> None:
    doubled = {name: float(px) * 1.25 for name, px in re.findall(r"--wm-spacing-(\w+): (\d+)px;", _TOKENS)}
    written = dict(re.findall(r"--wm-spacing-(\w+): ([\d.]+)px;", stylesheet(Theme(spacing=1.25))))
    assert {name: float(px) for name, px in written.items()} == {
        name: pytest.approx(px, abs=0.25) for name, px in doubled.items()
    }


@pytest.mark.parametrize(
    ("theme", "declaration"),
    [
        (Theme(font_size=12), "--wm-font-size-master: clamp(8px, var(--w3m-font-size-master, 12px), 14px);"),
        (Theme(radius=0), "--wm-radius-master: clamp(0px, var(--w3m-border-radius-master, 0px), 10px);"),
        (Theme(font=INTER), '--wm-font-family: var(--w3m-font-family, "Inter", "Inter fallback", -apple-system'),
        (Theme(qr="#003300"), "--wm-qr-color: var(--w3m-qr-color, #003300);"),
        (Theme(dark=Colors(accent="#1d4ed8")), "--wm-accent-solid: var(--wm-host-solid, #1d4ed8);"),
        (Theme(dark=Colors(accent="#1d4ed8")), "--wm-on-accent: var(--wm-host-on-accent, #ffffff);"),
        (Theme(card_width=400), "--wm-modal-width: 400px;"),
        (Theme(light=Colors(overlay="#00000080")), "--wm-cover: #00000080;"),
        (Theme(shadow=Shadow(y=4, blur=8, color="#0004")), ", 0 4px 8px #0004;"),
    ],
)
def test_a_host_stands_above_what_is_chosen(theme: Theme, declaration: str) -> None:
    assert declaration in stylesheet(theme)


def test_dark_colours_leave_the_light_mode_as_it_is() -> None:
    text = stylesheet(Theme(dark=Colors(accent="#1d4ed8")))
    assert re.findall(r"^(:root.*) \{", text, re.MULTILINE) == 2 * [
        ':root:not([data-theme="light"]), :root [data-theme="dark"]'
    ]


def test_a_font_without_a_fallback_is_used_only_where_it_came_in_time() -> None:
    text = stylesheet(Theme(font=Font(family="Own", file="own.woff2", weights=(400, 400))))
    assert 'src: url("./own.woff2") format("woff2");' in text
    assert ("font-display: optional;" in text, "Own fallback" in text) == (True, False)


def test_inter_is_replaced_without_moving_anything() -> None:
    text = stylesheet(Theme(font=INTER))
    assert ("font-display: swap;" in text, "size-adjust: 110%;" in text) == (True, True)


@pytest.mark.parametrize(("letters", "file"), [("ąşŁİğ", "latin-ext"), ("жґїє", "cyrillic"), ("ượđẹ", "vietnamese")])
def test_inter_has_a_file_of_its_own_for_the_letters_of_other_languages(letters: str, file: str) -> None:
    text = stylesheet(Theme(font=INTER), "/fonts/")
    ranges = dict(re.findall(r'url\("/fonts/inter-([\w-]+)\.woff2"\)[^}]*unicode-range: ([^;]+);', text))
    # The later one counts.
    assert {next(name for name in reversed(ranges) if _within(ranges[name], letter)) for letter in letters} == {file}


def _within(characters: str, letter: str) -> bool:
    """Whether CSS has a letter among these characters."""
    bounds = [[int(bound, 16) for bound in part.removeprefix("U+").split("-")] for part in characters.split(", ")]
    return any(one[0] <= ord(letter) <= one[-1] for one in bounds)


@pytest.mark.parametrize("name", PRESETS)
def test_the_python_that_is_printed_makes_the_theme(name: str) -> None:
    module: dict[str, object] = {}
    exec(python_source(PRESETS[name]), module)
    assert module["theme"] == PRESETS[name]


def test_a_file_is_printed_whatever_its_name() -> None:
    theme = Theme(css='a "new" \\ look.css')
    module: dict[str, object] = {}
    exec(python_source(theme), module)
    assert module["theme"] == theme
