"""Imports that take long and are needed by few: done on first use, in a thread, so that the visitors of a process do not wait for them."""

import asyncio
from importlib import import_module
from types import ModuleType
from typing import Any

# Not `sys.modules`: what another thread is importing at this moment is in there already, half made.
_imported: dict[str, ModuleType] = {}


async def lazily(module: str, name: str) -> Any:
    """A module's public name; the module is imported when this is its first use.

    Args:
        module: full name, below `walletmodal.services.chains`.
        name: the class or function. The caller states its type.
    """
    if module not in _imported:
        _imported[module] = await asyncio.to_thread(import_module, module)
    return getattr(_imported[module], name)
