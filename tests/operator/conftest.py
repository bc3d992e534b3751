"""Fixtures of the commands' tests: a deployment's settings in the environment, over tables of its own."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from walletmodal.commands.main import main
from walletmodal.config import SETTING_NAMES
from walletmodal.db.engine import open_engine

_T = TypeVar("_T")


@dataclass(frozen=True)
class Answer:
    """What a command said, and its status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@dataclass(frozen=True)
class Deployed:
    """A deployment that commands are asked about."""

    url: str
    run: Callable[..., Answer]

    def write(self, work: Callable[[AsyncEngine], Awaitable[_T]]) -> _T:
        """Do something with its tables."""

        async def done() -> _T:
            engine = open_engine(self.url)
            try:
                return await work(engine)
            finally:
                await engine.dispose()

        return asyncio.run(done())


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """None of our settings, in a folder without `.env`."""
    for name in list(os.environ):
        if name.upper() in SETTING_NAMES:
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return monkeypatch


@pytest.fixture
def deployed(
    environment: pytest.MonkeyPatch, tmp_path: Path, empty_database: bytes, capsys: pytest.CaptureFixture[str]
) -> Deployed:
    """One with migrated tables."""
    path = tmp_path / "test.db"
    path.write_bytes(empty_database)
    url = f"sqlite:///{path}"
    environment.setenv("DATABASE_URL", url)

    def run(*arguments: str, **settings: str) -> Answer:
        for name, value in settings.items():
            environment.setenv(name, value)
        capsys.readouterr()
        try:
            status = main(arguments)
        except SystemExit as error:
            status = int(str(error.code))
        told = capsys.readouterr()
        return Answer(status, told.out, told.err)

    return Deployed(url, run)
