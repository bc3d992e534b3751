"""One test over a long list: it tries every case and reports all that fail, for a tenth of what a test for each would cost.

For pure functions. What needs a fixture of its own for each case is parametrized.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

_ParameterSet: Any = type(pytest.param())


def every_case(
    names: str | Sequence[str], cases: Iterable[Any], *, ids: object = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, in one test; `ids` is for the reader.

    Raises:
        BaseExceptionGroup: from the test, with the failure of each case that failed; its note names the case.
    """
    del ids
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = [_values(case, len(keys)) for case in cases]
    assert rows, "a list without a case tests nothing"

    def over(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def tries_all(**given: Any) -> None:
            failures: list[BaseException] = []
            for row in rows:
                try:
                    test(**given, **dict(zip(keys, row, strict=True)))
                except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001  # raised below, with those of the others
                    failure.add_note(f"case: {', '.join(map(repr, row))}")
                    failures.append(failure)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(rows)} cases", failures)

        signature = inspect.signature(test)
        remaining = [parameter for name, parameter in signature.parameters.items() if name not in keys]
        # What pytest reads to find out which fixtures a test wants.
        tries_all.__signature__ = signature.replace(parameters=remaining)  # type: ignore[attr-defined]  # inspect's own protocol
        return tries_all

    return over


def _values(case: Any, count: int) -> Sequence[Any]:
    if isinstance(case, _ParameterSet):
        return tuple(case.values)
    return tuple(case) if count > 1 else (case,)
