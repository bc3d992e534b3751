"""Shapes of parameters that methods of several namespaces have."""

from typing import Any, Final, TypeAlias

from walletmodal.core.parsing.schema import MISSING, Path, Schema, anything, array, either, record

Params: TypeAlias = list[Any] | dict[str, Any]

LIST: Final = array(anything)
_LIST_OR_OBJECT: Final[Schema[Params]] = either(LIST, record())


def no_params(value: object, path: Path) -> Params:
    """A method without parameters: those that a host sends all the same, as a list, are left out."""
    if value is not MISSING and value != {}:
        LIST(value, path)
    return []


def any_params(value: object, path: Path) -> Params:
    """A list, an object, or nothing."""
    if value is MISSING:
        return []
    return _LIST_OR_OBJECT(value, path)
