"""Whether the pages are compiled and served for development.

Why: Reflex keeps it in a setting of its own, which its commands set.
Test: `test_what_no_command_has_started_is_in_development`.
Dropped when: `rx.Config` has it.
"""

from __future__ import annotations

from reflex.utils.exec import is_prod_mode


def is_development() -> bool:
    """Whether this is `walletmodal dev` or a test, and no build that visitors get."""
    return not is_prod_mode()
