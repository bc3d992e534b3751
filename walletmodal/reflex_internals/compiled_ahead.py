"""Components that are compiled before the app is, for all processes that are forked afterwards.

Why: Reflex compiles every memo after each save, though those of an installed package cannot have changed; it is most of what a save takes.
Test: `test_what_was_compiled_ahead_comes_out_as_it_would_have`, `test_what_reads_what_is_to_come_is_not_compiled_ahead`.
Dropped when: Reflex compiles only what has changed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from reflex.compiler import utils
from reflex_base.components.memo import MEMOS, MemoComponentDefinition, _LazyBody

_compile: Final = utils.compile_experimental_component_memo
_compiled: Final[dict[int, tuple[MemoComponentDefinition, Any]]] = {}
_LAZY: Final[Any] = _LazyBody


def compile_ahead(unsettled: object) -> None:
    """Compile all memos that there are, but for those that read an attribute of `unsettled`: what it has is still to come."""
    reads: list[str] = []
    unsure: list[Any] = []
    get = _LAZY.get

    def noted(body: Any, thunk: Any = None) -> Any:
        ready, before = body.is_ready, len(reads)
        value = get(body, thunk)
        if not ready and len(reads) > before:
            unsure.append(body)
        return value

    _LAZY.get = noted
    try:
        with _noting_reads(type(unsettled), reads):
            made = [(one, _compile(one)) for one in [*MEMOS.values()] if isinstance(one, MemoComponentDefinition)]
    finally:
        _LAZY.get = get
    for body in unsure:
        body._ready, body._value = False, None
    _compiled.update((id(one), (one, result)) for one, result in made if one._component.is_ready)
    utils.compile_experimental_component_memo = _recall


def _recall(definition: MemoComponentDefinition) -> Any:
    """What was compiled ahead, unless the app has a style of its own by now, which every component gets."""
    known = _compiled.get(id(definition))
    return _compile(definition) if known is None or utils._app_style() else known[1]


@contextmanager
def _noting_reads(of: Any, reads: list[str]) -> Iterator[None]:
    def noting(self: object, name: str) -> Any:
        reads.append(name)
        return object.__getattribute__(self, name)

    of.__getattribute__ = noting
    try:
        yield
    finally:
        del of.__getattribute__
