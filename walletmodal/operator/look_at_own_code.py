"""The doctor on the project's own modules: what in them holds the event loop, on which a worker serves everybody."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from walletmodal.operator.findings import Finding, failed, ok, warning

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_LEFT_OUT: Final = frozenset({"assets", "data", "node_modules", "tests"})
_HOLDING: Final = (
    "httpx.delete",
    "httpx.get",
    "httpx.patch",
    "httpx.post",
    "httpx.put",
    "httpx.request",
    "os.system",
    "requests.",
    "socket.create_connection",
    "sqlite3.connect",
    "subprocess.call",
    "subprocess.check_call",
    "subprocess.check_output",
    "subprocess.run",
    "time.sleep",
    "urllib.request.urlopen",
)
"""What waits without letting others go on, by its full name, or how that begins."""


async def own_code() -> Sequence[Finding]:
    """Which calls in coroutines and event handlers of the project wait; nothing in a checkout of the product."""
    modules = own_modules()
    if modules is None:
        return []
    project = Path.cwd()
    found = [finding for file in modules for finding in _in_module(file, str(file.relative_to(project)))]
    return found or [ok("own code", f"{len(modules)} modules, in which nothing is known to hold the event loop")]


def own_modules() -> list[Path] | None:
    """The project's modules; None in a checkout of the product."""
    project = Path.cwd()
    if _PACKAGE.is_relative_to(project) and not any(part in {"site-packages", ".venv"} for part in _PACKAGE.parts):
        return None
    return [file for file in sorted(project.rglob("*.py")) if _is_own(file.relative_to(project))]


def _is_own(file: Path) -> bool:
    return not any(part.startswith(".") or part in _LEFT_OUT or part == "site-packages" for part in file.parts)


def _in_module(file: Path, name: str) -> Iterator[Finding]:
    try:
        tree = ast.parse(file.read_bytes(), name)
    except (SyntaxError, ValueError) as error:
        yield failed("own code", f"is no Python: {error}")
        return
    names = dict(_imported(tree))
    for function in ast.walk(tree):
        if isinstance(function, ast.AsyncFunctionDef) or (
            isinstance(function, ast.FunctionDef) and any(_is_event(one, names) for one in function.decorator_list)
        ):
            for call in _calls(function.body):
                called = _full_name(call.func, names)
                if called.startswith(_HOLDING):
                    text = f"{name}:{call.lineno}: {called} holds the event loop: use what can be awaited, or `await asyncio.to_thread`"
                    yield warning("own code", text)


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each name that an import binds, and the full name of what it stands for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                yield (one.asname, one.name) if one.asname else (one.name.split(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                yield one.asname or one.name, f"{node.module}.{one.name}"


def _is_event(decorator: ast.expr, names: dict[str, str]) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return _full_name(called, names) == "reflex.event"


def _calls(body: Sequence[ast.AST]) -> Iterator[ast.Call]:
    """The calls of a function itself: what is defined in it may run in a thread."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.Call):
            yield node
        yield from _calls(list(ast.iter_child_nodes(node)))


def _full_name(node: ast.expr, names: dict[str, str]) -> str:
    if isinstance(node, ast.Name):
        return names.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        return f"{_full_name(node.value, names)}.{node.attr}"
    return ""
