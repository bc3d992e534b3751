"""A mypy plugin for one place where Reflex speaks to pyright alone: `rx.event` is a class whose `__new__` gives something else.

mypy takes such a call for an instance of the class, which cannot be called; a decorated handler can, with the handler's arguments,
from a view for an event and from another handler.
"""

from collections.abc import Callable
from typing import Final

from mypy.nodes import ARG_STAR, ARG_STAR2
from mypy.plugin import FunctionContext, Plugin
from mypy.types import AnyType, CallableType, Type, TypeOfAny

_DECORATOR: Final = "reflex_base.event.EventNamespace"


class ReflexPlugin(Plugin):
    """Gives decorated event handlers a type that can be called."""

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """The hook for calls of the decorator; None for all else."""
        return _handler_type if fullname == _DECORATOR else None


def _handler_type(context: FunctionContext) -> Type:
    anything = AnyType(TypeOfAny.explicit)
    handler = CallableType(
        [anything, anything],
        [ARG_STAR, ARG_STAR2],
        [None, None],
        anything,
        context.api.named_generic_type("builtins.function", []),
    )
    decorates_now = bool(context.args and context.args[0])
    return handler if decorates_now else handler.copy_modified(ret_type=handler)


def plugin(_version: str) -> type[Plugin]:
    """What mypy asks for."""
    return ReflexPlugin
