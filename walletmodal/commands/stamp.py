"""Skipping work whose inputs have not changed: a digest over files, kept in a stamp beside the result."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

_IGNORED_FOLDERS = frozenset({"__pycache__", "node_modules"})
_IGNORED_SUFFIXES = frozenset({".pyc", ".pyo"})


def files(path: Path) -> Iterator[Path]:
    """Those below a path that count, or the file itself."""
    if path.is_file():
        yield path
    elif path.is_dir():
        for child in sorted(path.iterdir()):
            # What a link leads to is named by itself, or is no source.
            if child.name not in _IGNORED_FOLDERS and child.suffix not in _IGNORED_SUFFIXES and not child.is_symlink():
                yield from files(child)


def digest(paths: Iterable[Path], *facts: str) -> str:
    """A SHA-256 over names and bytes of all files under `paths`, and over `facts` (versions and settings).

    A path that is missing counts as such, so that its appearance changes the digest.
    """
    total = hashlib.sha256()
    for fact in facts:
        total.update(fact.encode() + b"\0")
    for path in paths:
        total.update(b"path\0" + path.name.encode() + b"\0")
        for file in files(path):
            relative = file.relative_to(path) if file != path else Path(file.name)
            total.update(relative.as_posix().encode() + b"\0")
            total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def is_fresh(stamp: Path, current: str) -> bool:
    """Whether the work that `stamp` records was done for the inputs of digest `current`."""
    try:
        return stamp.read_text() == current
    except OSError:
        return False


def record(stamp: Path, current: str) -> None:
    """Note that the work is done for the inputs of digest `current`."""
    stamp.parent.mkdir(parents=True, exist_ok=True)
    fresh = stamp.with_name(f"{stamp.name}.new")
    fresh.write_text(current)
    fresh.replace(stamp)
