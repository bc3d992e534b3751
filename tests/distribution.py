"""How the tests are spread over the processes of one run (pytest-xdist, `--dist loadgroup`) and ordered within each.

A file's tests stay together, for they share what is expensive to start; so do the tests of a folder that starts something for all of
its files. The tests that drive a browser come first in every process: Playwright's synchronous interface keeps an event loop running
in its thread, and the asynchronous tests need that gone.
"""

from pathlib import Path

import pytest

_HERE = Path(__file__).parent
_BROWSER_FIRST = ("browser", "gallery")
_TOGETHER = frozenset({"db", "gallery", "sandbox"})


def _folder(item: pytest.Item) -> str:
    return item.path.relative_to(_HERE).parts[0]


def _order(item: pytest.Item) -> int:
    folder = _folder(item)
    return _BROWSER_FIRST.index(folder) if folder in _BROWSER_FIRST else len(_BROWSER_FIRST)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the browser's tests first, and name the group that each test belongs to."""
    items.sort(key=_order)
    for item in items:
        folder = _folder(item)
        group = folder if folder in _TOGETHER else item.path.relative_to(_HERE).as_posix()
        item.add_marker(pytest.mark.xdist_group(group))
