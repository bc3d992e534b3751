"""The wheel as a host installs it: into an environment with nothing in it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from os.path import normpath
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.host.installed import ROOT, done, installed
from tests.host.installed import wheel as wheel
from tests.host.test_tokens import ADDRESS, KEY, MODAL, PAGE, signed
from walletmodal.core.sign_in.token_claims import TOKEN_LIFETIME

ADAPTERS = ("django", "fastapi", "flask", "reflex", "starlette")

# What a host's server does, and what its environment has. No test library: it runs where nothing is installed.
TRIAL = """
import importlib.metadata, json, sys
from walletmodal.host import PublishedKeys, TokenError, read_token

given = json.loads(sys.stdin.read())
known = {"keys": PublishedKeys(given["keys"]), "issuer": given["issuer"], "audience": given["audience"]}
try:
    read_token(given["token"][:-6] + "AAAAAA", **known)
    forged = "believed"
except TokenError as error:
    forged = error.fault
missing = {}
for name in given["adapters"]:
    try:
        __import__("walletmodal.host." + name)
    except ImportError as error:
        missing[name] = str(error)
print(json.dumps({
    "account": read_token(given["token"], **known).account,
    "forged": forged,
    "missing": missing,
    "packages": sorted(found.metadata["Name"].lower() for found in importlib.metadata.distributions()),
    "modules": sorted({name.partition(".")[0] for name in sys.modules}),
}))
"""


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has `walletmodal[host]` alone."""
    return installed(wheel, "host", tmp_path_factory.mktemp("host"))


@pytest.fixture(scope="module")
def told(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    now = datetime.now(UTC)
    token = signed({"iat": int(now.timestamp()), "exp": int((now + TOKEN_LIFETIME).timestamp())})
    given = {
        "token": token,
        "keys": {"keys": [KEY.public]},
        "issuer": MODAL,
        "audience": PAGE,
        "adapters": ADAPTERS,
    }
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    return json.loads(done(environment, "-I", "-c", TRIAL, input=json.dumps(given), cwd=elsewhere))


def test_a_host_verifies_a_token(told: Any) -> None:
    assert (told["account"], told["forged"]) == (f"eip155:1:{ADDRESS}", "signature")


def test_neither_node_nor_web3_nor_reflex_comes_along(told: Any) -> None:
    assert told["packages"] == ["cffi", "cryptography", "pycparser", "pyjwt", "walletmodal"]


@pytest.mark.parametrize("name", ADAPTERS)
def test_an_adapter_without_its_framework_says_what_to_install(told: Any, name: str) -> None:
    assert f"pip install 'walletmodal[{name}]'" in told["missing"][name]


def test_nothing_is_installed_under_a_name_of_the_teams(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"walletmodal"}


def test_the_wheel_has_what_serving_needs(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    assert {
        "walletmodal/alembic/env.py",
        "walletmodal/assets/walletmodal.js",
        "walletmodal/commands/frontend/reflex.lock/package-lock.json",
        "walletmodal/components/bridge/bridge.tsx",
        "walletmodal/host/py.typed",
        "walletmodal/sandbox/package-lock.json",
        "walletmodal/sandbox/static/build/demo.js",
        "walletmodal/secure/static/frame.js",
        "walletmodal/secure/db/migrations/env.py",
    } - names == set()


def test_the_wheel_has_the_pages_that_its_errors_name(wheel: Path) -> None:
    names = {f"walletmodal/docs/{page.name}" for page in (ROOT / "docs").glob("*.md")}
    assert names - set(ZipFile(wheel).namelist()) == set()


def test_no_page_of_the_wheel_leads_to_what_it_lacks(wheel: Path) -> None:
    with ZipFile(wheel) as packed:
        names = set(packed.namelist())
        pages = [name for name in names if name.startswith("walletmodal/docs/")]
        linked = {
            (page, normpath(f"{Path(page).parent}/{path}"))
            for page in pages
            for path in re.findall(r"\]\(([^)#\s:]+)[)#]", packed.read(page).decode())
        }
    assert ("walletmodal/docs/host-page.md", "walletmodal/docs/OPTIONS.md") in linked
    assert {link for link in linked if link[1] not in names} == set()


def test_the_wheel_lacks_packages_caches_and_what_is_built_from(wheel: Path) -> None:
    parts = {part for name in ZipFile(wheel).namelist() for part in Path(name).parts}
    assert parts & {"node_modules", "__pycache__", "external", ".stamp", "loader"} == set()


def test_the_wheel_has_the_data_of_its_packages(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    folders = [
        ROOT / "walletmodal" / name for name in ("commands", "core", "features", "host", "services", "testing", "ui")
    ]
    files = [file for folder in (*folders, ROOT / "components") for file in folder.rglob("*") if file.is_file()]
    paths = [str(file.relative_to(ROOT)) for file in files if file.suffix != ".pyc"]
    assert [path for path in paths if not {path, f"walletmodal/{path}"} & names] == []
