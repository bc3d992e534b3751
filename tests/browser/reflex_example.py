"""The Reflex example: built once for any modal and any port, and served as Reflex applications are in production."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from scripts.project import ROOT, VENV_BIN
from tests.examples.clubs import EXAMPLES, running
from walletmodal.commands.project import DATA, exclusive, tool_environment
from walletmodal.commands.stamp import digest, is_fresh, record
from walletmodal.reflex_internals.any_origin import PLACEHOLDER_URL, rewrite_tree

_PARTS = ("reflex", "web")
_BUILT = DATA / "reflex-example"
_STAMP = _BUILT / ".stamp"
_NO_MODAL = "http://wallets.invalid"
"""In the built pages, in the place of the modal's origin."""
_BUILD_SECONDS = 600
_TEXTS = frozenset({".html", ".js", ".json"})


def build() -> None:
    """Build it, unless its sources are those of the last build."""
    with exclusive("reflex-example-build"):
        current = digest(
            [
                *(EXAMPLES / part for part in _PARTS),
                ROOT / "walletmodal" / "host" / "reflex.py",
                ROOT / "requirements.lock",
            ]
        )
        if is_fresh(_STAMP, current):
            return
        for part in _PARTS:
            shutil.copytree(EXAMPLES / part, _BUILT / part, dirs_exist_ok=True)
        environment = tool_environment(
            {"REFLEX_API_URL": PLACEHOLDER_URL, "WALLETMODAL_URL": _NO_MODAL, "PYTHONPATH": str(ROOT)}
        )
        done = subprocess.run(
            [VENV_BIN / "reflex", "export", "--frontend-only", "--no-zip"],
            cwd=_BUILT / "reflex",
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_BUILD_SECONDS,
            check=False,
        )
        client = _BUILT / "reflex" / ".web" / "build" / "client"
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        assert (client / "index.html").exists(), f"{done.stdout}\n{done.stderr}"
        rewrite_tree(client)
        record(_STAMP, current)


@contextmanager
def served_reflex(port: int, settings: Mapping[str, str], folder: Path) -> Iterator[str]:
    """The URL of the example. `folder` gets what is made for this modal."""
    build()
    for part in _PARTS:
        shutil.copytree(EXAMPLES / part, folder / part)
    for made in ("backend", "build"):
        shutil.copytree(_BUILT / "reflex" / ".web" / made, folder / "reflex" / ".web" / made)
    _point_at(settings["WALLETMODAL_URL"], folder / "reflex" / ".web" / "build" / "client")
    production = {
        "REFLEX_ENV_MODE": "prod",
        "REFLEX_STATE_MANAGER_MODE": "memory",
        "__REFLEX_SKIP_COMPILE": "true",
        "__REFLEX_MOUNT_FRONTEND_COMPILED_APP": "true",
    }
    command = ("-m", "granian", "--interface", "asgi", "--factory", "--port", str(port), "app:app")
    with running(command, folder / "reflex", port, {**production, **settings}) as url:
        yield url


def _point_at(modal_url: str, client: Path) -> None:
    for file in [*client.rglob("*")]:
        if file.suffix == ".gz":
            file.unlink()
        elif file.suffix in _TEXTS:
            text = file.read_text("utf-8")
            if _NO_MODAL in text:
                file.write_text(text.replace(_NO_MODAL, modal_url), "utf-8")
