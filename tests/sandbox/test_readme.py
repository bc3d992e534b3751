"""What the sandbox's README shows of tests is so."""

from __future__ import annotations

import ast
import inspect
from contextlib import nullcontext
from types import CodeType
from typing import Any

import pytest

import walletmodal.sandbox
from tests.docs.pages import blocks
from walletmodal.sandbox import Sandbox


async def test_the_sandbox_of_the_readme_answers(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walletmodal.sandbox, "Sandbox", lambda _settings: nullcontext(sandbox))
    (block,) = blocks("python", "sandbox/README.md")
    names: dict[str, Any] = {}
    code: CodeType = compile(block.code, str(block), "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    running = eval(code, names)
    assert inspect.iscoroutine(running)
    await running
    assert names["sandbox"].url == sandbox.url
