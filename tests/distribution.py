"""How the tests are spread over the processes of one run (pytest-xdist, `--dist loadgroup`) and ordered within each.

A file's tests stay together, for they share what is expensive to start; so do the tests of a folder that starts something for all of
its files. The tests that drive a browser come first in every process: Playwright's synchronous interface keeps an event loop running
in its thread, and the asynchronous tests need that gone. What takes longest starts early, so that no process ends long after the others.
"""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

_HERE = Path(__file__).parent
_FIRST = ("browser", "gallery", "sandbox")
_TOGETHER = frozenset({"db", "gallery"})


def _folder(item: pytest.Item) -> str:
    return item.path.relative_to(_HERE).parts[0]


def _order(item: pytest.Item) -> int:
    folder = _folder(item)
    return _FIRST.index(folder) if folder in _FIRST else len(_FIRST)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the browser's tests first, and name the group that each test belongs to."""
    items.sort(key=_order)
    for item in items:
        folder = _folder(item)
        group = folder if folder in _TOGETHER else item.path.relative_to(_HERE).as_posix()
        item.add_marker(pytest.mark.xdist_group(group))


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """Reports travel between processes as UTF-8; what a hostile text has left in a log may be no Unicode."""
    return _encodable((yield))


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_encodable(key): _encodable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_encodable(part) for part in value)
    return value
