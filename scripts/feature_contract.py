"""An import-linter contract: a feature reaches another only through that one's `state`, `choice` or `parts` module."""

from typing import Any, Final

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

_OPEN: Final = ("state", "choice", "parts")
"""Modules that hold a feature's state; what was chosen in one feature's list leads on to others, which lead back to `state`. `parts` are
pieces of views that others show."""


class FeatureContract(Contract):
    """`features`: the package of the features; `composers`: modules that put the views of all features together."""

    features = fields.ModuleField()
    composers = fields.SetField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002, FBT001 - the interface of import-linter
        """Look at every import from one feature into another."""
        package = str(self.features)
        # The library describes its fields by their class and gives their values by magic.
        values: Any = self.composers
        composers = {str(composer) for composer in values}
        found = sorted(
            (importer, imported)
            for importer in graph.find_descendants(package)
            for imported in graph.find_modules_directly_imported_by(importer)
            if imported.startswith(f"{package}.") and not _allowed(importer, imported, package, composers)
        )
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name every import that breaks the rule."""
        pairs: Any = check.metadata["found"]
        for importer, imported in pairs:
            output.print_error(
                f"{importer} imports {imported}; only its state, choice and parts modules are for other features"
            )


def _allowed(importer: str, imported: str, package: str, composers: set[str]) -> bool:
    here, there = (module.removeprefix(f"{package}.").split(".") for module in (importer, imported))
    if here[0] == there[0] or there[1:] in ([], *([name] for name in _OPEN)):
        return True
    return any(importer == composer or importer.startswith(f"{composer}.") for composer in composers)
