"""Values of typed data, as wallets take them."""

import re
from typing import Final

_UINT: Final = re.compile(r"0x[0-9a-fA-F]{1,64}|[0-9]{1,78}")


def read_uint(value: object) -> int | None:
    """A number as typed data has it: itself, or decimal or hexadecimal text."""
    if isinstance(value, str) and _UINT.fullmatch(value):
        return int(value, 16 if value.startswith("0x") else 10)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
