"""Where the npm packages are: the chains' programs and what contracts are made from. Nothing else reads them while the sandbox runs."""

import os
from pathlib import Path
from typing import Final

PACKAGES: Final = Path(os.environ.get("SANDBOX_PACKAGES") or Path(__file__).parent / "node_modules")
"""Beside the sources in a checkout; elsewhere `walletmodal run` says where it has installed them."""
