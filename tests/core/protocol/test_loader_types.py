"""The loader's public types name every option that the modal reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cases import every_case
from walletmodal.core.protocol.options import LOADER_OPTIONS, OPTION_NAMES, Features, ProviderOverride
from walletmodal.core.protocol.theme_variables import THEME_VARIABLES

TYPES = (Path(__file__).parents[3] / "loader" / "walletmodal.d.ts").read_text("utf-8")
OPTIONS_PAGE = (Path(__file__).parents[3] / "loader" / "OPTIONS.md").read_text("utf-8")
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


def test_the_page_of_options_is_for_hosts() -> None:
    """Who wrote what when, and pages that are not here, help nobody who embeds the modal."""
    assert re.findall(r"issue \d+|§|\breference\b|tests?/\S+|contract", OPTIONS_PAGE) == []


def test_every_file_that_the_page_of_options_links_is_there() -> None:
    folder = Path(__file__).parents[3] / "loader"
    assert [link for link in re.findall(r"\]\(([^)#:]+)\)", OPTIONS_PAGE) if not (folder / link).exists()] == []
