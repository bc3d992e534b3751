"""Where the built pages are.

Why: the content security policy names the inline scripts of the documents by their digests.
Test: `test_the_pages_are_built_into_the_web_folder`.
Dropped when: Reflex tells the folder of its build, or writes no inline scripts.
"""

from pathlib import Path

from reflex.utils.prerequisites import get_web_dir


def built_pages() -> Path:
    """The folder of the documents and scripts that browsers get."""
    return get_web_dir() / "build" / "client"
