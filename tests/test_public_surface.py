"""What other people import is named on purpose."""

import importlib
import inspect
import pkgutil
from types import ModuleType

import walletmodal.core
import walletmodal.db
import walletmodal.host
import walletmodal.pytest_plugin
import walletmodal.services
import walletmodal.testing
import walletmodal.views
from tests.cases import every_case


def modules() -> list[ModuleType]:
    """Every module of the layers below the features, and of what teams import."""
    found: list[ModuleType] = []
    for package in (
        *(walletmodal.core, walletmodal.services, walletmodal.db, walletmodal.host),
        *(walletmodal.testing, walletmodal.pytest_plugin, walletmodal.views),
    ):
        names = [row.name for row in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
        found += [package, *map(importlib.import_module, names)]
    return [*found, *map(importlib.import_module, ("walletmodal.config", "walletmodal.policy", "walletmodal.ui"))]


GETTEXT = "_"
"""The one public name that begins so: what marks a text, as everywhere in Python."""

MODULES = {module.__name__: module for module in modules()}
WITH_ALL = [name for name, module in MODULES.items() if hasattr(module, "__all__")]


@every_case("name", WITH_ALL)
def test_a_public_surface_is_complete_and_names_nothing_twice(name: str) -> None:
    module = MODULES[name]
    public = {
        key
        for key, value in vars(module).items()
        if (not key.startswith("_") or key == GETTEXT) and not isinstance(value, ModuleType)
    }
    assert sorted(module.__all__) == sorted(public)


@every_case("name", MODULES)
def test_a_module_says_what_it_is_for(name: str) -> None:
    assert (MODULES[name].__doc__ or "").strip()


@every_case("name", MODULES)
def test_every_public_function_and_class_has_a_docstring(name: str) -> None:
    module = MODULES[name]
    own = [
        value
        for key, value in vars(module).items()
        if not key.startswith("_")
        and (inspect.isfunction(value) or inspect.isclass(value))
        and value.__module__ == module.__name__
    ]
    assert [value.__qualname__ for value in own if not (value.__doc__ or "").strip()] == []
