"""The Python that makes a theme."""

from __future__ import annotations

import json
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, Final

from walletmodal.core.theming.theme import INTER, Theme

_HEAD: Final = '"""How our modal looks."""\n\nfrom walletmodal.theme import {names}\n\ntheme = {call}\n'


def python_source(theme: Theme) -> str:
    """A module with the theme as `theme`; what is as without a theme is left out."""
    names = {"Theme"}
    call = _call(theme, names, "")
    return _HEAD.format(names=", ".join(sorted(names, key=lambda name: (not name.isupper(), name))), call=call)


def _call(value: Any, names: set[str], indent: str) -> str:
    if value == INTER:
        names.add("INTER")
        return "INTER"
    if not is_dataclass(value) or isinstance(value, type):
        return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else f"{value!r}"
    names.add(type(value).__name__)
    changed = [one for one in fields(value) if getattr(value, one.name) != _default(one)]
    inner = f"{indent}    "
    lines = "".join(f"{inner}{one.name}={_call(getattr(value, one.name), names, inner)},\n" for one in changed)
    return f"{type(value).__name__}(\n{lines}{indent})" if changed else f"{type(value).__name__}()"


def _default(one: Field[Any]) -> Any:
    return one.default_factory() if one.default_factory is not MISSING else one.default
