"""With the sandbox no call leaves this machine: every outgoing connection of `make run` is recorded while somebody uses it."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from scripts.build import build, build_sandbox
from tests.browser.modal import Modal
from tests.browser.recorded_run import RECORDER, Destination, RecordedRun, destinations
from tests.browser.stack import CHAIN_IDS
from tests.browser.test_sandbox_wallet import SANDBOX_RDNS
from tests.patience import PATIENCE, START_SECONDS
from tests.ports import free_ports
from walletmodal.config import SETTING_NAMES

BUYER = "0x00000000000000000000000000000000000bed01"


@dataclass(frozen=True)
class Recorded:
    """A finished run.

    Attributes:
        status: its exit status.
        found: where its programs connected to.
        asked_by_browser: the hosts that the visitor's pages asked.
        sandbox_port: of its sandbox.
    """

    status: int
    found: set[Destination]
    asked_by_browser: set[str | None]
    sandbox_port: int


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Recorded]:
    """What a run did until Ctrl-C while a visitor connected, looked at the balance, changed the network and went shopping."""
    build()
    build_sandbox()
    folder = tmp_path_factory.mktemp("outgoing")
    modal_port, sandbox_port, evm_port, solana_port = (free_ports(n) for n in (1, 1, len(CHAIN_IDS), 2))
    run = RecordedRun(
        {
            **dict.fromkeys(SETTING_NAMES, ""),
            "WALLETMODAL_PORT": str(modal_port),
            "SANDBOX_PORT": str(sandbox_port),
            "EVM_PORT": str(evm_port),
            "SOLANA_PORT": str(solana_port),
            "SECURE_PORT": str(free_ports(1)),
            "SANDBOX_KEEP": "false",
            "DATABASE_URL": f"sqlite:///{folder / 'walletmodal.db'}",
        },
        folder,
    )
    modal, sandbox = f"http://localhost:{modal_port}", f"http://localhost:{sandbox_port}"
    try:
        run.start(run.is_ready, seconds=START_SECONDS)
        context = chromium.new_context()
        asked: set[str | None] = set()
        context.on("request", lambda request: asked.add(urlsplit(request.url).hostname))
        _connect_and_change_network(context.new_page(), modal, sandbox)
        with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
            _look_at_pictures(client, modal, sandbox)
            _begin_to_buy(context.new_page(), client, sandbox)
        context.close()
        status = run.interrupt()
        yield Recorded(status, run.destinations(), asked, sandbox_port)
    finally:
        run.kill()


def _connect_and_change_network(page: Page, modal_url: str, sandbox: str) -> None:
    page.goto(f"{sandbox}/")
    modal = Modal(page, modal_url)
    modal.open()
    modal.choose_wallet(SANDBOX_RDNS)
    page.get_by_test_id("sandbox-wallet-approve").click()
    modal.expect_connected()
    modal.open_account()
    expect(modal.balance).to_contain_text("ETH")
    modal.part("w3m-account-select-network").click()
    modal.network_row("Polygon").click()
    page.get_by_test_id("sandbox-wallet-approve").click()
    modal.expect_network("eip155:137")
    expect(modal.balance).to_contain_text("POL")


def _look_at_pictures(client: httpx.Client, modal: str, sandbox: str) -> None:
    listed = client.get(f"{sandbox}/directory/getWallets", params={"page": "1", "entries": "4"}).raise_for_status()
    for wallet in listed.json()["data"]:
        client.get(f"{modal}/images/wallet/{wallet['image_id']}").raise_for_status()


def _begin_to_buy(page: Page, client: httpx.Client, sandbox: str) -> None:
    wish = {
        "destinationWallets": [{"address": BUYER, "blockchains": ["ethereum"], "assets": ["ETH"]}],
        "partnerUserId": "p" * 32,
        "defaultExperience": "buy",
    }
    generator = f"{sandbox}/blockchain/v1/generators/onrampurl?projectId=sandbox"
    page.goto(client.post(generator, json=wish, headers={"Origin": sandbox}).raise_for_status().json()["url"])
    expect(page.locator("body")).to_contain_text("ETH")


def test_no_connection_of_a_run_leaves_loopback(recorded: Recorded) -> None:
    assert {found for found in recorded.found if not found.stays} == set()


def test_the_modal_servers_calls_were_recorded(recorded: Recorded) -> None:
    """Else the first test would prove nothing. The command itself asks the sandbox too, whether it has started."""
    assert len({found.task for found in recorded.found if found.port == recorded.sandbox_port}) == 2


def test_the_sandboxs_calls_were_recorded(recorded: Recorded) -> None:
    """Each of its EVM nodes listens on an address of loopback of its own."""
    nodes = {found.host for found in recorded.found if found.family == "AF_INET" and found.host != "127.0.0.1"}
    assert len(nodes) >= len(CHAIN_IDS)


def test_the_pages_ask_this_machine_alone(recorded: Recorded) -> None:
    assert recorded.asked_by_browser == {"localhost"}


def test_a_recorded_run_ends_as_any_other(recorded: Recorded) -> None:
    assert recorded.status == 0


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("socket(AF_INET, SOCK_DGRAM).connect(('192.0.2.7', 443))", ("AF_INET", "192.0.2.7", 443)),
        ("socket(AF_INET, SOCK_DGRAM).sendto(b'?', ('192.0.2.7', 53))", ("AF_INET", "192.0.2.7", 53)),
        ("socket(AF_INET, SOCK_DGRAM).sendmsg([b'?'], [], 0, ('192.0.2.7', 53))", ("AF_INET", "192.0.2.7", 53)),
        ("socket(AF_INET, SOCK_DGRAM).connect(('127.0.0.53', 53))", ("AF_INET", "127.0.0.53", 53)),
        ("socket(AF_INET6, SOCK_DGRAM).connect(('2001:db8::7', 443))", ("AF_INET6", "2001:db8::7", 443)),
        ("socket(AF_INET6, SOCK_DGRAM).connect(('::ffff:192.0.2.7', 443))", ("AF_INET6", "::ffff:192.0.2.7", 443)),
    ],
)
def test_what_leaves_is_named(tmp_path: Path, code: str, expected: tuple[str, str, int]) -> None:
    """Also from a program that the recorded one starts; the addresses are those that RFC 5737 and RFC 3849 keep for examples."""
    inner = f"from socket import *\ntry:\n    {code}\nexcept OSError:\n    pass"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}], check=True)"
    subprocess.run([*RECORDER, f"--output={tmp_path / 'calls'}", sys.executable, "-c", outer], check=True)
    left = [found for found in destinations((tmp_path / "calls").read_text().splitlines()) if not found.stays]
    assert [(found.family, found.host, found.port) for found in left] == [expected]


@pytest.mark.parametrize(
    "code",
    [
        "socket(AF_INET, SOCK_DGRAM).connect(('127.0.0.2', 443))",
        "socket(AF_INET6, SOCK_DGRAM).connect(('::1', 443))",
        "socket(AF_INET6, SOCK_DGRAM).connect(('::ffff:127.0.0.1', 443))",
        "socket(AF_UNIX).connect('/nowhere')",
    ],
)
def test_what_stays_is_not_named(tmp_path: Path, code: str) -> None:
    inner = f"from socket import *\ntry:\n    {code}\nexcept OSError:\n    pass"
    subprocess.run([*RECORDER, f"--output={tmp_path / 'calls'}", sys.executable, "-c", inner], check=True)
    found = list(destinations((tmp_path / "calls").read_text().splitlines()))
    assert found
    assert all(one.stays for one in found)
