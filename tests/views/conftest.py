"""Nothing of a team's outlives a test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import pytest

from walletmodal.core.protocol.views import VIEWS
from walletmodal.ui.own_parts import OWN, Own


@pytest.fixture(autouse=True)
def own() -> Iterator[Own]:
    """What the test puts into the modal."""
    ours = dict(VIEWS)
    try:
        yield OWN
    finally:
        for field in fields(OWN):
            getattr(OWN, field.name).clear()
        VIEWS.clear()
        VIEWS.update(ours)
