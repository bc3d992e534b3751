"""Whether the packages of a virtual environment are there with all their bytes: pip believes what it has noted, also after a full disk."""

import csv
from pathlib import Path


def damaged_packages(venv: Path) -> list[str]:
    """The packages with a file that is missing, or has another size than pip noted (`RECORD`, PEP 376), by name and version."""
    folders = sorted(venv.glob("lib/python*/site-packages/*.dist-info"))
    noted = {folder: _noted(folder) for folder in folders}
    # Two packages may bring the same file, and the later one's is there.
    sizes: dict[Path, set[int]] = {}
    for files in noted.values():
        for path, size in (files or {}).items():
            sizes.setdefault(path, set()).add(size)
    return [
        folder.name.removesuffix(".dist-info")
        for folder, files in noted.items()
        if not files or any(_size(path) not in sizes[path] for path in files)
    ]


def _noted(folder: Path) -> dict[Path, int] | None:
    """The files of a package with their sizes; None when that cannot be read."""
    try:
        with (folder / "RECORD").open(newline="", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if len(row) == 3]
        return {folder.parent / path: int(size) for path, _, size in rows if size}
    except (OSError, ValueError):
        return None


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None
