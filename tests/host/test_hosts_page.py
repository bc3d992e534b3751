"""What docs/hosts.md shows is so: its code is run."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import pytest_asyncio
import reflex as rx
from django.core.wsgi import get_wsgi_application
from reflex.istate.manager.memory import StateManagerMemory

from scripts.wheel import copy_sources
from tests.docs.pages import blocks
from tests.driver import Driver
from tests.host.apps import django_app
from tests.host.installed import done
from tests.host.modal_server import API_KEY, ModalServer, counts, token
from tests.host.page import Page, async_page, sync_page
from tests.host.test_accounts import TOLD
from tests.host.test_tokens import ADDRESS, PAGE, SESSION
from walletmodal.core.errors import SettingsError
from walletmodal.core.sign_in.token_claims import TOKEN_LIFETIME
from walletmodal.host import verify
from walletmodal.host.modal import environments_modal

PAGE_OF_DOCS = (Path(__file__).parents[2] / "docs" / "hosts.md").read_text("utf-8")
ACCOUNT = f"eip155:1:{ADDRESS}"


def code(heading: str) -> str:
    """The Python under a heading."""
    part = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", PAGE_OF_DOCS, re.MULTILINE | re.DOTALL)
    assert part is not None
    return "\n".join(re.findall(r"```python\n(.*?)```", part[1], re.DOTALL))


def run(heading: str, into: ModuleType | None = None) -> dict[str, Any]:
    module = into or ModuleType("a_page_of_the_docs")
    exec(compile(code(heading), heading, "exec", dont_inherit=True), module.__dict__)
    return module.__dict__


@pytest.fixture(autouse=True)
def environment(server: ModalServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("WALLETMODAL_URL", server.url)
    monkeypatch.setenv("WALLETMODAL_AUDIENCE", PAGE)
    monkeypatch.setenv("WALLETMODAL_API_KEY", API_KEY)
    environments_modal.cache_clear()
    counts(server)
    yield
    environments_modal.cache_clear()


def fresh(server: ModalServer, **claims: object) -> str:
    now = int(datetime.now(UTC).timestamp())
    return token(server, **{"iat": now, "exp": now + int(TOKEN_LIFETIME.total_seconds()), **claims})  # type: ignore[arg-type]  # claims


@pytest.fixture
def django(django_host: None) -> Callable[[dict[str, Any]], Page]:
    def make(names: dict[str, Any]) -> Page:
        django_app.serve(names["urlpatterns"])
        return sync_page(get_wsgi_application())

    return make


PAGES: dict[str, Callable[[dict[str, Any]], Page] | None] = {
    "FastAPI": lambda names: async_page(names["app"]),
    "Starlette": lambda names: async_page(names["app"]),
    "Flask": lambda names: sync_page(names["app"]),
    "Django": None,
}


@pytest.mark.parametrize("framework", PAGES)
async def test_a_visitor_signs_in_stays_and_leaves(
    server: ModalServer, django: Callable[[dict[str, Any]], Page], framework: str
) -> None:
    page = (PAGES[framework] or django)(run(framework))
    statuses = [
        (await page("GET", "/members")).status_code,
        (await page("POST", "/session")).status_code,
        (await page("POST", "/session", fresh(server))).status_code // 100 * 100,
    ]
    assert statuses == [401, 401, 200]
    assert ACCOUNT in (await page("GET", "/members")).text
    await page("DELETE", "/session")
    assert (await page("GET", "/members")).status_code == 401


async def test_a_sign_in_is_tied_to_a_nonce(server: ModalServer) -> None:
    module = ModuleType("a_page_of_the_docs")
    run("FastAPI", module)
    page = async_page(run("A nonce of your own", module)["app"])
    nonce = (await page("GET", "/nonce")).json()
    assert (await page("POST", "/bound-session", fresh(server))).status_code == 401
    assert (await page("POST", "/bound-session", fresh(server, nonce=nonce))).status_code == 200


@pytest.mark.parametrize("value", ["", "no origin"])
@pytest.mark.parametrize("name", ["WALLETMODAL_URL", "WALLETMODAL_AUDIENCE"])
def test_the_check_at_the_start_names_the_setting(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    run("At the start")
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name) as failed:
        run("At the start")
    assert not [one for one in ("WALLETMODAL_URL", "WALLETMODAL_AUDIENCE") if one != name and one in str(failed.value)]


def test_a_session_is_ended(server: ModalServer) -> None:
    module = ModuleType("a_page_of_the_docs")
    module.__dict__["signed_in"] = verify(fresh(server))
    run("How long somebody is believed", module)
    assert server.ended == [(f"/v1/sessions/{SESSION.id}", f"Bearer {API_KEY}")]


def test_what_an_account_owns_is_told(server: ModalServer, capsys: pytest.CaptureFixture[str]) -> None:
    for name, told in TOLD.items():
        server.answers[f"/v1/accounts/{ACCOUNT}/{name}"] = 200, told
    names = run("What an account owns and did")
    assert (names["balance"].value, names["page"].next) == (10**18 + 1, "after")
    assert capsys.readouterr().out == "ETH 1 3000.5\n"


@pytest_asyncio.fixture
async def visitor() -> Any:
    # Its overloads, conditional on the Python version, look like abstract methods to mypy.
    make: Any = StateManagerMemory
    manager = make()
    found = Driver(manager)
    async with found.processor:
        yield found
    await manager.close()


async def test_a_reflex_state_takes_orders_of_signed_in_visitors(server: ModalServer, visitor: Driver) -> None:
    module = ModuleType("page_of_the_docs_for_reflex")
    # The state stays in the tree for the rest of the process: whoever stores a visitor finds its class by this name.
    sys.modules[module.__name__] = module
    names = run("Reflex", module)
    members = names["Members"]
    assert isinstance(names["page"](), rx.Component)
    await visitor.fire(members.order("a boat"))
    await visitor.fire(members.take_token(fresh(server)))
    await visitor.fire(members.order("a boat"))
    assert (await visitor.state(members)).orders == [f"a boat for {ACCOUNT}"]


async def test_the_readmes_host_lets_in_who_is_signed_in(server: ModalServer) -> None:
    names: dict[str, Any] = {}
    (block,) = blocks("python", "README.md")
    exec(compile(block.code, str(block), "exec", dont_inherit=True), names)
    page = async_page(names["app"])
    assert (await page("GET", "/members")).status_code == 401
    assert ACCOUNT in (await page("GET", "/members", fresh(server))).text


@pytest.mark.parametrize("valid", [True, False])
def test_a_token_is_verified_as_the_page_on_signing_in_shows(server: ModalServer, valid: bool) -> None:
    (block,) = blocks("python", "docs/sign-in.md")
    names: dict[str, Any] = {"token": fresh(server) if valid else "none"}
    with nullcontext() if valid else pytest.raises(NameError, match="signed_in"):
        exec(compile(block.code, str(block), "exec", dont_inherit=True), names)
    assert valid is ("signed_in" in names and names["signed_in"].account == ACCOUNT)


def test_every_framework_of_the_page_has_an_extra() -> None:
    extras = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    named = re.search(r"pip install '/path/to/walletmodal\[(\w+)\]'\s+# or ([\w, ]+);", PAGE_OF_DOCS)
    assert named is not None
    assert all(re.search(rf"^{name} = \[", extras, re.MULTILINE) for name in [named[1], *named[2].split(", "), "host"])


def test_the_ways_to_install_work_in_their_order(tmp_path: Path) -> None:
    """Without what comes along, which others' tests install."""
    checkout = copy_sources(tmp_path / "checkout")
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE_OF_DOCS, re.MULTILINE | re.DOTALL)
    lines = [line.partition("#")[0] for block in blocks for line in block.splitlines() if line.startswith("pip ")]
    assert "/path/to/" in lines[0]
    for line in lines:
        if "git+ssh" in line:
            continue
        command = shlex.split(line.replace("/path/to/walletmodal", str(checkout)))[1:]
        if command[0] == "install":
            command[1:1] = ["--no-deps", "--target", str(tmp_path / f"installed-{len(list(tmp_path.iterdir()))}")]
        done(sys.executable, "-m", "pip", *command, cwd=tmp_path)
    assert len(list(tmp_path.glob("installed-*/walletmodal/host/fastapi.py"))) == 2


def test_every_linked_file_is_there() -> None:
    folder = Path(__file__).parents[2] / "docs"
    assert [link for link in re.findall(r"\]\(([^)#:]+)\)", PAGE_OF_DOCS) if not (folder / link).exists()] == []
