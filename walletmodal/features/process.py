"""Id of the process that works for a visitor: nothing is known of work whose process died, and it is begun anew."""

import secrets
from typing import Final

PROCESS: Final = secrets.token_hex(8)
