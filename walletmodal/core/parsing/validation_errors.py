"""What pydantic finds wrong with a value, told without the value itself, which may be hostile."""

from dataclasses import dataclass

from pydantic import ValidationError


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        where: names and indexes joined by dots, as in `native_currency.decimals`; "" for the whole. Names may be a stranger's.
        what: in words.
        kind: pydantic's name for it, such as `string_type`.
    """

    where: str
    what: str
    kind: str


def first_problem(error: ValidationError) -> Problem:
    """The first thing that is wrong."""
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return Problem(where, first["msg"].removeprefix("Value error, "), first["type"])
