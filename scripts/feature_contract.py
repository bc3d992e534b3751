"""An import-linter contract: a feature reaches another only through that one's `state` module."""

from typing import Any, Final

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

_STATE: Final = "state"


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
            output.print_error(f"{importer} imports {imported}; only its state module is for other features")


def _allowed(importer: str, imported: str, package: str, composers: set[str]) -> bool:
    here, there = (module.removeprefix(f"{package}.").split(".") for module in (importer, imported))
    if here[0] == there[0] or there[1:] in ([], [_STATE]):
        return True
    composes = any(importer == composer or importer.startswith(f"{composer}.") for composer in composers)
    return composes and there[1].split("_")[-1] in {"view", "views"}
