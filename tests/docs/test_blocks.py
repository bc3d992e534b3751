"""Every block of code in the documentation is looked at: what can be run is run, of the rest what it names exists."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

from scripts.project import ROOT
from tests.cases import every_case
from tests.docs.pages import BLOCKS, PAGES, Block, blocks
from walletmodal import operator
from walletmodal.commands.main import COMMANDS

LOOKED_AT = {
    "caddy": "tests/web/test_proxies.py",
    "html": "here, and tests/docs/test_javascript.py",
    "js": "tests/docs/test_javascript.py",
    "json": "here",
    "jsx": "tests/docs/test_javascript.py",
    "nginx": "tests/web/test_proxies.py",
    "po": "tests/docs/test_python.py",
    "python": "RUN_BY",
    "sh": "here",
    "text": "to read only",
    "ts": "to read only: types of messages, which tests/core/protocol holds against the code",
    # Of the site.
    "{eval-rst}": "tests/docs/test_site.py",
    "{literalinclude} ../.env.example": "tests/docs/test_site.py",
    "{literalinclude} ../loader/walletmodal.d.ts": "tests/docs/test_site.py",
    "{toctree}": "tests/docs/test_site.py",
}
RUN_BY = {
    "README.md": ["tests/host/test_hosts_page.py::test_the_readmes_host_lets_in_who_is_signed_in"],
    "docs/hosts.md": [
        "tests/host/test_hosts_page.py::test_the_check_at_the_start_names_the_setting",
        *["tests/host/test_hosts_page.py::test_a_visitor_signs_in_stays_and_leaves"] * 4,
        "tests/host/test_hosts_page.py::test_a_reflex_state_takes_orders_of_signed_in_visitors",
        "tests/host/test_hosts_page.py::test_a_session_is_ended",
        "tests/host/test_hosts_page.py::test_a_sign_in_is_tied_to_a_nonce",
        "tests/host/test_hosts_page.py::test_what_an_account_owns_is_told",
        "tests/host/test_permissions.py::test_the_server_of_the_documentation_spends",
    ],
    "docs/languages.md": ["tests/docs/test_python.py::test_own_texts_of_the_documentation_are_translated"],
    "docs/own-views.md": ["tests/docs/test_python.py::test_the_own_views_of_the_documentation_can_be_drawn"] * 3,
    "docs/policy.md": [
        "tests/services/test_policy.py::test_the_policy_of_the_documentation_does_what_it_says",
        "tests/services/test_policy.py::test_the_sponsor_of_the_documentation_does_what_it_says",
    ],
    "docs/sign-in.md": ["tests/host/test_hosts_page.py::test_a_token_is_verified_as_the_page_on_signing_in_shows"],
    "docs/start.md": ["tests/docs/test_python.py::test_the_first_view_of_a_team_has_at_most_fifteen_lines"],
    "docs/testing.md": ["tests/testing/test_plugin.py::test_a_host_tests_its_login_without_the_server"] * 2,
    "docs/themes.md": [
        *["tests/docs/test_python.py::test_a_project_is_given_the_theme_of_the_documentation"] * 2,
        "tests/docs/test_python.py::test_a_font_of_a_teams_own_is_described",
    ],
    "docs/webhooks.md": ["tests/host/test_webhooks.py::test_the_receiver_of_the_documentation_takes_each_event_once"],
    "sandbox/README.md": ["tests/sandbox/test_readme.py::test_the_sandbox_of_the_readme_answers"],
}
"""For each block of Python, in their order, the test that runs it."""
SYSTEM = {
    *{".", "cd", "chown", "cp", "docker", "export", "git", "install", "kubectl", "mkdir", "npm", "sh", "ssh-keygen"},
    *{"systemctl", "useradd", "uv"},
}
ELEMENTS = set(
    re.findall(r'^    "([\w-]+)": HTMLElement', (ROOT / "loader/walletmodal.d.ts").read_text("utf-8"), re.MULTILINE)
)


def _choices() -> set[str]:
    commands = argparse.ArgumentParser().add_subparsers()
    operator.add_commands(commands)
    return {*COMMANDS, *commands.choices}


WALLETMODAL = _choices()
MAKE = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
EXTRAS = set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"])


@every_case("block", BLOCKS)
def test_a_block_is_of_a_kind_that_is_looked_at(block: Block) -> None:
    assert block.language in LOOKED_AT, "say which language it is in, behind the fence"


def test_every_block_of_python_is_run() -> None:
    pages = {block.page for block in blocks("python")}
    assert {page: len(blocks("python", page)) for page in pages} == {
        page: len(tests) for page, tests in RUN_BY.items()
    }, "name the test that runs it in RUN_BY"


@every_case("test", sorted({test for tests in RUN_BY.values() for test in tests}))
def test_the_test_that_runs_a_block_is_there(test: str) -> None:
    file, _, name = test.partition("::")
    assert f"def {name}(" in (ROOT / file).read_text("utf-8")


def _calls(text: str) -> Iterator[list[str]]:
    """The programs that a shell script calls, each with its arguments."""
    for line in text.splitlines():
        words: list[str] = []
        for word in [*shlex.split(line, comments=True), "&&"]:
            if word != "&&":
                words.append(word)
            elif words:
                while len(words) > 1 and re.match(r"[A-Z_]+=", words[0]):
                    words.pop(0)
                yield words
                words = []


@every_case("block", blocks("sh"))
def test_a_command_that_is_shown_exists(block: Block) -> None:
    for program, *arguments in _calls(block.code):
        if program == "make":
            assert arguments[0] in MAKE
        elif program == "walletmodal":
            assert arguments[0] in WALLETMODAL
        elif program == "pip":
            assert set(re.findall(r"\[([\w,]+)\]", arguments[-1])) <= EXTRAS | {"sandbox,testing"}
        elif program.rpartition("/")[2] in {"python", "python3"} and arguments[0] == "-m":
            assert find_spec(arguments[1]) is not None
            assert arguments[1] != "walletmodal" or arguments[2] in WALLETMODAL
        else:
            assert program in SYSTEM, "list it in SYSTEM, if it is no program of ours"


@every_case("page", PAGES)
def test_a_command_that_is_named_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    assert set(re.findall(r"`make ([a-z][a-z-]+)[`\s]", text)) <= MAKE
    assert set(re.findall(r"`(?:python -m )?walletmodal ([a-z][a-z-]+)[`\s]", text)) <= WALLETMODAL


@every_case("block", blocks("json"))
def test_json_is_valid(block: Block) -> None:
    rest = block.code.strip()
    while rest:
        _, end = json.JSONDecoder().raw_decode(rest)
        rest = rest[end:].strip()


class Tags(HTMLParser):
    """Checks that what is opened is closed, and that an element of ours exists."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, _attributes: object) -> None:
        assert "-" not in tag or tag in ELEMENTS
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@every_case("block", blocks("html"))
def test_html_is_closed_and_names_elements_that_exist(block: Block) -> None:
    tags = Tags()
    tags.feed(block.code)
    tags.close()
    assert tags.open == []


def test_the_page_for_hosts_lists_every_element_and_attribute() -> None:
    page = (ROOT / "docs/host-page.md").read_text("utf-8")
    source = (ROOT / "loader/src/elements.ts").read_text("utf-8")
    (listed,) = re.findall(r"observedAttributes = \[(.*)\];", source)
    assert ELEMENTS
    assert [name for name in ELEMENTS if f"`<{name}>`" not in page] == []
    assert [name for name in re.findall(r'"(\w+)"', listed) if f"`{name}`" not in page] == []
