"""The loader's public types name every option that the modal reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cases import every_case
from walletmodal.core.chains.caip import NAMESPACES
from walletmodal.core.protocol.options import LOADER_OPTIONS, OPTION_NAMES, Features, ProviderOverride
from walletmodal.core.protocol.theme_variables import BOUNDS, THEME_VARIABLES

LOADER = Path(__file__).parents[3] / "loader"
TYPES = (LOADER / "walletmodal.d.ts").read_text("utf-8")
OPTIONS_PAGE = (LOADER / "OPTIONS.md").read_text("utf-8")
INTERNAL = {"standalone", "universalProvider"}


def fields(interface: str) -> set[str]:
    found = re.search(rf"export interface {interface} {{(.*?)^}}", TYPES, re.DOTALL | re.MULTILINE)
    assert found is not None
    return set(re.findall(r"^  (\w+)\?:", found[1], re.MULTILINE))


@every_case("name", sorted((set(OPTION_NAMES) | LOADER_OPTIONS) - INTERNAL))
def test_every_option_has_its_type(name: str) -> None:
    assert name in fields("Options")


@every_case("name", sorted(field.alias or key for key, field in Features.model_fields.items()))
def test_every_feature_has_its_type(name: str) -> None:
    assert name in fields("Features")


def test_every_part_of_what_a_pairing_proposes_has_its_type() -> None:
    assert fields("ProviderOverride") == {field.alias for field in ProviderOverride.model_fields.values()}


@every_case("name", sorted({*OPTION_NAMES, *LOADER_OPTIONS, *(f.alias or k for k, f in Features.model_fields.items())}))
def test_every_option_and_feature_is_described(name: str) -> None:
    assert f"`{name}`" in OPTIONS_PAGE


@pytest.mark.parametrize("name", sorted(THEME_VARIABLES))
def test_every_theme_variable_is_described(name: str) -> None:
    assert f"`{name}`" in OPTIONS_PAGE


def test_every_theme_variable_has_its_type() -> None:
    assert re.findall(r'"(--w3m-[\w-]+)"', TYPES) == list(THEME_VARIABLES), "list it in loader/walletmodal.d.ts"


def test_the_loader_warns_of_the_bounds_that_the_server_keeps() -> None:
    source = (LOADER / "src" / "wallets" / "theme_bounds.ts").read_text("utf-8")
    told = re.findall(r'\["(--w3m-[\w-]+)", (\d+), (\d+)\]', source)
    assert {name: (int(least), int(most)) for name, least, most in told} == BOUNDS, (
        "list it in loader/src/wallets/theme_bounds.ts"
    )


def test_every_namespace_has_its_type_and_is_described() -> None:
    listed = re.search(r"^export type Namespace = (.*);$", TYPES, re.MULTILINE)
    assert listed is not None
    assert listed[1].replace('"', "").split(" | ") == list(NAMESPACES), "list it in loader/walletmodal.d.ts"
    offered = ", ".join(f'"{name}"' for name in NAMESPACES)
    assert f"`[{offered}]`" in OPTIONS_PAGE, "list it at `adapters` in loader/OPTIONS.md"


def test_the_loader_knows_every_namespace() -> None:
    source = (LOADER / "src" / "storage.ts").read_text("utf-8")
    listed = re.search(r"export const NAMESPACES = \[(.*?)\]", source)
    assert listed is not None
    assert re.findall(r'"(\w+)"', listed[1]) == list(NAMESPACES), "list it in loader/src/storage.ts"
    adapters = (LOADER / "src" / "wallets" / "adapters.ts").read_text("utf-8")
    assert f"Adapter[] = [{', '.join(NAMESPACES)}]" in adapters, "list its adapter in loader/src/wallets/adapters.ts"


def test_the_page_of_options_is_for_hosts() -> None:
    """Who wrote what when, and pages that are not here, help nobody who embeds the modal."""
    assert re.findall(r"issue \d+|§|\breference\b|tests?/\S+|contract", OPTIONS_PAGE) == []


def test_every_file_that_the_page_of_options_links_is_there() -> None:
    assert [link for link in re.findall(r"\]\(([^)#:]+)\)", OPTIONS_PAGE) if not (LOADER / link).exists()] == []
