"""`make dev`: like `make run`, with live reload of views, components and the loader.

Vite's development server takes the place of the built front end on the modal's port and passes what is the server's on to the
development backend, so that the page sees one origin as it does in production.
"""

import json
import os
from pathlib import Path

from scripts.build import ASSETS, LOADER_OUTPUT, build_loader, loader_inputs
from scripts.processes import LOOPBACK, Family, require_free, until_stopped
from scripts.project import (
    BACKEND_PORT,
    DEV,
    MODAL_PORT,
    ROOT,
    VENV_PYTHON,
    CommandError,
    exclusive,
    keep_private,
    port,
    say,
)
from scripts.run import (
    PORTS,
    announce,
    data_directory,
    modal_environment,
    sandbox_page,
    start_sandbox,
    wait_for_answers,
)
from scripts.stamp import digest

RELOADED = ("walletmodal", "components", "assets", "rxconfig.py")
BACKEND_PATHS = (
    "/_event",
    "/_upload",
    "/_health",
    "/ping",
    "/metrics",
    "/openapi.json",
    "/v1",
    "/images",
    "/.well-known",
)

_GRACE_SECONDS = 8

_VITE_CONFIG = """// Written by scripts/dev.py at each start.
import base from "./.web/vite.config.js";

const backend = {{ target: {backend}, ws: true }};

export default (environment) => {{
  const config = base(environment);
  const proxy = Object.fromEntries({paths}.map((path) => [path, backend]));
  return {{ ...config, server: {{ ...config.server, host: "{host}", port: {port}, strictPort: true, proxy }} }};
}};
"""


def workspace() -> Path:
    """Where this copy's development server keeps its files, apart from the production build; one folder per modal port."""
    return DEV / str(port(MODAL_PORT))


def vite_config() -> str:
    """Reflex's own Vite configuration, bound to loopback and with the backend's paths passed on."""
    return _VITE_CONFIG.format(
        backend=json.dumps(f"http://{LOOPBACK}:{port(BACKEND_PORT)}"),
        paths=json.dumps(BACKEND_PATHS),
        host=LOOPBACK,
        port=port(MODAL_PORT),
    )


def reflex_environment() -> dict[str, str]:
    """The environment of the development server: the modal's settings on the sandbox, and Reflex's own for one origin and two ports."""
    origin = f"http://localhost:{port(MODAL_PORT)}"
    left_alone = sorted(path for path in ROOT.iterdir() if path.name not in RELOADED and not path.name.startswith("."))
    return modal_environment() | {
        "WALLETMODAL_GALLERY": os.environ.get("WALLETMODAL_GALLERY", "1"),
        "POLICY_RELOAD": os.environ.get("POLICY_RELOAD", "1"),
        "REFLEX_WEB_WORKDIR": str((workspace() / ".web").relative_to(ROOT)),
        "REFLEX_STATES_WORKDIR": str((workspace() / ".states").relative_to(ROOT)),
        "REFLEX_API_URL": origin,
        "REFLEX_DEPLOY_URL": origin,
        # The frame loads anew, which the visitor's state outlives. React Router's own update waits for a revalidation that a second
        # update can cut off: the old view then stays without a word.
        "VITE_FORCE_FULL_RELOAD": "1",
        # Databases and node_modules change and are many: neither is a reason to reload.
        "REFLEX_HOT_RELOAD_EXCLUDE_PATHS": os.pathsep.join(map(str, left_alone)),
    }


class LoaderWatch:
    """Builds the loader again when its sources change; the development server then serves the new one."""

    def __init__(self) -> None:
        self._built = self._current()

    @staticmethod
    def _current() -> str:
        return digest(loader_inputs())

    def __call__(self) -> None:
        """Build if something changed; an error of the sources is shown and the old loader stays."""
        current = self._current()
        if current == self._built:
            return
        self._built = current
        try:
            build_loader()
        except CommandError as error:
            say(str(error))
        else:
            say("the loader was built again")


def dev() -> None:
    """Start everything with live reload, and stay until a signal or the end of a process.

    Raises CommandError when something is missing, a port is taken or a process ends by itself.
    """
    require_free({name: port(name) for name in (*PORTS, BACKEND_PORT)})
    with exclusive("build"):
        ASSETS.mkdir(exist_ok=True)
        if not LOADER_OUTPUT.exists():
            say("building the loader")
        build_loader()
    watch_loader = LoaderWatch()
    keep_private()
    for folder in (workspace(), data_directory()):
        folder.mkdir(parents=True, exist_ok=True)
    (workspace() / "vite.config.mjs").write_text(vite_config())
    with Family(grace=_GRACE_SECONDS) as family:
        start_sandbox(family)
        say("starting the modal's development server")
        family.start(
            "the development server",
            [VENV_PYTHON, "-m", "scripts.dev_server"],
            reflex_environment(),
            stops_its_own=False,
        )
        modal = f"http://{LOOPBACK}:{port(MODAL_PORT)}"
        wait_for_answers(family, f"{modal}/_health", f"{modal}/", sandbox_page())
        announce()
        family.watch(meanwhile=watch_loader)


def main() -> None:
    """Run the command."""
    until_stopped(dev)


if __name__ == "__main__":
    main()
