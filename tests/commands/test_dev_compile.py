"""What `walletmodal dev` has compiled before a save is what would be compiled after it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.project import ROOT
from walletmodal.commands.project import tool_environment

_COMPILE = """
import json, sys
from pathlib import Path

import reflex as rx
import walletmodal.walletmodal
from reflex.compiler import compiler
from walletmodal.reflex_internals.compiled_ahead import compile_ahead
from walletmodal.ui.own_parts import OWN

ahead, target = sys.argv[1:]
if ahead == "ahead":
    compile_ahead(OWN)
import own_views
from walletmodal import views

written = {}
compile_memos, compile_pages = compiler.compile_memo_components, compiler.CompileContext.compile

@views.after("Account", "end")
def more():
    return rx.el.p(views.account.address)

def memos(found):
    files, imports = compile_memos(found)
    written.update(files)
    written["imports"] = repr({name: sorted(map(repr, tags)) for name, tags in imports.items()})
    return files, imports

def pages(context, **options):
    compile_pages(context, **options)
    written.update({f"page {route}": page.output_code for route, page in context.compiled_pages.items()})

compiler.compile_memo_components, compiler.CompileContext.compile = memos, pages
own_views.app._compile(dry_run=True)
Path(target).write_text(json.dumps(written))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return shutil.copytree(ROOT / "examples" / "own_views", tmp_path / "own-views")


def compiled(project: Path, how: str) -> tuple[dict[str, str], str]:
    """What the pages and components of a project come to, by their file, and what was said of it."""
    target = project / f"{how}.json"
    environment = tool_environment({"PYTHONPATH": f"{project}:{ROOT}"})
    command: list[str | Path] = [sys.executable, "-c", _COMPILE, how, target]
    said = subprocess.run(
        command, cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert said.returncode == 0, said.stdout
    return json.loads(target.read_text("utf-8")), said.stdout


def test_it_is_what_would_be_compiled_after_the_save_and_says_of_nothing_that_it_is_deprecated(project: Path) -> None:
    after, said = compiled(project, "after")
    assert len(after) > 50
    assert compiled(project, "ahead")[0] == after
    assert "deprecated" not in said
