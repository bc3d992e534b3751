"""Which process works for a visitor: of what it took with it when it died, nothing is known, and it is begun anew."""

import secrets
from typing import Final

PROCESS: Final = secrets.token_hex(8)
