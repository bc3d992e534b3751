"""What can be found out about one entry in one look; it is visited once, whatever tests ask about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Frame, Page

from tests.gallery.pictures import expected
from tests.gallery.stage import Look, Stage
from walletmodal.features.gallery.entries import Entry

_TEST_IDS: Final = "(parts) => parts.filter((part) => part.getClientRects().length).map((part) => part.dataset.testid)"
GRAVE: Final = ("serious", "critical")
_ON_TOP: Final = ("target-size", "label-content-name-mismatch")
"""Rules that have to be asked for."""
_HAS_AXE: Final = "() => 'axe' in window"
_BARRIERS: Final = """async ([onTop, impacts]) => (await axe.run({
  resultTypes: ["violations"],
  rules: Object.fromEntries(onTop.map((rule) => [rule, { enabled: true }])),
})).violations
  .filter(({ impact }) => !impacts.length || impacts.includes(impact))
  .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`))"""


_PARTS: Final = """() => [...document.querySelectorAll("main *")]
  .filter((part) => part.getClientRects().length)
  .map((part) => [part.tagName.toLowerCase(), ...[...part.classList].sort()].join("."))"""


@dataclass(frozen=True)
class Examined:
    """What was found.

    Attributes:
        picture: of the card (PNG).
        barriers: what axe finds.
        errors: the console's.
        test_ids: of all parts that take up room.
        heights: how high the view has been (px).
        parts: the elements that take up room, by their names and classes.
    """

    picture: bytes
    barriers: tuple[str, ...]
    errors: tuple[str, ...]
    test_ids: frozenset[str]
    heights: tuple[int, ...]
    parts: frozenset[str]


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
            picture = stage.turn_to(entry, expected(entry, look))
            errors = tuple(stage.errors)
            barriers = barriers_of(stage.page)
            test_ids = frozenset(stage.page.locator("[data-testid]").evaluate_all(_TEST_IDS))
            parts = frozenset(stage.page.evaluate(_PARTS))
            self._seen[key] = Examined(picture, barriers, errors, test_ids, tuple(stage.heights(entry)), parts)
        return self._seen[key]

    def forget(self, entry: Entry, look: Look) -> None:
        """Looks anew when asked again."""
        self._seen.pop((entry.id, look.name), None)


def barriers_of(page: Page | Frame, impacts: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What axe finds. `impacts`: which alone count; without any, all."""
    # Bringing axe into a page takes longer than its work there.
    if not page.evaluate(_HAS_AXE):
        page.evaluate(AXE_SCRIPT)
    return tuple(page.evaluate(_BARRIERS, [_ON_TOP, impacts]))
