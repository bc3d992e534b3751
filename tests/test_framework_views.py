"""Facts of Reflex's components, assets and builds that the code relies on and no documentation promises."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
import reflex as rx
from reflex import assets
from reflex.compiler import utils
from reflex.compiler.compiler import compile_root_stylesheet
from reflex_base.compiler import templates
from reflex_base.components import memo
from reflex_base.components.component import MemoizationLeaf
from reflex_base.components.memo import MemoComponentDefinition
from reflex_base.constants import Endpoint, Templates
from reflex_base.registry import RegistrationContext

import walletmodal.ui
from scripts.project import ROOT, VENV_BIN
from walletmodal.commands.project import tool_environment
from walletmodal.core.errors import ThemeError
from walletmodal.core.language import _, pgettext
from walletmodal.core.theming.theme import INTER, Font, Theme
from walletmodal.features.gallery.views import gallery_page
from walletmodal.features.shell.lazy import lazy_view
from walletmodal.reflex_internals import compiled_ahead, registrations
from walletmodal.reflex_internals.any_origin import PLACEHOLDER_HOST, PLACEHOLDER_URL
from walletmodal.reflex_internals.asset_callers import Callers
from walletmodal.reflex_internals.bundled_assets import BundledAssets
from walletmodal.reflex_internals.mode import is_development
from walletmodal.reflex_internals.registrations import forget_registrations
from walletmodal.reflex_internals.store_reads import read_of_store
from walletmodal.reflex_internals.theme_assets import ThemeAssets, load_theme, own_rules
from walletmodal.reflex_internals.view_texts import ViewTexts, texts_of_scripts
from walletmodal.reflex_internals.web_folder import built_pages
from walletmodal.ui import STYLESHEETS
from walletmodal.walletmodal import app, index


class ViewTextState(rx.State):
    """What a view speaks of."""

    name: str = ""
    shown: bool = False


WEB_TEMPLATE = Templates.Dirs.WEB_TEMPLATE


def test_an_asset_is_named_after_the_module_that_shares_it() -> None:
    assert STYLESHEETS[0] == "/external/walletmodal/ui/tokens.css"


def test_sharing_an_asset_reads_the_source_of_no_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    monkeypatch.setattr(inspect, "findsource", read.append)
    importlib.reload(walletmodal.ui)
    assert read == []


def test_the_pages_are_built_into_the_web_folder() -> None:
    assert built_pages() == Path(".web/build/client")


def test_what_no_command_has_started_is_in_development() -> None:
    assert is_development()


def test_a_memo_names_its_module_and_its_tag() -> None:
    @rx.memo
    def contract_view() -> rx.Component:
        text: rx.Component = rx.el.p("x")
        return text

    memo = contract_view()
    assert (str(memo.library)[:17], str(memo.tag)[:12]) == ("$/app_components/", "ContractView")


def test_a_lazy_view_is_loaded_from_the_memos_module() -> None:
    @rx.memo
    def contract_lazy_view() -> rx.Component:
        text: rx.Component = rx.el.p("x")
        return text

    assert lazy_view(contract_lazy_view).library == contract_lazy_view().library


def test_a_lazy_view_is_loaded_by_our_own_script() -> None:
    @rx.memo
    def contract_waited_view() -> rx.Component:
        text: rx.Component = rx.el.p("x")
        return text

    view = lazy_view(contract_waited_view, occasion="pairing")
    script = str(view._get_dynamic_imports())
    assert f"const {view.tag} = lazyView(() => import('$/app_components/" in script
    assert script.endswith(f", '{view.tag}', 'pairing')")
    assert not any(imported.tag == "ClientSide" for imports in view._get_imports().values() for imported in imports)


def test_a_leaf_keeps_its_children_from_being_wrapped() -> None:
    assert issubclass(MemoizationLeaf, rx.Component)


def test_assets_ask_our_callers_and_hear_what_inspect_says() -> None:
    assert vars(assets)["inspect"] is Callers
    here = inspect.currentframe()
    assert here is not None
    assert Callers.getmodule(here) is inspect.getmodule(here)
    assert [one.frame for one in Callers.stack()] == [one.frame for one in inspect.stack()]


def test_an_app_is_wrapped_in_nothing_but_what_a_mounted_page_brings_itself() -> None:
    brought = {"ErrorBoundary", "Overlay", "ExtraOverlay"}
    assert {name for _, name in app.app_wraps} == brought
    wraps = {name for page in (index, gallery_page) for _, name in page()._get_all_app_wrap_components()}
    assert wraps <= {"StateProvider", "EventLoopProvider"}


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("utils/context.jsx", "EventLoopContext StateProvider EventLoopProvider StateStoreContext"),
        ("utils/state.js", "getBackendURL isTrue ReflexEvent"),
    ],
)
def test_the_compiled_runtime_exports_what_a_mounted_page_imports(module: str, names: str) -> None:
    template = inspect.getsource(templates) if module.endswith(".jsx") else (WEB_TEMPLATE / module).read_text()
    assert [
        name for name in names.split() if not re.search(rf"export \w+ {name}\b|export {{[^}}]*\b{name}\b", template)
    ] == []


def test_a_value_is_read_of_the_store_without_a_component() -> None:
    value = read_of_store({"place": {"name": ViewTextState.name, "closed": ~ViewTextState.shown}})
    needs = value._get_all_var_data()
    assert needs is None or not needs.hooks
    state = {"name_rx_state_": "a", "shown_rx_state_": False}
    called = f"console.log(JSON.stringify({value!s}((name) => ({{{json.dumps(ViewTextState.get_full_name())}: {json.dumps(state)}}})[name])))"
    said = subprocess.run([VENV_BIN / "node", "-e", called], check=True, capture_output=True, text=True).stdout
    assert json.loads(said) == {"place": {"name": "a", "closed": True}}


def test_a_component_hears_of_a_state_from_a_store_that_others_can_subscribe_to() -> None:
    template = inspect.getsource(templates)
    store = template[template.index("function createStateStore") : template.index("function StateStoreProviders")]
    assert all(
        f"{part}" in store
        for part in ("dispatchers,", "getSnapshot: (substateName)", "subscribe: (substateName, listener)")
    )
    # In the order in which they subscribe, each at once: what has subscribed first is called before a component is drawn.
    assert "listeners.get(substateName)?.forEach((listener) => listener())" in store


def test_the_client_is_given_the_servers_address_as_it_is_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rx.config.get_config(), "api_url", PLACEHOLDER_URL)
    assert {endpoint.get_url().partition("://")[2].partition("/")[0] for endpoint in Endpoint} == {PLACEHOLDER_HOST}


def test_a_project_gets_the_pictures_of_the_product_and_keeps_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "favicon.svg").write_text("<svg/>")
    assert "pre_compile" in vars(rx.plugins.Plugin)
    BundledAssets().pre_compile()
    public = tmp_path / ".web" / "public"
    assert ((public / "networks" / "eip155-1.svg").exists(), (public / "favicon.svg").exists()) == (True, False)


@pytest.fixture
def themed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a project whose assets have a font and rules."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "own.woff2").write_bytes(b"wOF2" + bytes(96))
    (tmp_path / "assets" / "own.css").write_text(".wm-title { color: teal }")
    return tmp_path


def test_a_theme_is_compiled_into_the_front_end(themed: Path) -> None:
    brought = ThemeAssets(Theme(radius=2, font=Font(family="Own", file="own.woff2"), css="own.css"))
    brought.pre_compile()
    _, root = compile_root_stylesheet([], plugins=[brought])
    files = {path.name: text for path, text in brought.get_static_assets()}
    assert "@import url('./walletmodal_theme.css');" in root
    assert 'src: url("./own.woff2")' in files["walletmodal_theme.css"]
    assert files["walletmodal_own.css"] == ".wm-title { color: teal }"
    assert (themed / ".web" / "styles" / "own.woff2").read_bytes()[:4] == b"wOF2"


@pytest.mark.parametrize("own", [True, False])
def test_rules_of_a_projects_own_come_with_the_page(
    themed: Path, monkeypatch: pytest.MonkeyPatch, *, own: bool
) -> None:
    config = SimpleNamespace(plugins=[ThemeAssets(Theme(css="own.css") if own else Theme())])
    monkeypatch.setattr("walletmodal.reflex_internals.theme_assets.get_config", lambda: config)
    imported = rx.fragment(*own_rules())._get_all_imports().get("", [])
    assert [one.tag for one in imported] == (["$/styles/walletmodal_own.js"] if own else [])


def test_without_a_theme_nothing_is_compiled_in() -> None:
    nothing = ThemeAssets(Theme())
    assert (nothing.get_stylesheet_paths(), nothing.get_static_assets()) == ([], [])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("big.woff2", b"wOF2" + bytes(5_000_000), "font.file: big.woff2 has 5,000,004 bytes, more than the 300,000"),
        ("fake.woff2", b"<html>", "font.file: fake.woff2 is no WOFF2 font"),
        ("big.css", b" " * 100_001, "css: big.css has 100,001 bytes, more than 100,000"),
        ("latin.css", b"\xe9", "css: latin.css is no UTF-8 text"),
        ("import.css", b'@import "other.css";', "css: import.css has '@import'"),
        ("foreign.css", b"a { background: url('https://elsewhere.example/a.png') }", 'has "url(\'https://"'),
    ],
)
def test_a_file_that_a_theme_cannot_use_is_named(themed: Path, name: str, content: bytes, message: str) -> None:
    (themed / "assets" / name).write_bytes(content)
    theme = Theme(css=name) if name.endswith(".css") else Theme(font=Font(family="Own", file=name))
    with pytest.raises(ThemeError, match=re.escape(message)):
        ThemeAssets(theme)


def test_a_theme_is_read_as_it_is_written_now(themed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(themed)
    for radius in (2, 10):
        (themed / "edited_theme.py").write_text(f"from walletmodal.theme import Theme\n\ntheme = Theme({radius=})\n")
        importlib.invalidate_caches()
        assert load_theme("edited_theme") == Theme(radius=radius)
    sys.modules.pop("edited_theme")


def test_a_module_without_a_theme_is_named() -> None:
    with pytest.raises(ThemeError, match="colorsys: its `theme` is None"):
        load_theme("colorsys")


def test_a_file_that_is_nowhere_is_named(themed: Path) -> None:
    with pytest.raises(ThemeError, match=r"font\.file: there is no 'none\.woff2' in .*assets"):
        ThemeAssets(Theme(font=Font(family="Own", file="none.woff2")))


def test_the_font_of_the_product_is_there_for_every_project(themed: Path) -> None:
    ThemeAssets(Theme(font=INTER)).pre_compile()
    copied = {path.name for path in (themed / ".web" / "styles").glob("*.woff2")}
    assert copied == {f"inter-{part}.woff2" for part in ("latin", "latin-ext", "cyrillic", "vietnamese")}


def test_a_page_that_does_not_compile_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "rxconfig.py").write_text("import reflex as rx\n\nconfig = rx.Config(app_name='own')\n")
    (tmp_path / "own").mkdir()
    page = "import reflex as rx\n\napp = rx.App()\napp.add_page(lambda: rx.el.p(missing), route='/')\n"
    (tmp_path / "own" / "own.py").write_text(page)
    compiled = subprocess.run(
        [sys.executable, "-m", "walletmodal.commands.compile_check"],
        cwd=tmp_path,
        env=tool_environment({"PYTHONPATH": str(ROOT)}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (compiled.returncode, "own/own.py:4: NameError: name 'missing' is not defined" in compiled.stdout) == (
        1,
        True,
    )


def test_a_text_is_compiled_into_its_lookup() -> None:
    name = ViewTextState.name
    said = rx.el.p(
        rx.cond(ViewTextState.shown, _("Contract: yes"), _("Contract: {name}", name=name)),
        title=pgettext("verb", "Contract"),
    )
    (child,) = said.render()["children"]
    assert re.sub(r"\breflex___\S+\.", "", child["contents"]) == (
        '(shown_rx_state_ ? t("Contract: yes") : t("Contract: {name}", ({ ["name"] : name_rx_state_ })))'
    )
    assert said.render()["props"] == ['title:t("verb\\u0004Contract")']
    assert [path for path, names in said._get_all_imports().items() if any(one.tag == "t" for one in names)] == [
        "$/public/external/walletmodal/components/language/language/language.ts"
    ]


def test_the_texts_of_views_are_listed_beside_their_scripts(tmp_path: Path) -> None:
    (tmp_path / "part.tsx").write_text(
        't("Said {x}", { x }) + ot("Not said") + t("A \\"quoted\\" one")', encoding="utf-8"
    )
    rx.el.p(_("Contract: listed")).render()
    ((path, listed),) = ViewTexts().get_static_assets()
    assert (path.as_posix(), "Contract: listed" in json.loads(listed)) == ("public/view_texts.json", True)
    assert texts_of_scripts(tmp_path) == {"Said {x}", 'A "quoted" one'}


class Unsettled:
    """What is to come, with one value so far."""

    value = "so far"


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> tuple[MemoComponentDefinition, MemoComponentDefinition, Unsettled]:
    """Two components of which the second reads what is to come, and what was to come, after they were compiled ahead."""
    memos: dict[object, MemoComponentDefinition] = {}
    monkeypatch.setattr(memo, "MEMOS", memos)
    monkeypatch.setattr(compiled_ahead, "MEMOS", memos)
    monkeypatch.setattr(compiled_ahead, "_compiled", {})
    monkeypatch.setattr(utils, "compile_experimental_component_memo", utils.compile_experimental_component_memo)
    unsettled = Unsettled()

    @rx.memo
    def plain() -> rx.Component:
        shown: rx.Component = rx.el.p("plain", on_click=rx.console_log("plain"))
        return shown

    @rx.memo
    def reading() -> rx.Component:
        shown: rx.Component = rx.el.div(plain(), unsettled.value)
        return shown

    compiled_ahead.compile_ahead(unsettled)
    unsettled.value = "now"
    of_plain, of_reading = memos.values()
    return of_plain, of_reading, unsettled


def test_what_was_compiled_ahead_comes_out_as_it_would_have(
    ahead: tuple[MemoComponentDefinition, MemoComponentDefinition, Unsettled],
) -> None:
    once = utils.compile_experimental_component_memo(ahead[0])
    assert utils.compile_experimental_component_memo(ahead[0]) is once
    assert repr(once) == repr(compiled_ahead._compile(ahead[0]))


def test_what_reads_what_is_to_come_is_not_compiled_ahead(
    ahead: tuple[MemoComponentDefinition, MemoComponentDefinition, Unsettled],
) -> None:
    compiled = repr(utils.compile_experimental_component_memo(ahead[1]))
    assert ("now" in compiled, "so far" in compiled) == (True, False)


def test_a_style_of_the_app_reaches_what_was_compiled_ahead(
    ahead: tuple[MemoComponentDefinition, MemoComponentDefinition, Unsettled], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(utils, "_app_style", lambda: {rx.el.p: {"color": "teal"}})
    assert "teal" in repr(utils.compile_experimental_component_memo(ahead[0]))


_SHOP: Final = """
import reflex as rx

class ShopState(rx.State):
    @rx.event
    def {word}(self): ...

@rx.memo
def shop_{word}() -> rx.Component:
    return rx.el.p("{word}")
"""


def _imported(word: str) -> dict[str, Any]:
    """A module whose state has an event of that name, and which has a component of that name."""
    module: dict[str, Any] = {"__name__": "shop"}
    exec(_SHOP.format(word=word), module)
    return module


def test_a_module_that_is_forgotten_can_be_imported_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    memos = dict(memo.MEMOS)
    monkeypatch.setattr(memo, "MEMOS", memos)
    monkeypatch.setattr(registrations, "MEMOS", memos)
    before = RegistrationContext.set(context := RegistrationContext.ensure_context().fork())
    try:
        _imported("first")
        forget_registrations({"shop"})
        state = _imported("second")["ShopState"]
        handlers = {name.rpartition(".")[2] for name in context.event_handlers if "shop_state" in name}
        assert handlers & {"first", "second"} == {"second"}
        assert state in context.get_substates(state.get_parent_state())
        assert [one.python_name for one in memos.values() if one.fn.__module__ == "shop"] == ["shop_second"]
        forget_registrations({"shop"})
    finally:
        RegistrationContext.reset(before)
