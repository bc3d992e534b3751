"""Public addresses of the contracts that smart accounts consist of; the same on every network where they are deployed."""

import json
from importlib.resources import files
from typing import Final

_DATA: Final = json.loads(files("walletmodal.core").joinpath("data/smart_accounts.json").read_text("utf-8"))

ENTRY_POINTS: Final[dict[str, str]] = _DATA["entryPoints"]
"""Of ERC-4337, by version."""
ENTRY_POINT_0_7: Final = ENTRY_POINTS["0.7"]
ENTRY_POINT_0_8: Final = ENTRY_POINTS["0.8"]
