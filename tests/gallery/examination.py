"""What can be found out about one entry in one look; it is visited once, whatever tests ask about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from axe_playwright_python.sync_playwright import Axe

from tests.gallery.stage import Look, Stage
from walletmodal.features.gallery.entries import Entry

_TEST_IDS: Final = "(parts) => parts.filter((part) => part.getClientRects().length).map((part) => part.dataset.testid)"
_GRAVE: Final = {"serious", "critical"}


@dataclass(frozen=True)
class Examined:
    """What was found.

    Attributes:
        picture: of the card (PNG).
        barriers: what axe finds serious or critical with every rule on.
        errors: the console's.
        test_ids: of all parts that take up room.
    """

    picture: bytes
    barriers: tuple[str, ...]
    errors: tuple[str, ...]
    test_ids: frozenset[str]


class Examiner:
    """Brings entries on stage and keeps what was found."""

    def __init__(self, stages: dict[str, Stage]) -> None:
        self._stages = stages
        self._seen: dict[tuple[str, str], Examined] = {}

    def examine(self, entry: Entry, look: Look) -> Examined:
        """What was found, now or before."""
        key = (entry.id, look.name)
        if key not in self._seen:
            stage = self._stages[look.name]
            picture = stage.show(entry)
            errors = tuple(stage.errors)
            found = Axe().run(stage.page, options={"resultTypes": ["violations"]}).response["violations"]
            barriers = tuple(
                f"{rule['id']}: {node['html']}: {node['failureSummary']}"
                for rule in found
                if rule["impact"] in _GRAVE
                for node in rule["nodes"]
            )
            test_ids = frozenset(stage.page.locator("[data-testid]").evaluate_all(_TEST_IDS))
            self._seen[key] = Examined(picture, barriers, errors, test_ids)
        return self._seen[key]
