"""Modules in memory that are no longer what their files say: those that were saved since, and all that import them."""

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from prometheus_client import REGISTRY
from prometheus_client.metrics import MetricWrapperBase
from sqlmodel import SQLModel

from walletmodal.reflex_internals.registrations import forget_registrations

Stamp = tuple[int, int] | None

_BY_NAME: Final = "import_module"


class Loaded:
    """Modules that were imported before the saves of which `outdated` tells.

    Args:
        files: of each, by its name. Their modules need not be imported yet, so that no save goes unseen.
    """

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = dict(files)
        self._stamps = {name: _stamp(file) for name, file in files.items()}
        self._importers: dict[str, set[str]] = {name: set() for name in files}
        for name, file in files.items():
            for imported in _imports(name, Path(file), files):
                self._importers[imported].add(name)

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def outdated(self) -> set[str]:
        """The names of those whose files have changed, and of all that import them, directly or not."""
        waiting = [name for name, file in self._files.items() if _stamp(file) != self._stamps[name]]
        found = set(waiting)
        while waiting:
            more = self._importers[waiting.pop()] - found
            found |= more
            waiting += more
        return found


def forget(names: set[str]) -> None:
    """Have modules be imported anew: they, and what they have registered where a name may be registered once."""
    forget_registrations(names)
    for name in names:
        module = sys.modules.pop(name, None)
        if module is None:
            continue
        for value in vars(module).values():
            if isinstance(value, MetricWrapperBase) and value in REGISTRY._collector_to_names:  # noqa: SLF001 - it tells nowhere else what it has
                REGISTRY.unregister(value)
            elif isinstance(value, type) and value.__module__ == name and hasattr(value, "__table__"):
                SQLModel.metadata.remove(value.__table__)
        folder, _, last = name.rpartition(".")
        # Or `from folder import last` has the old one.
        if getattr(sys.modules.get(folder), last, None) is module:
            delattr(sys.modules[folder], last)


def _stamp(file: str) -> Stamp:
    try:
        found = Path(file).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _imports(name: str, file: Path, known: Mapping[str, str]) -> Iterator[str]:
    """Those of `known` that a module imports anywhere in it; all of its own package, where it puts their names together."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = (
                ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])])
                if node.level
                else node.module or ""
            )
            found = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Name) and node.id == _BY_NAME:
            found = [other for other in known if other.startswith(f"{package}.") and other != name]
        else:
            continue
        yield from known.keys() & found
