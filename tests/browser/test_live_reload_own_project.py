"""`walletmodal dev` in a project with the wheel: an open page follows each save of the project's own module, and tells what does not load."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.programs import Program
from tests.browser.test_live_reload import START_SECONDS
from tests.commands.own_project import environment, project, python
from tests.host.installed import wheel
from tests.patience import START_SECONDS as RESTART_SECONDS
from tests.ports import free_ports

__all__ = ["project", "python", "wheel"]

MODULE = """
import reflex as rx

from walletmodal.walletmodal import app


def own() -> rx.Component:
    return rx.el.p("{text}", id="own")


app.add_page(own, route="/own")
"""


def save(project: Path, text: str) -> None:
    """Have the project's module show a text on its page."""
    (project / "my_modal.py").write_text(MODULE.format(text=text))


@pytest.fixture(scope="module")
def page(python: Path, project: Path, chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page of the project's module, under `walletmodal dev`, with what was saved after it was compiled and before all was ready."""
    save(project, "first")
    ports = {
        "SANDBOX_PORT": free_ports(1),
        "WALLETMODAL_PORT": free_ports(1),
        "WALLETMODAL_BACKEND_PORT": free_ports(1),
        "EVM_PORT": free_ports(5),
        "SOLANA_PORT": free_ports(2),
        "SECURE_PORT": free_ports(1),
    }
    given = ("ALLOWED_ORIGINS", "NETWORKS", "DATABASE_URL")
    settings = environment(**dict.fromkeys(given, ""), **{name: str(port) for name, port in ports.items()})
    log = tmp_path_factory.mktemp("dev") / "dev.log"
    program = Program("walletmodal dev", [python, "-m", "walletmodal", "dev"], settings, log, cwd=project)
    module = project / "my_modal.py"
    compiled = project / ".dev" / str(ports["WALLETMODAL_PORT"]) / ".web" / "app" / "routes" / "[own]._index.jsx"

    def is_ready() -> bool:
        if "early" not in module.read_text() and compiled.exists() and "first" in compiled.read_text():
            save(project, "early")
        return "Ready: " in program.tail(400)

    with chromium.new_context() as context:
        context.set_default_timeout(RESTART_SECONDS * 1000)
        try:
            program.start(is_ready, seconds=START_SECONDS)
            opened = context.new_page()
            opened.goto(f"http://localhost:{ports['WALLETMODAL_PORT']}/own")
            yield opened
        finally:
            program.stop()


def test_a_save_during_the_start_is_in_the_page(page: Page) -> None:
    expect(page.locator("#own")).to_have_text("early", timeout=RESTART_SECONDS * 1000)


def test_a_save_shows_in_the_open_page(project: Path, page: Page) -> None:
    save(project, "second")
    expect(page.locator("#own")).to_have_text("second", timeout=RESTART_SECONDS * 1000)


def test_a_save_of_the_theme_shows_in_the_open_page(project: Path, page: Page) -> None:
    theme = project / "my_modal_theme.py"
    theme.write_text(theme.read_text().replace("theme = Theme(", "theme = Theme(card_width=400, "))
    expect(page.locator("html")).to_have_css("--wm-modal-width", "400px", timeout=RESTART_SECONDS * 1000)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [("def (:", "SyntaxError: invalid syntax"), ("raise ValueError('no such colour')", "ValueError: no such colour")],
    ids=["no Python", "raises"],
)
def test_what_does_not_load_is_told_until_the_next_save(project: Path, page: Page, wrong: str, told: str) -> None:
    save(project, "third")
    expect(page.locator("#own")).to_have_text("third", timeout=RESTART_SECONDS * 1000)
    with (project / "my_modal.py").open("a") as module:
        module.write(f"\n{wrong}\n")
    overlay = page.locator("vite-error-overlay")
    expect(overlay.locator(".message")).to_have_text(told, timeout=RESTART_SECONDS * 1000)
    expect(overlay.locator(".file").first).to_have_text(f"{project / 'my_modal.py'}:13:{5 if wrong[0] == 'd' else 1}")
    save(project, "third")
    expect(overlay).to_have_count(0, timeout=RESTART_SECONDS * 1000)
    expect(page.locator("#own")).to_have_text("third", timeout=RESTART_SECONDS * 1000)
