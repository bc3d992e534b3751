"""`make dev`: a save shows inside the host page's frame while the connection stays, and so does what is wrong with it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from scripts.project import ROOT
from tests.browser.programs import Program
from tests.browser.stack import CHAIN_IDS, Stack
from tests.browser.visiting import visiting
from tests.browser.visits import demo_address
from tests.patience import START_SECONDS as RESTART_SECONDS
from tests.ports import free_ports

ANYWHERE = shutil.ignore_patterns("node_modules", "__pycache__", "*.db*", ".*_cache")
AT_THE_TOP = frozenset({".git", ".web", ".dev", ".states", ".venv", ".env", "data"})


def left_out(folder: str, names: list[str]) -> set[str]:
    """What a copy does without: what is installed, built or made at run time."""
    made = AT_THE_TOP.intersection(names) if Path(folder) == ROOT else set()
    return ANYWHERE(folder, names) | made


START_SECONDS = 900
"""Enough to install the development server's npm packages, where no front end was built that has them."""

VIEW = Path("walletmodal/features/account_views/parts.py")
OLD_LABEL, NEW_LABEL = "Block Explorer", "Look it up"
TEXTS = Path("walletmodal/core/text/texts.py")
"""Of the modules that the development server itself has in memory."""


def link_or_copy(source: str, target: str) -> None:
    """The same file in a second place; a copy where that is on another disk, and of npm's record, which npm writes into."""
    if Path(source).name != ".package-lock.json":
        with suppress(OSError):
            os.link(source, target)
            return
    shutil.copy2(source, target)


class DevelopedCopy:
    """A copy of the tree under `make dev`, whose files a test may change."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        shutil.copytree(ROOT, self.root, ignore=left_out, symlinks=True)
        for installed in (".venv", "loader/node_modules", "sandbox/node_modules", "components/node_modules"):
            if (ROOT / installed).exists():
                (self.root / installed).symlink_to(ROOT / installed, target_is_directory=True)
        self.sandbox_port, self.modal_port = free_ports(1), free_ports(1)
        self._bring_packages(ROOT / ".web")
        self.evm_port = free_ports(len(CHAIN_IDS))
        ports = {
            "SANDBOX_PORT": self.sandbox_port,
            "WALLETMODAL_PORT": self.modal_port,
            "WALLETMODAL_BACKEND_PORT": free_ports(1),
            "EVM_PORT": self.evm_port,
            "SOLANA_PORT": free_ports(2),
            "SECURE_PORT": free_ports(1),
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

    def _bring_packages(self, built: Path) -> None:
        """Give the development server what a second start has: the npm packages, here those of the front end that was built."""
        if not (built / "node_modules").exists():
            return
        web = self.root / ".dev" / str(self.modal_port) / ".web"
        made = shutil.ignore_patterns(".vite*", ".cache")
        shutil.copytree(
            built / "node_modules", web / "node_modules", ignore=made, symlinks=True, copy_function=link_or_copy
        )
        rest = shutil.ignore_patterns("node_modules", "build", "backend", ".react-router")
        shutil.copytree(built, web, ignore=rest, dirs_exist_ok=True)

    def start(self) -> None:
        """Start it; returns when it says that it is ready."""
        self.program.start(lambda: "Ready: " in self.program.tail(400), seconds=START_SECONDS)

    def relabel(self) -> None:
        """Change a label in a view's file."""
        file = self.root / VIEW
        text = file.read_text(encoding="utf-8")
        if f'"{OLD_LABEL}"' not in text:
            raise AssertionError(f"{VIEW} has no label {OLD_LABEL}")
        file.write_text(text.replace(f'"{OLD_LABEL}"', f'"{NEW_LABEL}"'), encoding="utf-8")

    def break_texts(self) -> str:
        """Write into a file what no Python is; what was in it."""
        file = self.root / TEXTS
        text = file.read_text(encoding="utf-8")
        file.write_text(f"{text}def (:\n", encoding="utf-8")
        return text

    def heal_texts(self, text: str) -> None:
        """Write back what was in the file."""
        (self.root / TEXTS).write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Changed:
    """What a visitor with the account open had after a label of that view was changed.

    Attributes:
        shown: the text of the card then.
        connected: the address that the host page knew then.
        account: the address that the visitor had connected.
        asked: how often the wallet was asked to connect in all.
        wrong: what the frame told of the error that was saved then.
        healed: the text of the card after the next save.
    told: what the development server and the page said meanwhile, for whoever looks for the reason of a failure.
    """

    shown: str
    connected: str
    account: str
    asked: int
    wrong: str
    healed: str
    told: str


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory, stack: Stack, chromium: Browser) -> Iterator[Changed]:
    """A visitor of a running copy's demo page saw the account, and a label of it was changed."""
    copy = DevelopedCopy(tmp_path_factory.mktemp("dev"))
    nodes = {1: f"http://127.0.0.1:{copy.evm_port}", 137: f"http://127.0.0.1:{copy.evm_port + 1}"}
    address = demo_address(f"http://localhost:{copy.sandbox_port}", wallet="none")
    said: list[str] = []
    try:
        copy.start()
        with visiting(stack, chromium) as visit:
            visitor = visit(
                address, modal_url=f"http://localhost:{copy.modal_port}", wallet={"chains": nodes}, load=False
            )
            visitor.page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
            visitor.go()
            visitor.modal.connect(visitor.wallet)
            visitor.modal.open_account()
            expect(visitor.modal.card).to_contain_text(OLD_LABEL)
            copy.relabel()
            # Whether it was seen is for the tests to say.
            shown = ""

            def is_relabelled() -> bool:
                nonlocal shown
                shown = visitor.modal.card.inner_text()
                return NEW_LABEL in shown

            with suppress(AssertionError):
                visitor.modal.wait(is_relabelled, what="the new label", seconds=RESTART_SECONDS)
            connected, asked = str(visitor.modal.api("getAddress")), visitor.wallet.asked("eth_requestAccounts")
            before = copy.break_texts()
            overlay = visitor.modal.frame.locator("vite-error-overlay")
            wrong = overlay.locator(".message").inner_text(timeout=RESTART_SECONDS * 1000)
            copy.heal_texts(before)
            expect(overlay).to_have_count(0, timeout=RESTART_SECONDS * 1000)
            healed = visitor.modal.card.inner_text(timeout=RESTART_SECONDS * 1000)
            yield Changed(
                shown,
                connected,
                visitor.account.address,
                asked,
                wrong,
                healed,
                "\n".join([copy.program.tail(60), *said]),
            )
    finally:
        copy.program.stop()


def test_a_changed_label_shows_in_the_host_pages_frame(changed: Changed) -> None:
    assert NEW_LABEL in changed.shown, changed.told
    assert OLD_LABEL not in changed.shown, changed.told


def test_the_connection_is_kept(changed: Changed) -> None:
    assert changed.connected.lower() == changed.account.lower()


def test_the_wallet_is_not_asked_again(changed: Changed) -> None:
    assert changed.asked == 1


def test_what_does_not_load_is_told_in_the_frame(changed: Changed) -> None:
    assert changed.wrong == "SyntaxError: invalid syntax", changed.told


def test_with_the_next_save_the_account_is_there_again(changed: Changed) -> None:
    assert NEW_LABEL in changed.healed, changed.told
