"""What nodes and tokens add to a request that the visitor is asked to confirm, and what they cannot break."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import AsyncMock

import pytest

from tests.driver import ADDRESS, OTHER, Driver, left_behind, session
from tests.features.approving import all_confirmed as all_confirmed
from tests.features.approving import approve, asked, phase, refusal, reject, shown
from tests.patience import patience
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import HttpRequestError, NetworkError
from walletmodal.core.transfers.simulation import NOT_SIMULATED, Moved, Simulation
from walletmodal.deployment import Deployment
from walletmodal.features.approve import trials
from walletmodal.features.approve.state import ApproveState
from walletmodal.services.chains.adapter import PreparedTransfer, Token

USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
TRANSFER = {"from": ADDRESS, "to": USDC, "data": "0xa9059cbb" + OTHER[2:].lower().rjust(64, "0") + f"{2_500_000:064x}"}

pytestmark = [
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
    pytest.mark.usefixtures("all_confirmed"),
]


class Node:
    """Tokens and trial runs in the place of a network's."""

    def __init__(self) -> None:
        self.token: Token | Exception = Token(USDC, "USD Coin", "USDC", 6)
        self.simulation = NOT_SIMULATED
        self.tried: list[PreparedTransfer] = []
        self.held: asyncio.Event | None = None
        self.reached = asyncio.Event()

    def adapter(self, _namespace: str) -> Node:
        return self

    async def read_token(self, _chain: ChainId, _address: str) -> Token:
        if isinstance(self.token, Exception):
            raise self.token
        return self.token

    async def simulate(self, prepared: PreparedTransfer, _sender: str, _receiver: str = "") -> Simulation:
        self.tried.append(prepared)
        self.reached.set()
        if self.held is not None:
            await self.held.wait()
        return self.simulation


@pytest.fixture
def node(deployed: Deployment) -> Node:
    made = Node()
    stand_in: Any = made
    deployed.chains = deployed.simulations = stand_in
    return made


async def ask(driver: Driver, method: str = "eth_sendTransaction", params: Any = None) -> None:
    await driver.connect()
    await driver.request(method, [TRANSFER] if params is None else params)


async def trial(driver: Driver) -> dict[str, Any]:
    return dict((await driver.state(ApproveState)).get_value("trial"))


async def test_a_token_is_told_by_its_own_name_and_decimals(driver: Driver, node: Node) -> None:
    await ask(driver)
    assert (await shown(driver))["title"] == "Send 2.5 USDC"


@pytest.mark.parametrize(
    "error", [HttpRequestError(url="http://node", details="refused"), NetworkError("Unsupported token")]
)
async def test_a_token_that_does_not_say_what_it_is_leaves_base_units(
    driver: Driver, node: Node, error: Exception
) -> None:
    node.token = error
    await ask(driver)
    (part, *_) = (await shown(driver))["parts"]
    assert {"name": "How much", "value": "2500000 base units", "depth": 0, "tone": ""} in part["rows"]


async def test_what_a_node_says_that_moves_is_shown(driver: Driver, node: Node) -> None:
    node.simulation = Simulation(
        ran=True, leaves=(Moved(USDC, 2_500_000),), arrives=(Moved(None, 10**17), Moved(OTHER, 1, 7))
    )
    await ask(driver)
    assert await trial(driver) == {
        "state": "told",
        "leaves": ["2.5 USDC"],
        "arrives": ["0.1 ETH", "NFT 7 of 0x70...dc79C8"],
        "failure": "",
    }


async def test_why_it_would_fail_is_shown(driver: Driver, node: Node) -> None:
    node.simulation = Simulation(ran=True, failure="It is paused.")
    await ask(driver)
    assert ((await trial(driver))["state"], (await trial(driver))["failure"]) == ("fails", "It is paused.")


async def test_what_nobody_can_try_says_so(driver: Driver, node: Node) -> None:
    await ask(driver)
    assert ((await trial(driver))["state"], await phase(driver)) == ("unknown", "ready")


