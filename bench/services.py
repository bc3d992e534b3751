"""Ours with the sandbox's directory of wallets and its relay."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from bench.apps import App, served
from bench.sandbox_start import running_sandbox
from scripts.build import build_sandbox
from walletmodal.core.chains.networks import bundled_networks


@contextmanager
def served_with_sandbox(app: App) -> Iterator[None]:
    """Serve the app with both for the length of the block, on its own port.

    Raises:
        CommandError: one of the two did not start.
    """
    build_sandbox()
    with running_sandbox() as sandbox:
        services = {
            "DIRECTORY_URL": f"{sandbox.url}/directory",
            "RELAY_URL": f"{sandbox.url.replace('http', 'ws', 1)}/relay",
            # Few of the directory's wallets serve none of the networks that the modal knows.
            "NETWORKS": ",".join(bundled_networks()),
        }
        with served(replace(app, environment={**app.environment, **services})):
            yield
