"""`make dev`: a changed label shows inside the host page's frame while the connection stays."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from scripts.project import ROOT
from tests.browser.programs import Program
from tests.browser.stack import CHAIN_IDS
from tests.browser.visits import Visit, Visiting, demo_address
from tests.ports import free_ports

ANYWHERE = shutil.ignore_patterns("node_modules", "__pycache__", "*.db*", ".*_cache")
AT_THE_TOP = frozenset({".git", ".web", ".dev", ".states", ".venv", ".env", "data"})


def left_out(folder: str, names: list[str]) -> set[str]:
    """What a copy does without: what is installed, built or made at run time."""
    made = AT_THE_TOP.intersection(names) if Path(folder) == ROOT else set()
    return ANYWHERE(folder, names) | made


START_SECONDS = 400
"""A first start installs the development server's npm packages."""


VIEW = Path("walletmodal/features/account/views.py")
OLD_LABEL, NEW_LABEL = "Block Explorer", "Look it up"


class DevelopedCopy:
    """A copy of the tree under `make dev`, whose files a test may change."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        shutil.copytree(ROOT, self.root, ignore=left_out, symlinks=True)
        for installed in (".venv", "loader/node_modules", "sandbox/node_modules", "components/node_modules"):
            if (ROOT / installed).exists():
                (self.root / installed).symlink_to(ROOT / installed, target_is_directory=True)
        self.sandbox_port, self.modal_port = free_ports(1), free_ports(1)
        self.evm_port = free_ports(len(CHAIN_IDS))
        ports = {
            "SANDBOX_PORT": self.sandbox_port,
            "WALLETMODAL_PORT": self.modal_port,
            "WALLETMODAL_BACKEND_PORT": free_ports(1),
            "EVM_PORT": self.evm_port,
            "SOLANA_PORT": free_ports(2),
        }
        # What the suite's own process was given for itself is not for the copy.
        inherited = {
            name: ""
            for name in ("ALLOWED_ORIGINS", "NETWORKS", "DATABASE_URL", "REDIS_URL", "RPC_URL")
            if name in os.environ
        }
        environment = {
            **inherited,
            **{name: str(number) for name, number in ports.items()},
            "REFLEX_WEB_WORKDIR": ".web",
        }
        python = self.root / ".venv" / "bin" / "python"
        self.program = Program(
            "make dev", [python, "-m", "scripts.dev"], environment, folder / "dev.log", cwd=self.root
        )

    def start(self) -> None:
        """Start it; returns when it says that it is ready."""
        self.program.start(lambda: "Ready: " in self.program.tail(400), seconds=START_SECONDS)

    def relabel(self, old: str, new: str) -> None:
        """Change a label in a view's file."""
        file = self.root / VIEW
        text = file.read_text(encoding="utf-8")
        if f'"{old}"' not in text:
            raise AssertionError(f"{VIEW} has no label {old}")
        file.write_text(text.replace(f'"{old}"', f'"{new}"'), encoding="utf-8")


@pytest.fixture(scope="module")
def developed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DevelopedCopy]:
    """A running copy."""
    copy = DevelopedCopy(tmp_path_factory.mktemp("dev"))
    try:
        copy.start()
        yield copy
    finally:
        copy.program.stop()


@pytest.fixture
def watching(developed: DevelopedCopy, visit: Visiting) -> Iterator[Visit]:
    """A visitor of the copy's demo page with the account open; the label is put back afterwards."""
    nodes = {1: f"http://127.0.0.1:{developed.evm_port}", 137: f"http://127.0.0.1:{developed.evm_port + 1}"}
    address = demo_address(f"http://localhost:{developed.sandbox_port}", wallet="none")
    visitor = visit(address, modal_url=f"http://localhost:{developed.modal_port}", wallet={"chains": nodes})
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    expect(visitor.modal.card).to_contain_text(OLD_LABEL)
    yield visitor
    developed.relabel(NEW_LABEL, OLD_LABEL)
    expect(visitor.modal.card).to_contain_text(OLD_LABEL, timeout=15_000)


def test_a_changed_label_shows_in_the_host_pages_frame(watching: Visit, developed: DevelopedCopy) -> None:
    # Three seconds on a machine of its own; beside other tests it has no time of its own.
    developed.relabel(OLD_LABEL, NEW_LABEL)
    expect(watching.modal.card).to_contain_text(NEW_LABEL, timeout=15_000)


def test_the_connection_is_kept(watching: Visit, developed: DevelopedCopy) -> None:
    developed.relabel(OLD_LABEL, NEW_LABEL)
    expect(watching.modal.card).to_contain_text(NEW_LABEL, timeout=15_000)
    watching.modal.expect_connected(watching.account.address)


def test_the_wallet_is_not_asked_again(watching: Visit, developed: DevelopedCopy) -> None:
    developed.relabel(OLD_LABEL, NEW_LABEL)
    expect(watching.modal.card).to_contain_text(NEW_LABEL, timeout=15_000)
    assert watching.wallet.asked("eth_requestAccounts") == 1
