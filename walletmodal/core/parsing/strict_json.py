"""Strict JSON parsing for what is sent on as it is: I-JSON (RFC 7493) as far as texts and numbers go."""

import json
from decimal import Decimal, InvalidOperation

from pydantic_core import from_json


def read_json(body: bytes) -> object:
    """Parses a JSON text in UTF-8.

    Python's own parser also takes NaN, Infinity, numbers beyond a double, and unpaired surrogates, none of which it could
    write again as JSON; and it follows nested brackets down the C stack as far as the recursion limit says, which libraries raise.

    Raises:
        ValueError: not UTF-8, not JSON, one of those, or nested too deep.
    """
    # Its cache would keep texts for the life of the process: codes and halves of keys are among them.
    value: object = from_json(body.decode("utf-8-sig"), allow_inf_nan=False, cache_strings="none")
    # Numbers beyond a double have become infinite. A pattern that looks for them needs seconds for one long text that is made for it, such
    # as what a contract answers with; writing needs none.
    json.dumps(value, allow_nan=False)
    return value


def read_exact_json(body: bytes) -> object:
    """Parses JSON as `read_json`, but every number with a fraction or an exponent as an exact `Decimal`: for amounts and prices.

    Raises:
        ValueError: as `read_json`.
    """
    # What the careful parser has accepted is safe for Python's, which alone keeps the digits of a number.
    read_json(body)
    value: object = json.loads(body.decode("utf-8-sig"), parse_float=_exact)
    return value


def _exact(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise ValueError("an exponent of more digits than a number has") from error
