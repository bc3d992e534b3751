"""What one visitor of the suite did is not there for the next, though both had the same browser context one after the other."""

from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, BrowserContext, Frame

from tests.browser.stack import Stack
from tests.browser.visiting import visiting
from tests.browser.visits import Visit, Visiting, demo_address

KEEP = """async () => {
  localStorage.setItem("kept", "1");
  sessionStorage.setItem("kept", "1");
  document.cookie = "kept=1; max-age=1000; SameSite=None; Secure; Partitioned";
  await (await caches.open("kept")).put("/kept", new Response("1"));
  await new Promise((resolve, reject) => {
    const opening = indexedDB.open("kept");
    opening.onsuccess = () => { opening.result.close(); resolve(); };
    opening.onerror = () => reject(opening.error);
  });
}"""

KEPT = """async () => [
  ...(localStorage.getItem("kept") ? ["local storage"] : []),
  ...(sessionStorage.getItem("kept") ? ["session storage"] : []),
  ...(document.cookie.includes("kept") ? ["cookies"] : []),
  ...(await caches.has("kept") ? ["caches"] : []),
  ...((await indexedDB.databases()).some(({ name }) => name === "kept") ? ["databases"] : []),
]"""

STORES = ("local storage", "session storage", "cookies", "caches", "databases")
PLACES = ("page", "frame", "page on another site", "frame on another site")


@dataclass(frozen=True)
class Neighbours:
    """Two visitors of each site, one after the other. Attributes: by place, what each found in it."""

    first: dict[str, list[str]]
    second: dict[str, list[str]]
    same_context: bool


def places(visitor: Visit) -> tuple[Frame, Frame]:
    """The host page and the modal's frame in it."""
    visitor.modal.open()
    inner = next(frame for frame in visitor.page.frames if frame.url.startswith(visitor.modal.url))
    return visitor.page.main_frame, inner


@pytest.fixture(scope="module")
def neighbours(stack: Stack, chromium: Browser) -> Neighbours:
    """The first visitor of each site keeps something everywhere, the second looks for it."""
    found: list[dict[str, list[str]]] = []
    contexts: set[BrowserContext] = set()
    for keeps in (True, False):
        seen: dict[str, list[str]] = {}
        for site, names in ((stack.demo, PLACES[:2]), (stack.other_site_demo, PLACES[2:])):
            with visiting(stack, chromium) as visit:
                visitor = visit(demo_address(site, wallet="none"))
                contexts.add(visitor.page.context)
                for name, frame in zip(names, places(visitor), strict=True):
                    if keeps:
                        frame.evaluate(KEEP)
                    seen[name] = frame.evaluate(KEPT)
        found.append(seen)
    first, second = found
    return Neighbours(first, second, len(contexts) == 1)


def test_visitors_follow_one_another_in_the_same_context(neighbours: Neighbours) -> None:
    assert neighbours.same_context


@pytest.mark.parametrize("place", PLACES)
def test_the_first_visitor_kept_something_everywhere(neighbours: Neighbours, place: str) -> None:
    assert tuple(neighbours.first[place]) == STORES


@pytest.mark.parametrize("place", PLACES)
def test_the_next_visitor_finds_nothing(neighbours: Neighbours, place: str) -> None:
    assert neighbours.second[place] == []


def test_two_visitors_at_once_have_nothing_in_common(visit: Visiting) -> None:
    first, second = visit(), visit()
    assert first.page.context is not second.page.context


def test_a_context_that_somebody_asked_for_has_no_further_visitor(stack: Stack, chromium: Browser) -> None:
    with visiting(stack, chromium) as visit:
        asked = visit(load=False).context
    with visiting(stack, chromium) as visit:
        assert visit(load=False).page.context is not asked


def test_a_moved_clock_has_no_further_visitor(stack: Stack, chromium: Browser) -> None:
    with visiting(stack, chromium) as visit:
        visitor = visit(load=False)
        visitor.page.clock.install(time=0)
    with visiting(stack, chromium) as visit:
        assert visit().page.evaluate("Date.now()") > 10**12


def test_a_script_of_one_visitor_does_not_run_for_the_next(stack: Stack, chromium: Browser) -> None:
    with visiting(stack, chromium) as visit:
        visit(before=["window.left = 1"])
    with visiting(stack, chromium) as visit:
        assert visit().page.evaluate("window.left") is None
