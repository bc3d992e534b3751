"""`walletmodal run`: the modal, the sandbox and the demo host page on this machine alone, from a built front end."""

import argparse
import os
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from walletmodal.commands.build import build
from walletmodal.commands.processes import LOOPBACK, Family, answers, require_free, until_stopped
from walletmodal.commands.project import (
    DATA,
    EVM_PORT,
    MODAL_PORT,
    SANDBOX_PORT,
    SECURE_PORT,
    SOLANA_PORT,
    keep_private,
    port,
    require_project,
    say,
    tool_environment,
)
from walletmodal.commands.sandbox_packages import SANDBOX_PACKAGES, sandbox_packages
from walletmodal.commands.serve import ON_SANDBOX

PORTS = (MODAL_PORT, SANDBOX_PORT, SECURE_PORT, EVM_PORT, SOLANA_PORT)
START_SECONDS = 120
LOCAL_CHAINS = (
    *("eip155:1", "eip155:137", "eip155:10", "eip155:8453", "eip155:42161"),
    "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
)
UNSPONSORED = "eip155:42161"
"""Where nobody pays fees for visitors, so that they may pay them in USDC."""
NETWORKS = (*LOCAL_CHAINS, "bip122:000000000019d6689c085ae165831e93")

_GRACE_SECONDS = 20


def data_directory() -> Path:
    """Where this copy keeps its database: one folder per modal port, so that two copies share nothing."""
    return DATA / str(port(MODAL_PORT))


def sandbox_environment() -> dict[str, str]:
    """The environment of the sandbox: where it listens, where the modal is, and where its chains' programs are."""
    return tool_environment({name: str(port(name)) for name in PORTS} | {SANDBOX_PACKAGES: str(sandbox_packages())})


def modal_environment(settings: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of a modal server that uses the sandbox; a setting that `settings` already has stays as it is.

    The demo page may always embed the modal, whichever other pages may.
    """
    sandbox = f"http://localhost:{port(SANDBOX_PORT)}"
    evm = [chain for chain in LOCAL_CHAINS if chain.startswith("eip155:")]
    defaults = {
        "WALLETMODAL_HOST": LOOPBACK,
        "WORKERS": "1",
        "DATABASE_URL": f"sqlite:///{data_directory() / 'walletmodal.db'}",
        "NETWORKS": ",".join(NETWORKS),
        "DIRECTORY_URL": f"{sandbox}/directory",
        "BLOCKCHAIN_URL": f"{sandbox}/blockchain",
        "ANALYTICS_URL": f"{sandbox}/analytics",
        "RPC_URL": f"{sandbox}/rpc",
        "EXPLORER_URLS": ",".join(f"{chain}={sandbox}/explorer/{chain}" for chain in LOCAL_CHAINS),
        "BUNDLER_URL": ",".join(f"{chain}={sandbox}/bundler/{chain}" for chain in evm),
        "PAYMASTER_URL": ",".join(f"{chain}={sandbox}/paymaster/{chain}" for chain in evm),
        "SPONSOR_LIMITS": ",".join(f"{chain}=1|100" for chain in evm if chain != UNSPONSORED),
        "GAS_TOKENS": f"{UNSPONSORED}:0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
        "LOOPBACK_PAYMASTERS": "1",
        "RELAY_URL": f"ws://localhost:{port(SANDBOX_PORT)}/relay",
        "VERIFY_URL": f"{sandbox}/verify",
        "SECURE_SITE_URL": f"http://localhost:{port(SECURE_PORT)}/sdk",
        "SECURE_SOCIALS": "google,x,discord,farcaster,github,apple,facebook",
        "MELD_URL": f"{sandbox}/pay/meld",
        "MELD_PUBLIC_KEY": "sandbox",
        "LOOPBACK_IMAGES": "1",
    }
    demo = (sandbox, f"http://127.0.0.1:{port(SANDBOX_PORT)}")
    origins = filter(None, (settings.get("ALLOWED_ORIGINS"), *demo))
    return tool_environment(
        {name: settings.get(name) or value for name, value in defaults.items()}
        | {MODAL_PORT: str(port(MODAL_PORT)), "ALLOWED_ORIGINS": ",".join(origins)}
    )


def start_sandbox(family: Family) -> None:
    """Start the sandbox; it goes on starting while we return."""
    environment = sandbox_environment()
    say("starting the sandbox and its chains")
    family.start("the sandbox", [sys.executable, "-m", "walletmodal.sandbox"], environment)


def wait_for_answers(family: Family, *urls: str, seconds: float = START_SECONDS) -> None:
    """Wait until each of `urls` is answered with 200.

    Raises CommandError after so many seconds for one of them, or when a process of the family ends before.
    """
    for url in urls:
        family.wait_until(partial(answers, url), what=f"an answer at {url}", seconds=seconds)


def sandbox_page() -> str:
    """The demo host page, as the start waits for it."""
    return f"http://{LOOPBACK}:{port(SANDBOX_PORT)}/"


def announce() -> None:
    """Print the line that ends the start, which scripts wait for."""
    print(f"Ready: http://localhost:{port(SANDBOX_PORT)}/", flush=True)


def run() -> None:
    """Build what is missing, start everything, and stay until a signal or the end of a process.

    Raises CommandError when something is missing, a port is taken or a process ends by itself.
    """
    require_project()
    require_free({name: port(name) for name in PORTS})
    build()
    keep_private()
    data_directory().mkdir(parents=True, exist_ok=True)
    with Family(grace=_GRACE_SECONDS) as family:
        start_sandbox(family)
        say("starting the modal server")
        family.start(
            "the modal server", [sys.executable, "-m", "walletmodal", "serve", ON_SANDBOX], modal_environment()
        )
        wait_for_answers(family, f"http://{LOOPBACK}:{port(MODAL_PORT)}/_health", sandbox_page())
        announce()
        family.watch()


def command(_asked: argparse.Namespace) -> None:
    """Run the command."""
    until_stopped(run)
