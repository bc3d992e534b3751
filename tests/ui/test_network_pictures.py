"""Every network of the table has a picture that is small and does nothing but show."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from scripts.project import ROOT
from tests.cases import every_case
from walletmodal.core.chains.networks import Network, bundled_networks
from walletmodal.features.networks.state import picture

_PICTURES = sorted([*(ROOT / "assets" / "networks").glob("*"), *(ROOT / "assets" / "visuals").glob("*")])
_SHOWS = {
    "svg",
    "g",
    "path",
    "circle",
    "ellipse",
    "rect",
    "polygon",
    "polyline",
    "line",
    "defs",
    "linearGradient",
    "radialGradient",
} | {
    "stop",
    "clipPath",
    "mask",
    "use",
}


@every_case("network", bundled_networks().values(), ids=lambda network: network.caip_network_id)
def test_a_network_has_its_picture(network: Network) -> None:
    assert (ROOT / "assets" / picture(network).lstrip("/")).is_file()


def test_no_picture_belongs_to_no_network() -> None:
    wanted = {picture(network).rpartition("/")[2] for network in bundled_networks().values()}
    assert {path.name for path in (ROOT / "assets" / "networks").iterdir()} == wanted


@every_case("path", _PICTURES, ids=lambda path: path.name)
def test_a_picture_is_small(path: Path) -> None:
    assert path.stat().st_size < 8 * 1024


@every_case("path", _PICTURES, ids=lambda path: path.name)
def test_a_picture_only_shows(path: Path) -> None:
    root = ET.fromstring(path.read_text("utf-8"))
    elements = {node.tag.rpartition("}")[2] for node in root.iter()}
    links = {
        value
        for node in root.iter()
        for name, value in node.attrib.items()
        if name.endswith("href") and not value.startswith("#")
    }
    assert (elements - _SHOWS, links) == (set(), set())


@every_case("path", _PICTURES, ids=lambda path: path.name)
def test_a_picture_scales(path: Path) -> None:
    assert re.search(r"<svg[^>]*viewBox=", path.read_text("utf-8"))
