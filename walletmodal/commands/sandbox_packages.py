"""What the sandbox needs besides its code: the Python packages of its extra, and npm packages, which no wheel carries."""

import shutil
from importlib.util import find_spec
from pathlib import Path

from walletmodal.commands.project import PACKAGE, PROJECT, CommandError
from walletmodal.commands.tools import install_npm_packages

SANDBOX_PACKAGES = "SANDBOX_PACKAGES"
"""The sandbox's setting: the folder of the npm packages."""

_EXTRA = ("aiosmtpd", "authlib", "uvicorn")
_INSTALLED = PROJECT / ".sandbox"


def sandbox_packages() -> Path:
    """The folder of the npm packages, which are installed into the project where they do not lie beside the sandbox.

    Raises CommandError when one of the Python packages is missing, and when npm fails.
    """
    if not all(find_spec(name) for name in _EXTRA):
        raise CommandError("the sandbox is not installed: pip install 'walletmodal[sandbox]'")
    beside = PACKAGE / "sandbox"
    if (beside / "node_modules").is_dir():
        return beside / "node_modules"
    _INSTALLED.mkdir(exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(beside / name, _INSTALLED)
    install_npm_packages(_INSTALLED, "--omit=dev")
    return _INSTALLED / "node_modules"
