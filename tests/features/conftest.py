"""Fixtures of the state tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.features.namespaces import EVERY_CHAIN
from walletmodal.config import settings


@pytest.fixture
def every_chain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A deployment that offers networks of all namespaces."""
    monkeypatch.setenv("NETWORKS", ",".join(EVERY_CHAIN))
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()