async def test_a_trial_that_died_with_its_process_is_run_by_the_one_that_has_the_page(
    driver: Driver, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as dying:
        dying.setattr(trials, "try_out", AsyncMock(side_effect=ZeroDivisionError))
        await left_behind(driver, ask(driver))
    node.simulation = Simulation(ran=True, leaves=(Moved(USDC, 2_500_000),))
    await driver.reconnect(sessions={"eip155": session()})
    assert ((await trial(driver))["state"], node.tried) == ("running", [])
    monkeypatch.setattr(trials, "PROCESS", "another")
    await driver.reconnect(sessions={"eip155": session()})
    assert ((await trial(driver))["leaves"], len(node.tried)) == (["2.5 USDC"], 1)


async def test_what_could_not_be_tried_is_tried_once_more(driver: Driver, node: Node) -> None:
    await ask(driver)
    node.simulation = Simulation(ran=True, leaves=(Moved(USDC, 2_500_000),))
    await driver.fire(ApproveState.run_trial)
    assert ((await trial(driver))["state"], (await trial(driver))["leaves"]) == ("told", ["2.5 USDC"])
    await driver.fire(ApproveState.run_trial)
    assert len(node.tried) == 2


async def test_what_the_wallet_has_by_now_is_not_tried_for_the_next(driver: Driver, node: Node) -> None:
    await ask(driver)
    await reject(driver)
    await driver.request("personal_sign", ["0x00", ADDRESS], call_id="next")
    await driver.fire(ApproveState.run_trial)
    assert (len(node.tried), (await trial(driver))["state"]) == (1, "none")


async def test_a_message_is_not_tried(driver: Driver, node: Node) -> None:
    await ask(driver, "personal_sign", ["0x00", ADDRESS])
    assert (node.tried, (await trial(driver))["state"]) == ([], "none")


async def test_several_calls_are_tried_together(driver: Driver, node: Node) -> None:
    node.simulation = Simulation(ran=True, failure="Call 2 of 2: The contract refuses it: paused.")
    await ask(driver, "wallet_sendCalls", [{"calls": [{"to": OTHER, "value": "0x1"}] * 2}])
    (command,) = await driver.commands("wallet.request")
    await driver.reply(command, value={"0x1": {"atomic": {"status": "supported"}}})
    call = {"to": OTHER, "value": "0x1", "data": "0x", "chainId": "0x1"}
    assert [(one.method, one.params) for one in node.tried] == [("wallet_sendCalls", [{"calls": [call, call]}])]
    assert (await trial(driver))["failure"] == "Call 2 of 2: The contract refuses it: paused."


async def test_what_is_tried_is_what_was_asked(driver: Driver, node: Node) -> None:
    await ask(driver)
    assert node.tried[0].params == [{"to": USDC, "value": "0x0", "data": TRANSFER["data"], "chainId": "0x1"}]


async def test_another_network_is_tried_anew(driver: Driver, node: Node) -> None:
    await ask(driver)
    await driver.tell(sessions={"eip155": session(chain="137")})
    assert [str(one.chain) for one in node.tried] == ["eip155:1", "eip155:137"]


@pytest.mark.parametrize("click", [approve, reject])
async def test_a_slow_trial_holds_up_nobody_and_is_too_late_for_the_next(
    driver: Driver, node: Node, click: Any
) -> None:
    node.held, node.simulation = asyncio.Event(), Simulation(ran=True, failure="too late")
    await driver.connect()
    asking = asyncio.create_task(driver.request("eth_sendTransaction", [TRANSFER]))
    async with patience():
        await node.reached.wait()
    assert (await trial(driver))["state"] == "running"
    await click(driver)
    node.held.set()
    await asking
    if click is reject:
        assert ((await refusal(driver))[0], await trial(driver)) == (4001, {})
    else:
        assert await asked(driver) == ["request"]
