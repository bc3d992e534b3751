"""The example page says what it must, under the policy that the README recommends."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import httpx
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "fastapi" / "app.py"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The example, as if its folder were the working directory."""
    monkeypatch.setenv("MODAL_URL", "https://modal.example.com/")
    spec = importlib.util.spec_from_file_location("fastapi_example", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "fastapi_example", module)
    spec.loader.exec_module(module)
    return module


async def get(example: ModuleType, path: str) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(example.app), base_url="http://app") as client:
        return await client.get(path)


async def test_the_page_loads_the_modal_with_one_tag(example: ModuleType) -> None:
    page = (await get(example, "/")).text
    assert page.count("https://modal.example.com/walletmodal.js") == 1


async def test_the_page_shows_the_button(example: ModuleType) -> None:
    assert "<wallet-modal-button>" in (await get(example, "/")).text


async def test_the_policy_names_script_and_frame(example: ModuleType) -> None:
    policy = (await get(example, "/")).headers["content-security-policy"]
    assert "script-src 'self' https://modal.example.com" in policy
    assert "frame-src https://modal.example.com" in policy


async def test_the_pages_script_makes_the_modal(example: ModuleType) -> None:
    script = await get(example, "/page.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert "WalletModal.create(" in script.text
