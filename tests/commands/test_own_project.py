"""A project of its own with the wheel: made, tested, built and served, with nothing of the checkout but the libraries."""

import subprocess
from pathlib import Path

import httpx
from playwright.sync_api import expect

from tests.commands.own_project import environment, project, python
from tests.gallery.stage import chromium
from tests.host.installed import done
from tests.host.installed import wheel as wheel
from tests.patience import PATIENCE
from tests.ports import free_ports
from tests.services_fixtures import wait_until

__all__ = ["project", "python", "wheel"]

_THEME = """from walletmodal.theme import INTER, Colors, Theme

theme = Theme(light=Colors(accent="#1d4ed8"), font=INTER, css="own.css")
"""

_OWN = """

@views.after("Account", "end")
def raising() -> rx.Component:
    raise LookupError("no points")


@views.replace("Connect")
def connect() -> rx.Component:
    return rx.el.p("All in here is ours", data_testid="own-connect")
"""

_WHOLE = """import httpx


def test_modal_and_demo_page_answer(walletmodal_sandbox):
    for url in (walletmodal_sandbox.modal_url, walletmodal_sandbox.demo_url):
        assert httpx.get(url, trust_env=False).status_code == 200
"""


def test_its_own_test_passes(python: Path, project: Path) -> None:
    done(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=project, env=environment())


def test_what_its_views_rely_on_and_is_not_there_is_told_with_its_line(python: Path, project: Path) -> None:
    mistaken = project / "my_modal.py"
    text = mistaken.read_text("utf-8")
    try:
        mistaken.write_text(f"{text}\n\n@views.after('Account', 'tab')\n@views.replace('Conect')\ndef more(): ...\n")
        checked = subprocess.run(
            [python, "-m", "walletmodal", "check"],
            cwd=project,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        mistaken.write_text(text)
    line = len(text.splitlines()) + 3
    assert checked.returncode == 1
    assert f"my_modal.py:{line}: Account has no place 'tab'; did you mean 'tabs'?" in checked.stderr
    assert f"my_modal.py:{line}: walletmodal has no view 'Conect'; did you mean 'Connect'?" in checked.stderr


def test_it_is_built_and_served_from_its_own_folder_with_its_own_theme_and_view(python: Path, project: Path) -> None:
    package = Path(
        done(python, "-c", "import walletmodal; print(walletmodal.__path__[0])", cwd=project, env=environment()).strip()
    )
    before = {file for file in package.rglob("*") if "__pycache__" not in file.parts}
    (project / "my_modal_theme.py").write_text(_THEME)
    (project / "assets").mkdir(exist_ok=True)
    (project / "assets" / "own.css").write_text(".wm-title { color: rgb(1 2 3) }")
    module = project / "my_modal.py"
    text = module.read_text("utf-8")
    module.write_text(text + _OWN)
    said = done(python, "-m", "walletmodal", "build", cwd=project, env=environment())
    line = len(text.splitlines()) + 5
    assert f"my_modal.py:{line}: after Account, end raised LookupError: no points; visitors get a sentence" in said
    built = [file.read_text("utf-8") for file in (project / ".web/build/client/assets").glob("*.*s")]
    assert [any(part in text for text in built) for part in ("#1d4ed8", "inter-latin-", "adoptedStyleSheets")] == [
        True
    ] * 3
    port = free_ports()
    url = f"http://127.0.0.1:{port}"
    serving: list[str | Path] = [python, "-m", "walletmodal", "serve"]
    settings = environment(WALLETMODAL_PORT=str(port), SECRET_KEY="of-a-project-in-a-test-alone")
    with subprocess.Popen(serving, cwd=project, env=settings) as server:
        try:
            wait_until(lambda: _answers(f"{url}/_health"), "the server's answer")
            paths = ("/", "/walletmodal.js", "/networks/eip155-1.svg")
            found = [httpx.get(url + path, trust_env=False, timeout=PATIENCE).status_code for path in paths]
            with chromium() as browser:
                page = browser.new_page()
                page.goto(f"http://localhost:{port}")
                expect(page.get_by_test_id("w3m-modal-card").get_by_test_id("own-connect")).to_be_visible()
        finally:
            server.terminate()
    assert (found, server.wait(PATIENCE)) == ([200, 200, 200], 0)
    assert {file for file in package.rglob("*") if "__pycache__" not in file.parts} == before


def test_its_tests_have_the_whole_product_by_the_fixture(python: Path, project: Path) -> None:
    (project / "tests" / "test_whole.py").write_text(_WHOLE)
    said = done(
        python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_whole.py", cwd=project, env=environment()
    )
    assert "1 passed" in said


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, trust_env=False).status_code == 200
    except httpx.TransportError:
        return False
