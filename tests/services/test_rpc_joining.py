"""Equal questions at the same time become one, and everyone gets the answer or the failure."""

import asyncio

import pytest

from tests.patience import patience
from tests.services.rpc_double import TransportDouble, rpc_error, settled
from walletmodal.core.errors import RpcRequestError
from walletmodal.core.requests.methods import methods_of_kinds
from walletmodal.services.rpc import JoiningTransport
from walletmodal.services.rpc.reads import READ_METHODS
from walletmodal.services.rpc.transport import JsonParams

NOT_JOINED = {
    "eth_accounts",
    "eth_getFilterChanges",
    "eth_newBlockFilter",
    "eth_newFilter",
    "eth_newPendingTransactionFilter",
    "eth_sendRawTransaction",
    "eth_uninstallFilter",
    "wallet_getAssets",
    "wallet_getCallsStatus",
    "wallet_getCapabilities",
    "wallet_getGrantedExecutionPermissions",
    "wallet_getSupportedExecutionPermissions",
    "wallet_showCallsStatus",
}


def held(*answers: object) -> TransportDouble:
    inner = TransportDouble(*answers)
    inner.held = asyncio.Event()
    return inner


def ask(way: JoiningTransport, method: str, params: JsonParams = ()) -> asyncio.Task[object]:
    return asyncio.create_task(way.request(method, params))


async def until_asked(inner: TransportDouble, count: int = 1) -> None:
    async with patience():
        while len(inner.asked) < count:
            await asyncio.sleep(0)


async def test_equal_questions_at_once_are_asked_once() -> None:
    inner = TransportDouble("0x5")
    way = JoiningTransport(inner)
    answers = await asyncio.gather(*(way.request("eth_getBalance", ["0x1", "latest"]) for _ in range(100)))
    assert (answers, len(inner.asked)) == (["0x5"] * 100, 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("eth_call", ["a"]), ("eth_call", ["b"])),
        (("eth_call", ["a"]), ("eth_estimateGas", ["a"])),
        (("eth_call", [1]), ("eth_call", [True])),
        (("eth_call", [1]), ("eth_call", ["1"])),
        (("eth_call", [None]), ("eth_call", [])),
        (("eth_call", [["a"], "b"]), ("eth_call", ["a", ["b"]])),
        (("eth_call", ['a","b']), ("eth_call", ["a", "b"])),
    ],
)
async def test_different_questions_are_asked_each(
    one: tuple[str, list[object]], other: tuple[str, list[object]]
) -> None:
    inner = TransportDouble("0x5")
    way = JoiningTransport(inner)
    await asyncio.gather(way.request(*one), way.request(*other))
    assert len(inner.asked) == 2


@pytest.mark.parametrize("method", sorted(NOT_JOINED))
async def test_what_is_no_read_is_asked_each_time(method: str) -> None:
    inner = TransportDouble("0x5")
    way = JoiningTransport(inner)
    await asyncio.gather(*(way.request(method, ["0x1"]) for _ in range(3)))
    assert len(inner.asked) == 3


def test_every_method_that_hosts_may_use_is_either_a_read_or_named_here() -> None:
    assert methods_of_kinds("node", "page", "wallet_read").keys() - NOT_JOINED <= READ_METHODS
    assert not READ_METHODS & NOT_JOINED


async def test_nothing_is_kept_once_the_answer_is_there() -> None:
    inner = TransportDouble("0x1", "0x2")
    way = JoiningTransport(inner)
    assert [await way.request("eth_blockNumber") for _ in range(2)] == ["0x1", "0x2"]


async def test_a_failure_is_everyones_and_is_not_kept() -> None:
    inner = TransportDouble(rpc_error(-32000), "0x2")
    way = JoiningTransport(inner)
    failures = await settled([ask(way, "eth_call") for _ in range(3)])
    assert [type(failure) for failure in failures] == [RpcRequestError] * 3
    assert await way.request("eth_call") == "0x2"


@pytest.mark.parametrize("leaver", [0, 1, 2])
async def test_who_leaves_does_not_take_the_answer_from_the_others(leaver: int) -> None:
    inner = held("0x5")
    way = JoiningTransport(inner)
    asking = [ask(way, "eth_call") for _ in range(3)]
    await until_asked(inner)
    asking[leaver].cancel()
    await asyncio.wait([asking[leaver]])
    assert inner.held is not None
    inner.held.set()
    answers = await settled(asking)
    assert isinstance(answers.pop(leaver), asyncio.CancelledError)
    assert (answers, len(inner.asked), inner.left) == (["0x5", "0x5"], 1, 0)


async def test_when_everyone_has_left_the_question_is_given_up() -> None:
    inner = held("0x5")
    way = JoiningTransport(inner)
    asking = [ask(way, "eth_call") for _ in range(3)]
    await until_asked(inner)
    for one in asking:
        one.cancel()
    await asyncio.wait(asking)
    await asyncio.sleep(0)
    assert inner.left == 1


async def test_who_asks_when_everyone_has_left_gets_an_answer() -> None:
    inner = held("0x5")
    way = JoiningTransport(inner)
    leaving = ask(way, "eth_call")
    await until_asked(inner)
    leaving.cancel()
    staying = ask(way, "eth_call")
    await until_asked(inner, 2)
    assert inner.held is not None
    inner.held.set()
    assert await staying == "0x5"


async def test_everyone_may_do_with_the_answer_as_they_like() -> None:
    way = JoiningTransport(TransportDouble({"logs": []}))
    one, other = await asyncio.gather(way.request("eth_call"), way.request("eth_call"))
    assert isinstance(one, dict)
    one["logs"].append("mine")
    assert other == {"logs": []}


async def test_of_too_many_open_questions_each_further_one_is_asked_for_itself() -> None:
    inner = held("0x5")
    way = JoiningTransport(inner, max_joined=2)
    asking = [ask(way, "eth_call", [place]) for place in (1, 2, 3, 3, 1)]
    await until_asked(inner, 4)
    assert inner.held is not None
    inner.held.set()
    await settled(asking)
    assert sorted(str(params) for _, params in inner.asked) == ["[1]", "[2]", "[3]", "[3]"]


async def test_who_must_see_what_happened_since_is_not_joined() -> None:
    inner = held("0x5")
    way = JoiningTransport(inner)
    asking = [ask(way, "eth_call"), asyncio.create_task(_unjoined(way))]
    await until_asked(inner, 2)
    assert inner.held is not None
    inner.held.set()
    await settled(asking)


async def _unjoined(way: JoiningTransport) -> object:
    return await way.unjoined.request("eth_call")


async def test_parameters_that_are_no_json_are_the_callers_error() -> None:
    inner = TransportDouble("0x5")
    way = JoiningTransport(inner)
    for wrong in (float("nan"), object(), b"0x", "\ud800", {1, 2}):
        with pytest.raises(ValueError, match="JSON"):
            await way.request("eth_call", [wrong])
    assert not inner.asked
