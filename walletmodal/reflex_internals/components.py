"""What our components take over from Reflex's compiler.

Why: children of a leaf stay inline, so that a leaving view keeps what it showed; and the scripts of views are loaded by a function of
ours, ahead of time and with something in their place, where Reflex would write `ClientSide`.
Test: `test_a_leaf_keeps_its_children_from_being_wrapped`, `test_a_lazy_view_is_loaded_by_our_own_script`,
`test_a_lazy_view_is_loaded_from_the_memos_module`.
Dropped when: Reflex lets a component name the function that loads its module.
"""

from __future__ import annotations

from typing import ClassVar

import reflex as rx
from reflex_base.components.component import MemoizationLeaf
from reflex_base.constants import Dirs
from reflex_base.utils.format import format_library_name
from reflex_base.utils.imports import ImportVar, ParsedImportDict

__all__ = ["LoadedComponent", "MemoizationLeaf"]


class LoadedComponent(rx.NoSSRComponent):
    """A component whose module is loaded by a function of ours.

    Attributes:
        loader: the module of that function, and its name.
    """

    loader: ClassVar[tuple[str, str]]

    def loading(self, module: str) -> str:
        """A JavaScript function that gives a promise of the component. `module`: where Reflex has it."""
        return f"() => import('{module}').then((found) => found.{self.tag})"

    def arguments(self) -> list[str]:
        """What the function of ours is told after that, in JavaScript."""
        return []

    def _get_imports(self) -> ParsedImportDict:
        imports = super()._get_imports()
        imports.pop(f"$/{Dirs.UTILS}/context", None)
        module, function = self.loader
        return {**imports, module: [ImportVar(tag=function)]}

    def _get_dynamic_imports(self) -> str:
        module = format_library_name(self._get_import_name() or "")
        return f"const {self.tag} = {self.loader[1]}({', '.join([self.loading(module), *self.arguments()])})"
