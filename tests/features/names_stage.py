"""A deployment whose blockchain service is the sandbox's own, in this process: names are registered there for real."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import httpx
import pytest
from eth_account import Account
from eth_account.messages import encode_defunct

from tests.driver import ADDRESS, Driver, session
from tests.features.conftest import Configure
from tests.patience import patience
from walletmodal import deployment as deployments
from walletmodal.core.clock import MovableClock
from walletmodal.deployment import Deployment
from walletmodal.features.names.state import NamesState
from walletmodal.features.shell.state import ShellState
from walletmodal.sandbox.blockchain import BlockchainService
from walletmodal.sandbox.blockchain.names import rules, suggestions
from walletmodal.sandbox.faults import Fault, FaultBook
from walletmodal.sandbox.gate import ServiceGate
from walletmodal.sandbox.journal import Journal
from walletmodal.sandbox.onramp.purchases import PurchaseStore

KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
OTHERS_KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"
SERVICE = "http://localhost:9/blockchain"
START = datetime.fromisoformat("2026-01-01T00:00:00+00:00")


@dataclass
class NameService:
    """The service.

    Attributes:
        clock: its own, which is not the deployment's.
        faults: how it fails; journal: what it was asked.
    """

    clock: MovableClock
    faults: FaultBook
    journal: Journal
    gate: ServiceGate = field(repr=False)

    def asked(self, path: str, method: str = "GET") -> list[dict[str, Any]]:
        """What came for a path below /v1."""
        return [
            one
            for one in self.journal.newest_last("blockchain")
            if str(one["path"]).startswith(f"/v1{path}") and one["method"] == method
        ]

    def fail(self, path: str, **fault: Any) -> None:
        """Has a path below /v1 fail."""
        self.faults.add(Fault(service="blockchain", path=f"/v1{path}", **fault))


async def _node(body: bytes) -> httpx.Response:
    """A chain on which nothing is."""
    asked = json.loads(body)

    def answer(one: dict[str, Any]) -> dict[str, Any]:
        empty = {"eth_getBlockByNumber": {"hash": "0x" + "11" * 32}, "eth_getCode": "0x"}
        return {"jsonrpc": "2.0", "id": one["id"], "result": empty.get(one["method"], "0x" + "00" * 32)}

    return httpx.Response(200, json=[answer(one) for one in asked] if isinstance(asked, list) else answer(asked))


@pytest.fixture(autouse=True)
def service(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, configure: Configure) -> NameService:
    """The deployment's blockchain service, before the deployment is made; a parameter is the zone of both."""
    if zone := getattr(request, "param", ""):
        configure(NAME_ZONE=zone)
        for module in (rules, suggestions):
            monkeypatch.setattr(module, "ZONES", (zone, *rules.ZONES))
    clock, faults, journal = MovableClock(START), FaultBook(), Journal()
    nodes = {"eip155:1": _node, "eip155:137": _node}
    inner = BlockchainService(nodes, None, "http://localhost:9", PurchaseStore(), clock=clock)
    gate = ServiceGate(inner, "blockchain", faults, journal)

    async def without_prefix(scope: Any, receive: Any, send: Any) -> None:
        await gate({**scope, "path": scope["path"].removeprefix("/blockchain")}, receive, send)

    monkeypatch.setattr(
        deployments,
        "rpc_http_client",
        lambda: httpx.AsyncClient(mounts={"http://localhost:9": httpx.ASGITransport(without_prefix)}),
    )
    configure(BLOCKCHAIN_URL=SERVICE)
    return NameService(clock, faults, journal, gate)


@pytest.fixture
def clock(deployed: Deployment) -> MovableClock:
    """The deployment's time."""
    deployed.clock = clock = MovableClock(START)
    return clock


def signature(command: dict[str, Any], key: str = KEY) -> str:
    """What the wallet answers to `personal_sign`."""
    text = bytes.fromhex(command["params"]["params"][0][2:])
    return f"0x{Account.sign_message(encode_defunct(text), key).signature.hex()}"


def message(command: dict[str, Any]) -> dict[str, Any]:
    """What the wallet is asked to sign."""
    found: dict[str, Any] = json.loads(bytes.fromhex(command["params"]["params"][0][2:]))
    return found


async def at_form(driver: Driver, **parts: Any) -> None:
    """The form is open."""
    await driver.load(**{"sessions": {"eip155": session()}, **parts})
    await driver.call("open", view="ChooseAccountName")
    await driver.fire(NamesState.open_form)
    await driver.fire(NamesState.on_shown)


async def types(driver: Driver, text: str) -> NamesState:
    """A name is typed, and looked up."""
    clock: Any = deployments.deployment().clock
    typing = asyncio.create_task(driver.fire(NamesState.type_name(text)))
    await clock.asleep()
    clock.advance(0.5)
    await typing
    return await form(driver)


async def form(driver: Driver, until: Callable[[NamesState], object] = lambda _: True) -> NamesState:
    """The form as it stands, once nothing is under way at the service.

    With a second visitor in the test background work is not the driver's to wait for: then say what is waited for.
    """
    async with patience():
        while True:
            state = await driver.state(NamesState)
            if state.check != "checking" and state.phase != "registering" and until(state):
                return state
            await asyncio.sleep(0.001)


async def press(driver: Driver) -> dict[str, Any]:
    """The name that is shown is registered; returns what the wallet is asked."""
    await driver.fire(NamesState.register((await driver.state(NamesState)).label))
    (command,) = await driver.commands("wallet.request")
    return command


async def sign(driver: Driver, key: str = KEY) -> NamesState:
    """The same, and the wallet signs."""
    command = await press(driver)
    await driver.reply(command, value=signature(command, key))
    return await form(driver)


async def view(driver: Driver) -> str:
    """What the visitor sees; "" for nothing."""
    shell = await driver.state(ShellState)
    return shell.view if shell.open else ""


def told(driver: Driver) -> list[str]:
    """The events of names that the host's subscribers were told."""
    return [item["event"] for item in driver.told() if "NAME" in item["event"] or "ENS" in item["event"]]


async def lets_another_register(name: str, key: str = OTHERS_KEY) -> None:
    """Somebody registers a name elsewhere."""
    text = json.dumps({"name": name, "attributes": {}, "timestamp": int(START.timestamp())})
    signed = Account.sign_message(encode_defunct(text=text), key)
    body = {
        "coin_type": 0x8000_0001,
        "address": Account.from_key(key).address,
        "message": text,
        "signature": f"0x{signed.signature.hex()}",
    }
    client = deployments.deployment()._client
    answer = await client.post(f"{SERVICE}/v1/profile/account", json=body)
    assert answer.status_code == 200, answer.text


__all__ = ["ADDRESS", "clock", "service"]
