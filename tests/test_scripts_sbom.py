"""The list of what is shipped names every locked package with version and hash, fits its schema, and cannot be changed unnoticed once signed."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scripts.project import ROOT
from scripts.sbom import NAMESPACE, NPM_LOCKS, PYTHON_LOCK, python_components, sbom, sign
from walletmodal.commands.project import CommandError

LOCK = PYTHON_LOCK.read_text("utf-8")
DEBIAN = "libc6:amd64\t2.41-12\nlibssl3t64:amd64\t3.5.4-1~deb13u1\npython3\t3.13.5-1\n"


@pytest.fixture(scope="module")
def in_image() -> dict[str, dict[str, Any]]:
    """The components of an image's list by their package URLs. Making it checks it by the schema."""
    components = json.loads(sbom(DEBIAN))["components"]
    return {component["purl"]: component for component in components}


def hashes(component: dict[str, Any]) -> set[str]:
    return {entry["content"] for entry in component["hashes"]}


def test_every_python_package_of_the_lock_is_in_it_with_its_hashes() -> None:
    listed = {str(one.purl): {entry.content for entry in one.hashes} for one in python_components(LOCK)}
    locked = re.split(r"\n(?=[a-z])", LOCK)
    assert len(locked) > 50
    for package in locked:
        if pinned := re.match(r"([^\[=]+).*?==(\S+)", package):
            assert (
                listed[f"pkg:pypi/{pinned[1]}@{pinned[2]}"] == set(re.findall("sha256:([0-9a-f]+)", package)) != set()
            )


def test_every_npm_package_of_the_locks_is_in_it_with_its_hash(in_image: dict[str, dict[str, Any]]) -> None:
    entries = [
        item for lock in NPM_LOCKS for item in json.loads(lock.read_text("utf-8"))["packages"].items() if item[0]
    ]
    assert len(entries) > 300
    for path, entry in entries:
        name = path.split("node_modules/")[-1].replace("@", "%40")
        digest = base64.b64decode(entry["integrity"].partition("-")[2]).hex()
        assert digest in hashes(in_image[f"pkg:npm/{name}@{entry['version']}"])


def test_a_tool_of_the_build_is_marked_and_what_pages_have_is_not(in_image: dict[str, dict[str, Any]]) -> None:
    marked = {purl.rpartition("@")[0] for purl, one in in_image.items() if one.get("properties")}
    assert "pkg:npm/esbuild" in marked
    assert "pkg:npm/react" not in marked


def test_an_images_debian_packages_are_in_it(in_image: dict[str, dict[str, Any]]) -> None:
    assert in_image["pkg:deb/debian/libssl3t64@3.5.4-1~deb13u1?arch=amd64"]["version"] == "3.5.4-1~deb13u1"
    assert "pkg:deb/debian/python3@3.13.5-1" in in_image


def test_an_image_has_the_python_packages_of_its_machine_alone(in_image: dict[str, dict[str, Any]]) -> None:
    left_out = {str(one.purl) for one in python_components(LOCK)} - in_image.keys()
    assert {"pkg:pypi/pywin32", "pkg:pypi/async-timeout"} <= {purl.partition("@")[0] for purl in left_out}
    # Of two versions that of Linux.
    assert len([purl for purl in in_image if purl.startswith("pkg:pypi/cryptography@")]) == 1


def test_what_the_image_is_built_with_and_does_not_have_is_excluded(in_image: dict[str, dict[str, Any]]) -> None:
    """Python packages: those that the Containerfile takes out again."""
    excluded = {one["name"] for purl, one in in_image.items() if "pypi" in purl and one["scope"] == "excluded"}
    taken_out = re.search(r"pip uninstall -y (.+?) pip ", (ROOT / "Containerfile").read_text("utf-8"))
    assert taken_out
    assert excluded == set(taken_out[1].split())
    assert in_image[next(purl for purl in in_image if purl.startswith("pkg:npm/esbuild@"))]["scope"] == "excluded"
    assert in_image[next(purl for purl in in_image if purl.startswith("pkg:npm/react@"))]["scope"] == "required"


def test_a_list_of_something_else_is_refused() -> None:
    with pytest.raises(CommandError, match="python3"):
        sbom("bash\t5.2.37-2\n")


def ssh_keygen(*arguments: str | Path, text: bytes = b"") -> int:
    command = ["ssh-keygen", *map(str, arguments)]
    return subprocess.run(command, input=text, capture_output=True, check=False).returncode


def test_a_signature_counts_for_what_was_signed_alone(tmp_path: Path) -> None:
    key, file, signers = tmp_path / "key", tmp_path / "list.json", tmp_path / "signers"
    assert ssh_keygen("-q", "-t", "ed25519", "-N", "", "-f", key) == 0
    file.write_text("the list")
    signature = sign(file, key)
    signers.write_text(f"releases@example.com {key.with_suffix('.pub').read_text()}")
    verify = ("-Y", "verify", "-f", signers, "-I", "releases@example.com", "-n", NAMESPACE, "-s", signature)
    assert ssh_keygen(*verify, text=b"the list") == 0
    assert ssh_keygen(*verify, text=b"another list") != 0
