"""`walletmodal dev`: like `walletmodal run`, with live reload of views and components.

Vite's development server takes the place of the built front end on the modal's port and passes what is the server's on to the
development backend, so that the page sees one origin as it does in production.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable

from walletmodal.commands.build import bring_lock, sources
from walletmodal.commands.processes import LOOPBACK, Family, require_free, until_stopped
from walletmodal.commands.project import (
    BACKEND_PORT,
    MODAL_PORT,
    PACKAGE,
    PROJECT,
    exclusive,
    failure_file,
    keep_private,
    port,
    require_project,
    say,
    workspace,
)
from walletmodal.commands.run import (
    PORTS,
    announce,
    data_directory,
    modal_environment,
    sandbox_page,
    start_sandbox,
    wait_for_answers,
)

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
_START_SECONDS = 900
"""A first start installs the front end's npm packages."""

_VITE_CONFIG = """// Written by `walletmodal dev` at each start.
import base from "./.web/vite.config.js";
import failures from {failures};

const backend = {{ target: {backend}, ws: true }};

export default (environment) => {{
  const config = base(environment);
  const proxy = Object.fromEntries({paths}.map((path) => [path, backend]));
  const plugins = [...config.plugins, failures({failure})];
  return {{ ...config, plugins, server: {{ ...config.server, host: "{host}", port: {port}, strictPort: true, proxy }} }};
}};
"""


def vite_config() -> str:
    """Reflex's own Vite configuration, bound to loopback, with the backend's paths passed on, and with its failures shown."""
    return _VITE_CONFIG.format(
        failures=json.dumps((PACKAGE / "commands" / "frontend" / "dev_failures.mjs").as_uri()),
        failure=json.dumps(str(failure_file())),
        backend=json.dumps(f"http://{LOOPBACK}:{port(BACKEND_PORT)}"),
        paths=json.dumps(BACKEND_PATHS),
        host=LOOPBACK,
        port=port(MODAL_PORT),
    )


def reflex_environment() -> dict[str, str]:
    """The environment of the development server: the modal's settings on the sandbox, and Reflex's own for one origin and two ports."""
    origin = f"http://localhost:{port(MODAL_PORT)}"
    watched = set(sources())
    left_alone = sorted(path for path in PROJECT.iterdir() if path not in watched and not path.name.startswith("."))
    return modal_environment() | {
        "WALLETMODAL_GALLERY": os.environ.get("WALLETMODAL_GALLERY", "1"),
        "POLICY_RELOAD": os.environ.get("POLICY_RELOAD", "1"),
        "REFLEX_WEB_WORKDIR": str((workspace() / ".web").relative_to(PROJECT)),
        "REFLEX_STATES_WORKDIR": str((workspace() / ".states").relative_to(PROJECT)),
        "REFLEX_API_URL": origin,
        "REFLEX_DEPLOY_URL": origin,
        # The frame loads anew, which the visitor's state outlives. React Router's own update waits for a revalidation that a second
        # update can cut off: the old view then stays without a word.
        "VITE_FORCE_FULL_RELOAD": "1",
        # Each save starts a worker, which would compile every module of a checkout.
        "PYTHONDONTWRITEBYTECODE": "",
        # Databases and node_modules change and are many: neither is a reason to reload.
        "REFLEX_HOT_RELOAD_EXCLUDE_PATHS": os.pathsep.join(map(str, left_alone)),
    }


def dev(meanwhile: Callable[[], None] | None = None) -> None:
    """Start everything with live reload, and stay until a signal or the end of a process; `meanwhile` is called again and again.

    Raises CommandError when something is missing, a port is taken or a process ends by itself.
    """
    require_project()
    require_free({name: port(name) for name in (*PORTS, BACKEND_PORT)})
    with exclusive("build"):
        bring_lock()
    keep_private()
    for folder in (workspace(), data_directory()):
        folder.mkdir(parents=True, exist_ok=True)
    failure_file().unlink(missing_ok=True)
    (workspace() / "vite.config.mjs").write_text(vite_config())
    with Family(grace=_GRACE_SECONDS) as family:
        start_sandbox(family)
        say("starting the modal's development server")
        family.start(
            "the development server",
            [sys.executable, "-m", "walletmodal.commands.dev_server"],
            reflex_environment(),
            stops_its_own=False,
        )
        modal = f"http://{LOOPBACK}:{port(MODAL_PORT)}"
        wait_for_answers(family, f"{modal}/_health", f"{modal}/", sandbox_page(), seconds=_START_SECONDS)
        announce()
        family.watch(meanwhile=meanwhile)


def command(_asked: argparse.Namespace) -> None:
    """Run the command."""
    until_stopped(dev)
