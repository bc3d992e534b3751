"""How the tests are spread over the processes of one run (pytest-xdist) and ordered within each.

A file's tests stay together, for they share what is expensive to start; so do the tests of a folder that starts something for all of
its files; the gallery's are two halves. The tests that drive a browser come first in every process: Playwright's synchronous interface
keeps an event loop running in its thread, and the asynchronous tests need that gone. What takes longest starts early, so that no
process ends long after the others.
"""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

_HERE = Path(__file__).parent
_FIRST = ("browser", "gallery", "sandbox", "components", "db", "secure", "services", "features")
"""What lasts longest, which are the tests that start something, comes first; the many short ones fill what is left at the end."""
_STARTING = frozenset({"test_serve.py", "test_serving.py", "test_scripts_setup.py", "test_typescript.py"})
"""Files beside the folders that start something, one after the other: begun last they would be waited for."""
_TOGETHER = frozenset({"db", "gallery"})
_PAIRING = "tests/components/pairing/"
"""A folder that bundles a page, and starts a browser and a phone for all of its files."""
_SHARING = {
    f"tests/browser/test_{name}.py": server
    for server, names in {
        "listing": ("all_wallets", "choosing", "phones"),
        "account": ("account", "history", "receive", "records", "swap", "swap_elsewhere"),
        "account's transfers": ("buying", "names", "send", "send_failures"),
        "embedded": ("account_deletion", "email_update", "embedded", "export", "passkeys", "secrets_stay", "social"),
    }.items()
    for name in names
}
"""Files of the browser's tests that start one more modal server (tests/browser/stack.py), and with which others they share it. None of
these groups takes much longer than the longest single file, or the other processes would wait for it in the end."""
_LOOKS = ("light", "phone", "german", "arabic", "hindi")
"""The looks at the gallery whose tests go apart from the dark one's (tests/gallery/looks.py has all): half of all visits."""


def _folder(item: pytest.Item) -> str:
    return item.path.relative_to(_HERE).parts[0]


def _order(item: pytest.Item) -> int:
    folder = _folder(item)
    if folder in _STARTING:
        return _FIRST.index("components")
    if folder in _FIRST:
        return _FIRST.index(folder)
    # Pure functions, a thousand in a few seconds.
    return len(_FIRST) + (folder == "core")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the browser's tests first, and the shortest last; of a test's cases one alone runs on Redis."""
    seen: set[str] = set()
    items[:] = [item for item in items if not _is_one_more_on_redis(item, seen)]
    items.sort(key=_order)


def is_on_redis_as_well(item: pytest.Item) -> bool:
    """Whether it is the case on Redis of a test that does not itself name the stores on which it runs."""
    named = any("manager" in str(mark.args[0]) for mark in item.iter_markers("parametrize"))
    callspec = getattr(item, "callspec", None)
    return not named and callspec is not None and callspec.params.get("manager") == "redis"


def _is_one_more_on_redis(item: pytest.Item, seen: set[str]) -> bool:
    """Whether another case of the test is on Redis as well, where cases take the same path; a test that names its stores keeps them all."""
    if not is_on_redis_as_well(item):
        return False
    test = item.nodeid.partition("[")[0]
    before = test in seen
    seen.add(test)
    return before


class ByFile(LoadScopeScheduling):  # type: ignore[misc]  # the package ships no types
    """Gives a process all tests of a file, or of files, a folder or a look that start something together."""

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        folder = path.removeprefix("tests/").partition("/")[0]
        if path.startswith(_PAIRING):
            return _PAIRING
        if folder not in _TOGETHER:
            return _SHARING.get(path, path)
        look = nodeid.partition("[")[2].partition("-")[0]
        apart = folder == "gallery" and (look in _LOOKS or path.endswith("test_test_ids.py"))
        return f"{folder} in other looks" if apart else folder


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile:
    """The way in which xdist hands the tests out."""
    return ByFile(config, log)


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
