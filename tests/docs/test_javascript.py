"""What the documentation shows of JavaScript fits the types that hosts get."""

from __future__ import annotations

import json
import re
from pathlib import Path

from scripts.project import ROOT, VENV_BIN
from tests.docs.pages import Block, blocks
from walletmodal.commands.tools import captured

TYPES = ROOT / "loader" / "walletmodal.d.ts"
# What another block of the same page, or the reader's own code, has made. Answers of a provider are whatever the wallet says.
MADE_BEFORE = {
    "modal": 'import("walletmodal").Modal',
    "provider": "{ request(args: { method: string; params?: unknown }): Promise<any> }",
    "spender": "string",
    "token": "string",
    "usdc": "string",
}
OPTIONS = {
    "allowUmdGlobalAccess": True,
    "jsx": "preserve",
    "lib": ["ES2022", "DOM"],
    "module": "ESNext",
    "moduleResolution": "Bundler",
    "noEmit": True,
    "strict": False,
    "paths": {"walletmodal": [str(TYPES)]},
    "target": "ES2022",
    "types": [],
}


def _typed(block: Block) -> str:
    made = {
        name
        for names in re.findall(r"\b(?:const|let)\s+[\[{]?([\w, ]+)", block.code)
        for name in names.strip().split(", ")
    }
    before = [f"declare const {name}: {kind};" for name, kind in MADE_BEFORE.items() if name not in made]
    # All on the first line, so that the compiler tells the block's own lines from the second on.
    return " ".join(['import "walletmodal";', *before]) + "\n" + block.code


def _scripts(block: Block) -> list[Block]:
    found = re.finditer(r"<script>\n(.*?)</script>", block.code, re.DOTALL)
    return [Block(block.page, block.line + block.code.count("\n", 0, one.start(1)), "js", one[1]) for one in found]


def test_what_is_shown_fits_the_types_of_the_api(tmp_path: Path) -> None:
    shown = [*blocks("js"), *(script for block in blocks("html") for script in _scripts(block))]
    files = {}
    for number, block in enumerate(shown):
        files[f"block_{number}.ts"] = block
        (tmp_path / f"block_{number}.ts").write_text(_typed(block), "utf-8")
    for block in blocks("jsx"):
        files["component.tsx"] = block
        (tmp_path / "component.tsx").write_text(block.code, "utf-8")
    (tmp_path / "react.d.ts").write_text('declare module "react";\n')
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": OPTIONS, "include": ["*"]}))
    compiler = ROOT / "loader" / "node_modules" / "typescript" / "bin" / "tsc"
    ran = captured([VENV_BIN / "node", compiler, "-p", tmp_path, "--pretty", "false"])
    assert len(files) > 8
    assert ran.returncode == 0, [
        f"{files[name]} + {int(line) - 2}: {told}"
        for name, line, told in re.findall(r"(\w+\.tsx?)\((\d+),\d+\): (.*)", ran.stdout)
    ] or ran.stdout
