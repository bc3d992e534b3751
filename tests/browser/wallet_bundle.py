"""The scripts of the test wallets, bundled again whenever their sources or the versions of their parts change."""

import fcntl
import subprocess
from pathlib import Path

from scripts.project import ROOT, VENV_BIN
from walletmodal.commands.project import tool_environment
from walletmodal.commands.stamp import digest, is_fresh, record
from walletmodal.commands.tools import install_npm_packages

HERE = Path(__file__).parent
SOURCES = (
    HERE / "wallet",
    HERE / "wallets" / "src",
    HERE / "libraries",
    HERE / "reference_client",
    HERE / "package.json",
    HERE / "package-lock.json",
)
CACHE = ROOT / "data" / "browser-tests"
EVM = HERE / "wallet" / "src" / "main.ts"
REFERENCE_CLIENT = HERE / "reference_client" / "src" / "reference_client.ts"
"""The client of Reown AppKit for the frame of an embedded wallet; it leaves `window.reference`."""
LIBRARIES = HERE / "libraries" / "src" / "libraries.ts"
"""Not a wallet but what hosts use; it is bundled in the same way, and leaves `window.libraries` in a page."""


def wallet_script(entry: Path = EVM) -> str:
    """The bundle of a wallet, which defines `window.__start…` in a page (and does nothing in a frame)."""
    CACHE.mkdir(parents=True, exist_ok=True)
    output, stamp = CACHE / f"wallet-{entry.stem}.js", CACHE / f"wallet-{entry.stem}.stamp"
    with (CACHE / "wallet.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        current = digest(SOURCES)
        if not (output.exists() and is_fresh(stamp, current)):
            install_npm_packages(HERE)
            command = [VENV_BIN / "node", "wallet/build.mjs", entry, output]
            subprocess.run([str(part) for part in command], cwd=HERE, env=tool_environment(), check=True, timeout=120)
            record(stamp, current)
    # Frames are left out here as well, so that each does not parse what it would only throw away.
    return f"if (window.top === window) {{\n{output.read_text(encoding='utf-8')}\n}}"
