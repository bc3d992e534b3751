"""What became of a user operation: the chain's word counts, whatever the bundler says."""

from typing import Any

import pytest
from eth_abi.abi import encode
from eth_utils.crypto import keccak

from tests.services.rpc_double import TransportDouble, status
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import HttpRequestError, MalformedResponseError
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7, ENTRY_POINT_0_8
from walletmodal.services.smart_accounts.bundler import Bundler
from walletmodal.services.smart_accounts.outcomes import MAX_BLOCKS, OperationOutcomes, SentOperation

CHAIN = parse_chain_id("eip155:1")
SENDER = "0x888888888888Ec68A58AB8094Cc1AD20Ba3D2402"
SENT = SentOperation(b"\7" * 32, SENDER, ENTRY_POINT_0_7, 100)
HEAD = SENT.height + 3
TRANSACTION = "0x" + "ab" * 32
NAMED = {"receipt": {"transactionHash": TRANSACTION}}
EVENT = keccak(text="UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)")
REVERTED = keccak(text="UserOperationRevertReason(bytes32,address,uint256,bytes)")


def log(*, success: bool = True, **changes: Any) -> dict[str, Any]:
    topics = ["0x" + EVENT.hex(), "0x" + SENT.hash.hex(), "0x" + SENDER[2:].lower().rjust(64, "0"), "0x" + "0" * 64]
    data = encode(["uint256", "bool", "uint256", "uint256"], [7, success, 77, 5])
    plain = {
        "address": ENTRY_POINT_0_7.lower(),
        "topics": topics,
        "data": "0x" + data.hex(),
        "transactionHash": TRANSACTION,
        "blockNumber": "0x65",
    }
    return plain | changes


def reason(output: bytes) -> dict[str, Any]:
    topics = ["0x" + REVERTED.hex(), *log()["topics"][1:3]]
    return log(topics=topics, data="0x" + encode(["uint256", "bytes"], [0, output]).hex())


class Chain:
    """A node with these events in every receipt and every search."""

    def __init__(self, *logs: object, receipt: bool = True) -> None:
        self.logs, self.receipt = list(logs), receipt
        self.asked = list[tuple[str, Any]]()

    async def request(self, method: str, params: Any = ()) -> object:
        self.asked.append((method, params))
        if method == "eth_getTransactionReceipt":
            return {"logs": self.logs} if self.receipt else None
        return self.logs


def outcomes(chain: Chain, bundler: object = NAMED) -> OperationOutcomes:
    way = TransportDouble(bundler)
    return OperationOutcomes(Bundler(lambda _chain: way, lambda _chain: chain), lambda _chain: chain)


async def test_the_event_of_the_entry_point_says_what_was_done_and_paid() -> None:
    found = await outcomes(Chain(log())).find(CHAIN, SENT, HEAD)
    assert found is not None
    assert (found.success, found.transaction, found.block, found.cost) == (True, TRANSACTION, 101, 77)
    assert (found.nonce, found.paid_for) == (7, False)


async def test_a_paymaster_that_has_paid_is_told_of() -> None:
    paid = log(topics=[*log()["topics"][:3], "0x" + "11" * 20 + "00" * 12])
    found = await outcomes(Chain(paid)).find(CHAIN, SENT, HEAD)
    assert found is not None
    assert found.paid_for


async def test_calls_that_failed_are_told_with_the_contracts_reason() -> None:
    error = keccak(text="Error(string)")[:4] + encode(["string"], ["no balance"])
    found = await outcomes(Chain(reason(error), log(success=False))).find(CHAIN, SENT, HEAD)
    assert found is not None
    assert (found.success, found.reason) == (False, "no balance")


async def test_a_reason_that_is_no_text_is_none() -> None:
    found = await outcomes(Chain(reason(b"\1\2\3\4"), log(success=False))).find(CHAIN, SENT, HEAD)
    assert found is not None
    assert found.reason == ""


@pytest.mark.parametrize(
    "foreign",
    [
        log(address=ENTRY_POINT_0_8),
        log(topics=[log()["topics"][0], "0x" + "11" * 32, log()["topics"][2]]),
        log(topics=[*log()["topics"][:2], "0x" + "11" * 32]),
        log(removed=True),
        "a log",
        {},
    ],
)
async def test_another_event_is_not_the_operations(foreign: object) -> None:
    assert await outcomes(Chain(foreign)).find(CHAIN, SENT, HEAD) is None


@pytest.mark.parametrize("bundler", [None, status(503), {"receipt": {"transactionHash": "0x" + "99" * 32}}])
async def test_a_bundler_that_drops_it_is_away_or_lies_is_done_without(bundler: object) -> None:
    chain = Chain(log(), receipt=False)
    found = await outcomes(chain, bundler).find(CHAIN, SENT, HEAD)
    assert found is not None
    assert chain.asked[-1][0] == "eth_getLogs"


@pytest.mark.parametrize(
    ("head", "last"),
    [
        (SENT.height, "latest"),
        (SENT.height + MAX_BLOCKS, "latest"),
        (SENT.height + MAX_BLOCKS + 1, hex(SENT.height + MAX_BLOCKS)),
    ],
)
async def test_blocks_that_the_node_does_not_have_are_not_asked_for(head: int, last: str) -> None:
    chain = Chain(log(), receipt=False)
    await outcomes(chain).find(CHAIN, SENT, head)
    (event,) = chain.asked[-1][1]
    assert (event["fromBlock"], event["toBlock"]) == (hex(SENT.height), last)


async def test_a_success_that_only_the_bundler_tells_of_is_none() -> None:
    told = NAMED | {"success": True, "actualGasCost": "0x1"}
    assert await outcomes(Chain(), told).find(CHAIN, SENT, HEAD) is None


@pytest.mark.parametrize(
    "wrong", [log(data="0x12"), log(transactionHash=None), log(blockNumber="many"), log(topics=log()["topics"][:3])]
)
async def test_an_event_that_makes_no_sense_is_not_guessed_at(wrong: object) -> None:
    with pytest.raises(MalformedResponseError):
        await outcomes(Chain(wrong)).find(CHAIN, SENT, HEAD)


async def test_a_node_that_is_away_leaves_it_open() -> None:
    way, node = TransportDouble(None), TransportDouble(status(503))
    with pytest.raises(HttpRequestError):
        await OperationOutcomes(Bundler(lambda _: way, lambda _: node), lambda _: node).find(CHAIN, SENT, HEAD)
