"""What a `Text` becomes in a compiled view: a call that looks it up in the browser.

Why: Reflex would write it into the script as it is, in English.
Test: `test_a_text_is_compiled_into_its_lookup`.
Dropped when: Reflex has translations of its own.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Final

from reflex_base.vars.base import LiteralVar, Var, VarData
from reflex_base.vars.sequence import StringVar

from walletmodal.core.language import Text

in_views: Final[dict[str, Text]] = {}
"""What the views that have been described so far say, by its name in a catalogue."""

_lookup: Final[dict[str, str]] = {}


def say_with(library: str, function: str) -> None:
    """From now on texts are calls of this function of that module."""
    _lookup.update(library=library, function=function)


class TextVar(StringVar[Text], python_types=Text):
    """What a text is to Reflex."""


@dataclasses.dataclass(eq=False, frozen=True, slots=True)
class LiteralTextVar(LiteralVar[Text], TextVar):
    """The call for one text."""

    _var_value: Text = dataclasses.field(default_factory=lambda: Text("", {}))

    @classmethod
    def create(cls, value: Text, _var_data: VarData | None = None) -> LiteralTextVar:  # type: ignore[override]  # Reflex's has a case for each type
        """Called by Reflex for each text that a view has as a child or a property."""
        in_views.setdefault(value.key, value)
        arguments = [json.dumps(value.key, ensure_ascii=False)]
        values = Var.create(dict(value.values)) if value.values else None
        if values is not None:
            arguments.append(str(values))
        return cls(
            _js_expr=f"{_lookup['function']}({', '.join(arguments)})",
            _var_type=Text,
            _var_data=VarData.merge(
                VarData(imports={_lookup["library"]: [_lookup["function"]]}),
                values._get_all_var_data() if values is not None else None,
                _var_data,
            ),
            _var_value=value,
        )

    @classmethod
    def _get_all_var_data_without_creating_var(cls, value: Text) -> VarData | None:
        return cls.create(value)._get_all_var_data()

    def __hash__(self) -> int:
        """By what it says."""
        return hash((type(self).__name__, self._js_expr))

    def json(self) -> str:
        """Its English text."""
        return json.dumps(self._var_value)
