"""The lock file of the sandbox's npm packages: complete for every platform, free of addresses."""

import json
from pathlib import Path

from walletmodal import sandbox

LOCK = Path(sandbox.__file__).parent / "package-lock.json"


def test_every_optional_package_is_locked() -> None:
    packages = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    wanted = {
        f"node_modules/{name}": version
        for package in packages.values()
        for name, version in package.get("optionalDependencies", {}).items()
    }
    assert wanted
    assert {name: packages.get(name, {}).get("version") for name in wanted} == wanted


def test_no_download_address_is_recorded() -> None:
    assert '"resolved"' not in LOCK.read_text(encoding="utf-8")
