"""What the host page asks its provider: checked, answered, passed on, or refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver, session
from walletmodal.core.requests.methods import NODE_METHODS
from walletmodal.core.version import VERSION
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.requests import limits
from walletmodal.features.requests.state import MAX_ASKED, RequestsState
from walletmodal.features.shell.state import ShellState
from walletmodal.services.rate_limit import Rate

PERMISSION = {
    "parentCapability": "eth_accounts",
    "caveats": [{"type": "restrictReturnedAccounts", "value": [ADDRESS]}],
}
SIGNING: list[tuple[str, list[Any]]] = [
    ("personal_sign", ["0x00", ADDRESS]),
    ("personal_sign", ["0x00", ADDRESS.lower()]),
    ("eth_signTypedData_v4", [ADDRESS, '{"types": {"Mail": []}, "primaryType": "Mail"}']),
    ("eth_sendTransaction", [{"from": ADDRESS, "to": OTHER}]),
    ("eth_sendTransaction", [{"from": ADDRESS, "to": OTHER, "chainId": "0x1"}]),
    ("wallet_sendCalls", [{"from": ADDRESS, "calls": []}]),
    ("wallet_sendCalls", [{"calls": []}]),
]


async def code(driver: Driver, call: str = "request") -> int | None:
    """The error that a request was answered with; 0 for a value, None while it waits."""
    answer = await driver.settled(call)
    if answer is None:
        return None
    return 0 if answer["ok"] else int(answer["error"]["code"])


@pytest.mark.parametrize(("method", "params"), SIGNING)
async def test_what_the_connected_account_signs_goes_to_its_wallet(
    driver: Driver, method: str, params: list[Any]
) -> None:
    await driver.connect()
    await driver.request(method, params)
    asked = (await driver.commands("wallet.request"))[0]["params"]
    assert (asked["method"], asked["params"], asked["request"]) == (method, params, "request")


@pytest.mark.parametrize(("method", "params"), SIGNING)
async def test_nothing_that_signs_is_run_by_another_page(driver: Driver, method: str, params: list[Any]) -> None:
    await driver.connect()
    await driver.request(method, params)
    assert (await driver.commands("wallet.request"))[0]["replay"] is False


@pytest.mark.parametrize(("method", "params"), SIGNING)
async def test_without_a_wallet_nothing_is_signed(driver: Driver, method: str, params: list[Any]) -> None:
    await driver.load()
    await driver.request(method, params)
    assert (await code(driver), await driver.commands("wallet.request")) == (4100, [])


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("personal_sign", ["0x00", OTHER]),
        ("eth_signTypedData_v4", [OTHER, "{}"]),
        ("eth_sendTransaction", [{"from": OTHER}]),
        ("wallet_sendCalls", [{"from": OTHER}]),
    ],
)
async def test_another_account_signs_nothing(driver: Driver, method: str, params: Any) -> None:
    await driver.connect()
    await driver.request(method, params)
    assert (await code(driver), await driver.commands("wallet.request")) == (4100, [])


@pytest.mark.parametrize("chain_id", ["0x89", "137", "nonsense", 1, {}])
async def test_a_transaction_for_another_network_is_refused(driver: Driver, chain_id: Any) -> None:
    await driver.connect()
    await driver.request("eth_sendTransaction", [{"from": ADDRESS, "chainId": chain_id}])
    assert (await code(driver), await driver.commands("wallet.request")) == (4901, [])


async def test_calls_for_another_network_are_refused(driver: Driver) -> None:
    await driver.connect()
    await driver.request("wallet_sendCalls", [{"from": ADDRESS, "chainId": "0x89", "calls": []}])
    assert (await code(driver), await driver.commands("wallet.request")) == (4901, [])


@pytest.mark.parametrize("chain_id", ["0x89", "1", "0x0_1", " 0x1", "0X1", 1, True, ["0x1"]])
async def test_each_call_of_a_batch_is_for_the_active_network(driver: Driver, chain_id: Any) -> None:
    await driver.connect()
    calls = [{"to": OTHER, "chainId": "0x1"}, {"to": OTHER, "chainId": chain_id}]
    await driver.request("wallet_sendCalls", [{"from": ADDRESS, "chainId": "0x1", "calls": calls}])
    assert (await code(driver), await driver.commands("wallet.request")) == (4901, [])


async def test_parameters_of_the_wrong_shape_do_not_reach_the_wallet(driver: Driver) -> None:
    await driver.connect()
    await driver.request("wallet_sendCalls", [{"from": ADDRESS, "calls": [{"to": "vitalik.eth"}]}])
    error = (await driver.answer("request"))["error"]
    assert (error["code"], error["message"].partition(": ")[0]) == (-32602, "params[0].calls[0].to")


@pytest.mark.parametrize("method", ["eth_sign", "eth_coinbase", "debug_traceCall", "__init__", "constructor"])
async def test_methods_in_no_list_are_refused(driver: Driver, method: str) -> None:
    await driver.connect()
    await driver.request(method, [])
    assert await code(driver) == 4200


@pytest.mark.parametrize("method", ["eth_accounts", *sorted(NODE_METHODS)[:2]])
async def test_plain_reads_do_not_pass_through_state(driver: Driver, method: str) -> None:
    await driver.connect()
    await driver.request(method, [])
    assert await code(driver) == 4200


@pytest.mark.parametrize("namespace", ["solana", "bip122", "polkadot"])
async def test_methods_of_another_namespace_are_refused(driver: Driver, namespace: str) -> None:
    await driver.connect()
    await driver.request("personal_sign", ["0x00", ADDRESS], namespace=namespace)
    assert await code(driver) == 4200


async def test_the_wallet_is_not_flooded(driver: Driver) -> None:
    await driver.connect()
    for number in range(MAX_ASKED + 1):
        await driver.request("personal_sign", ["0x00", ADDRESS], call_id=f"r{number}")
    assert await code(driver, f"r{MAX_ASKED}") == -32005


@pytest.mark.parametrize("filler", ["x", "ü", "\U0001f600", "\x01", '"'])
async def test_what_waits_for_the_wallet_never_outgrows_what_the_loader_takes(driver: Driver, filler: str) -> None:
    await driver.connect()
    for number in range(MAX_ASKED):
        await driver.request("personal_sign", [filler * 9_000, ADDRESS], call_id=f"r{number}")
    sent = json.dumps({"commands": await driver.commands()}, ensure_ascii=False, separators=(",", ":"))
    assert len(sent.encode("utf-16-le")) // 2 <= 400 * 1024


async def test_a_transaction_may_be_as_large_as_the_network_takes_it(driver: Driver) -> None:
    """128 KiB with its signature and all."""
    await driver.connect()
    sent = {"from": ADDRESS, "to": ADDRESS, "value": "0x1", "data": "0x" + "ab" * 130_000}
    await driver.request("eth_sendTransaction", [sent])
    (command,) = await driver.commands("wallet.request")
    assert (await code(driver), command["params"]["params"]) == (None, [sent])


async def test_a_request_that_is_larger_than_a_message_may_be_is_told_so(driver: Driver) -> None:
    await driver.connect()
    await driver.request("personal_sign", ["x" * 300_000, ADDRESS])
    error = (await driver.answer("request"))["error"]
    assert (error["code"], error["message"]) == (-32005, "The request is too large")


@pytest.mark.parametrize(("length", "expected"), [(150_000, -32005), (50_000, None)])
async def test_a_request_that_has_no_room_beside_the_waiting_ones_is_refused(
    driver: Driver, length: int, expected: int | None
) -> None:
    await driver.connect()
    await driver.request("personal_sign", ["x" * 200_000, ADDRESS], call_id="first")
    await driver.request("personal_sign", ["x" * length, ADDRESS], call_id="second")
    assert (await code(driver, "first"), await code(driver, "second")) == (None, expected)


async def test_what_is_too_large_together_is_not_told_as_too_many(driver: Driver) -> None:
    await driver.connect()
    for name in ("first", "second"):
        await driver.request("personal_sign", ["x" * 200_000, ADDRESS], call_id=name)
    message = (await driver.answer("second"))["error"]["message"]
    assert message == "The requests that wait for the wallet are too large together"


async def test_a_wide_text_needs_the_room_that_it_takes(driver: Driver) -> None:
    await driver.connect()
    await driver.request("personal_sign", ["\U0001f600" + "x" * 100_000, ADDRESS])
    assert (await driver.answer("request"))["error"]["code"] == -32005


async def test_all_sessions_of_an_address_have_so_much_room_for_requests(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PER_ADDRESS", Rate(per_second=1, burst=300_000))
    another = Driver(driver.manager, token="another-visitor")
    async with another.processor:
        for visitor in (driver, another):
            await visitor.connect()
            await visitor.request("personal_sign", ["x" * 200_000, ADDRESS])
        await another.request("personal_sign", ["0x00", ADDRESS], call_id="small")
        assert (await code(driver), await code(another), await code(another, "small")) == (None, -32005, None)


async def test_a_request_that_was_answered_makes_room(driver: Driver) -> None:
    await driver.connect()
    for name in ("first", "second"):
        await driver.request("personal_sign", ["x" * 200_000, ADDRESS], call_id=name)
    await driver.reply((await driver.commands("wallet.request"))[0], value="0x")
    await driver.request("personal_sign", ["x" * 200_000, ADDRESS], call_id="third")
    assert await code(driver, "third") is None


async def test_a_connected_page_gets_its_accounts(driver: Driver) -> None:
    await driver.connect()
    await driver.request("eth_requestAccounts")
    assert (await driver.answer("request"))["value"] == [ADDRESS]


async def test_asking_for_accounts_opens_the_modal(driver: Driver) -> None:
    await driver.load()
    await driver.request("eth_requestAccounts")
    shell = await driver.state(ShellState)
    assert (shell.open, shell.view, await code(driver)) == (True, "Connect", None)


@pytest.mark.parametrize(
    ("method", "value"), [("eth_requestAccounts", [ADDRESS]), ("wallet_requestPermissions", [PERMISSION])]
)
async def test_who_waits_for_an_account_gets_it(driver: Driver, method: str, value: list[Any]) -> None:
    await driver.load()
    await driver.request(method, [{"eth_accounts": {}}])
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.tell(sessions={"eip155": session()})
    assert (await driver.answer("request"))["value"] == value


async def test_who_waits_for_an_account_is_rejected_when_the_modal_is_closed(driver: Driver) -> None:
    await driver.load()
    await driver.request("eth_requestAccounts")
    await driver.fire(ShellState.close)
    assert await code(driver) == 4001


async def test_a_remembered_wallet_that_answers_late_takes_the_modal_away_again(driver: Driver) -> None:
    await driver.load(settled=False)
    await driver.request("eth_requestAccounts")
    await driver.tell(sessions={"eip155": session()})
    assert ((await driver.state(ShellState)).open, await code(driver)) == (False, 0)


async def test_those_who_wait_are_bounded(driver: Driver) -> None:
    await driver.load()
    for number in range(MAX_ASKED + 1):
        await driver.request("eth_requestAccounts", call_id=f"r{number}")
    assert (len((await driver.state(RequestsState))._waiting), await code(driver, f"r{MAX_ASKED}")) == (
        MAX_ASKED,
        -32005,
    )


async def test_a_repeated_question_waits_once(driver: Driver) -> None:
    await driver.load()
    for _ in range(2):
        await driver.request("eth_requestAccounts")
    assert len((await driver.state(RequestsState))._waiting) == 1


async def test_nobody_of_the_page_before_waits(driver: Driver) -> None:
    await driver.load()
    await driver.request("eth_requestAccounts")
    await driver.reload()
    assert (await driver.state(RequestsState))._waiting == []


@pytest.mark.parametrize("connected", [True, False])
async def test_permissions_follow_the_account(driver: Driver, connected: bool) -> None:
    await driver.load(sessions={"eip155": session()} if connected else {})
    await driver.request("wallet_getPermissions")
    assert (await driver.answer("request"))["value"] == ([PERMISSION] if connected else [])


async def test_revoking_permissions_disconnects(driver: Driver) -> None:
    await driver.connect()
    await driver.request("wallet_revokePermissions", [{"eth_accounts": {}}])
    await driver.reply((await driver.commands("wallet.disconnect"))[0])
    assert await code(driver) == 0


async def test_net_version_is_the_active_network(driver: Driver) -> None:
    await driver.connect(chain="137")
    await driver.request("net_version")
    assert (await driver.answer("request"))["value"] == "137"


async def test_the_client_version_is_ours(driver: Driver) -> None:
    await driver.load()
    await driver.request("web3_clientVersion")
    assert (await driver.answer("request"))["value"] == f"WalletModal/{VERSION}"


@pytest.mark.parametrize("method", ["wallet_switchEthereumChain", "wallet_addEthereumChain"])
async def test_a_switch_is_the_network_flow(driver: Driver, method: str) -> None:
    await driver.connect()
    await driver.request(method, [{"chainId": "0x89"}])
    await driver.tell(sessions={"eip155": session(chain="137")})
    await driver.reply((await driver.commands("wallet.request"))[0])
    assert await code(driver) == 0


async def test_a_switch_that_the_wallet_declines_is_rejected(driver: Driver) -> None:
    await driver.connect()
    await driver.request("wallet_switchEthereumChain", [{"chainId": "0x89"}])
    await driver.reply((await driver.commands("wallet.request"))[0], code=4001, message="no")
    assert await code(driver) == 4001


async def test_a_switch_to_the_active_network_is_done(driver: Driver) -> None:
    await driver.connect()
    await driver.request("wallet_switchEthereumChain", [{"chainId": "0x1"}])
    assert (await code(driver), await driver.commands("wallet.request")) == (0, [])


async def test_a_switch_to_a_network_that_is_not_offered_is_refused(driver: Driver) -> None:
    await driver.connect()
    await driver.request("wallet_switchEthereumChain", [{"chainId": "0x38"}])
    assert await code(driver) == 4902


@pytest.mark.parametrize(
    "params",
    [
        *(None, [], {}, [None], [{}], ["0x89"], [{"chainId": "0x89"}, {"chainId": "0x1"}]),
        *(
            [{"chainId": chain}]
            for chain in (137, "f" * 50_000, "x", "89", "0x089", " 0x89 ", "+0x89", "0x8_9", "0x", "0X89")
        ),
    ],
)
@pytest.mark.parametrize("method", ["wallet_switchEthereumChain", "wallet_addEthereumChain"])
async def test_a_switch_that_names_no_network_is_refused(driver: Driver, method: str, params: Any) -> None:
    await driver.connect()
    await driver.request(method, params)
    assert (await code(driver), await driver.commands("wallet.request")) == (-32602, [])


@pytest.mark.parametrize("named", ["0xA", "0xa"])
async def test_a_network_may_be_named_in_either_case(driver: Driver, named: str) -> None:
    await driver.connect(chain="10")
    await driver.request("wallet_switchEthereumChain", [{"chainId": named}])
    assert await code(driver) == 0


@pytest.mark.parametrize(
    "wanted",
    [[], [{}], [{"eth_foo": {}}], [{"eth_accounts": {}, "eth_foo": {}}], [{"eth_accounts": 1}], {"eth_accounts": {}}],
)
@pytest.mark.parametrize("connected", [True, False])
async def test_a_permission_that_nobody_can_have_is_refused(driver: Driver, wanted: Any, connected: bool) -> None:
    await driver.load(sessions={"eip155": session()} if connected else {})
    await driver.request("wallet_requestPermissions", wanted)
    assert (await code(driver), (await driver.state(ShellState)).open) == (-32602, False)


async def test_taking_back_what_nobody_has_ends_no_connection(driver: Driver) -> None:
    await driver.connect()
    await driver.request("wallet_revokePermissions", [{"eth_foo": {}}])
    assert (await code(driver), await driver.commands("wallet.disconnect")) == (-32602, [])
