"""JSON of strangers that can be sent on as it is: I-JSON (RFC 7493) as far as texts and numbers go."""

import json
import math
import re
from typing import Final

_MAYBE_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def read_json(body: bytes) -> object:
    """The value of a JSON text in UTF-8.

    Python's own parser also takes NaN, Infinity, numbers beyond a double, and unpaired surrogates, none of which it could
    write again as JSON.

    Raises:
        ValueError: not UTF-8, not JSON, or one of those.
        RecursionError: nested too deep.
    """
    text = body.decode("utf-8-sig")
    value: object = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    if _MAYBE_SURROGATE.search(text):
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number beyond a double")
    return number
