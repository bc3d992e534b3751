"""`make sbom`: which packages an installation or an image is made of, as CycloneDX 1.6 in `dist/walletmodal.cdx.json`, signed with `--key`.

From the locks, so it names what was checked by its hash when it was installed. Packages of npm that only build or check are marked as such.
"""

import argparse
import base64
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from scripts.project import ROOT
from scripts.wheel import DIST
from walletmodal.commands.project import CommandError, die, say, shorten
from walletmodal.commands.tools import run_quietly

PYTHON_LOCK: Final = ROOT / "requirements.lock"
NPM_LOCKS: Final = tuple(ROOT / folder / "package-lock.json" for folder in ("loader", "secure/web", "reflex.lock"))
SBOM: Final = DIST / "walletmodal.cdx.json"
NAMESPACE: Final = "walletmodal-sbom"
"""What a signature is for: one that the same key gave for something else counts for nothing here."""

_VERSION: Final = SchemaVersion.V1_6
_PINNED: Final = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;]+)")
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_ALGORITHMS: Final = {"sha1": HashAlgorithm.SHA_1, "sha256": HashAlgorithm.SHA_256, "sha384": HashAlgorithm.SHA_384, "sha512": HashAlgorithm.SHA_512}  # fmt: skip


def python_components(lock: str) -> Iterator[Component]:
    """The packages of a lock of `make lock`, each with the hashes of all its files."""
    for requirement in lock.replace("\\\n", " ").splitlines():
        if pinned := _PINNED.match(requirement):
            name, version = pinned.groups()
            hashes = [HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in _HASH.findall(requirement)]
            yield _component(PackageURL("pypi", None, name, version), hashes=hashes)


def npm_components(lock: str) -> Iterator[Component]:
    """The packages of a `package-lock.json`, the project's own left out."""
    for path, entry in json.loads(lock)["packages"].items():
        if not path or entry.get("link"):
            continue
        scope, _, name = entry.get("name", path.rpartition("node_modules/")[2]).rpartition("/")
        hashes = [_from_integrity(part) for part in entry["integrity"].split()]
        properties = [Property(name="cdx:npm:package:development", value="true")] if entry.get("dev") else []
        yield _component(PackageURL("npm", scope or None, name, entry["version"]), hashes=hashes, properties=properties)


def debian_components(listed: str) -> Iterator[Component]:
    """The packages that `dpkg-query --show` tells of an image, without hashes: it keeps none of a whole package."""
    for line in listed.splitlines():
        name, version = line.split("\t")
        name, _, architecture = name.partition(":")
        qualifiers = {"arch": architecture} if architecture else None
        yield _component(PackageURL("deb", "debian", name, version, qualifiers))


def _component(
    purl: PackageURL, *, hashes: list[HashType] | None = None, properties: list[Property] | None = None
) -> Component:
    return Component(
        type=ComponentType.LIBRARY,
        bom_ref=str(purl),
        group=purl.namespace,
        name=purl.name,
        version=purl.version,
        purl=purl,
        hashes=hashes,
        properties=properties,
    )


def _from_integrity(text: str) -> HashType:
    algorithm, _, digest = text.partition("-")
    return HashType(alg=_ALGORITHMS[algorithm], content=base64.b64decode(digest).hex())


def sbom(debian: str = "") -> str:
    """The list, as JSON. `debian`: what `dpkg-query --show` tells of an image.

    Raises CommandError when it is not as its schema wants it.
    """
    found = [
        *python_components(PYTHON_LOCK.read_text("utf-8")),
        *(one for lock in NPM_LOCKS for one in npm_components(lock.read_text("utf-8"))),
        *debian_components(debian),
    ]
    # Of a package that several locks have, the one that is more than a tool.
    by_purl = {one.bom_ref.value: one for one in sorted(found, key=lambda one: -len(one.properties))}
    bom = Bom(components=by_purl.values())
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    whole = Component(type=ComponentType.APPLICATION, bom_ref="walletmodal", name="walletmodal", version=version)
    bom.metadata.component = whole
    bom.register_dependency(whole, bom.components)
    text = make_outputter(bom, OutputFormat.JSON, _VERSION).output_as_string(indent=1)
    if wrong := JsonStrictValidator(_VERSION).validate_str(text):
        raise CommandError(f"the list is no CycloneDX: {wrong}")
    return text


def sign(file: Path, key: Path) -> Path:
    """Write the signature of a file beside it, by a private key that `ssh-keygen` knows; returns it.

    Raises CommandError when the key cannot be used.
    """
    signature = file.with_name(f"{file.name}.sig")
    signature.unlink(missing_ok=True)
    run_quietly(["ssh-keygen", "-Y", "sign", "-n", NAMESPACE, "-f", key, file], what="ssh-keygen -Y sign")
    return signature


def main() -> None:
    """Run the command."""
    arguments = argparse.ArgumentParser(prog="python -m scripts.sbom", description=__doc__)
    arguments.add_argument("--key", type=Path, help="a private key of ssh-keygen, which signs the list")
    arguments.add_argument(
        "--debian",
        type=argparse.FileType(encoding="utf-8"),
        help="what `dpkg-query --show` says in an image; -: standard input",
    )
    asked = arguments.parse_args()
    try:
        DIST.mkdir(exist_ok=True)
        SBOM.write_text(sbom(asked.debian.read() if asked.debian else ""), encoding="utf-8")
        say(f"written: {shorten(SBOM)}")
        if asked.key:
            say(f"written: {shorten(sign(SBOM, asked.key))}")
    except CommandError as error:
        die(str(error))


if __name__ == "__main__":
    main()
