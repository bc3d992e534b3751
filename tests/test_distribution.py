"""Of a test's cases one runs on Redis; a test that names its stores keeps them all."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from scripts.project import ROOT
from tests.distribution import ByFile, pytest_collection_modifyitems


def _case(name: str, *, manager: str, marks: tuple[str, ...] = ()) -> pytest.Item:
    path = ROOT / "tests" / "features" / "test_it.py"
    made: Any = SimpleNamespace(
        path=path,
        nodeid=f"tests/features/test_it.py::test_it[{name}]",
        callspec=SimpleNamespace(params={"manager": manager}),
        iter_markers=lambda _name: [SimpleNamespace(args=(arguments,)) for arguments in marks],
    )
    return cast("pytest.Item", made)


def test_one_case_of_a_test_runs_on_redis() -> None:
    cases = [_case(f"{manager}-{number}", manager=manager) for number in (1, 2) for manager in ("memory", "redis")]
    items = list(cases)
    pytest_collection_modifyitems(items)
    assert items == [cases[0], cases[1], cases[2]]


def test_a_test_that_names_its_stores_runs_on_them_in_every_case() -> None:
    items = [_case(f"redis-{number}", manager="redis", marks=("manager", "number")) for number in (1, 2)]
    before = list(items)
    pytest_collection_modifyitems(items)
    assert items == before


@pytest.mark.parametrize(
    ("test", "together_with"),
    [
        ("tests/db/test_audit.py::test_it", "tests/db/test_resume.py::test_it"),
        ("tests/components/pairing/test_code.py::test_it", "tests/components/pairing/test_preload.py::test_it"),
        ("tests/gallery/test_looks.py::test_it[light-a]", "tests/gallery/test_accessibility.py::test_it[phone-b]"),
        ("tests/browser/test_send.py::test_it", "tests/browser/test_send_failures.py::test_it"),
    ],
)
def test_what_starts_something_together_stays_together(test: str, together_with: str) -> None:
    scope = ByFile._split_scope
    nobody = cast("ByFile", None)
    assert scope(nobody, test) == scope(nobody, together_with)


def test_the_halves_of_the_gallery_may_run_at_the_same_time() -> None:
    scope, nobody = ByFile._split_scope, cast("ByFile", None)
    halves = [scope(nobody, f"tests/gallery/test_looks.py::test_it[{look}-a]") for look in ("dark", "light")]
    assert halves[0] != halves[1]
