"""Compiling the pages without writing any.

Why: `reflex compile --dry` first sets up the folder of the front end, and installs npm packages.
Test: `test_a_page_that_does_not_compile_is_told_of`.
Dropped when: it needs no such folder.
"""

from reflex.utils.prerequisites import get_compiled_app


def compile_pages() -> None:
    """Imports the project's app and compiles its pages."""
    get_compiled_app(dry_run=True)
