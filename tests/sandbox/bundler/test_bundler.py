"""What the bundler refuses, with which code, and what it answers about operations."""

from dataclasses import replace
from typing import Any

import httpx
import pytest
import pytest_asyncio
from eth_account import Account

from tests.sandbox.bundler.accounts import Delegator, Simple7702, authorize
from tests.sandbox.bundler.stage import CHAIN, RpcError, Stage
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7, STATELESS_DELEGATOR
from walletmodal.sandbox.bundler.simulation import HANDLE_OPS
from walletmodal.sandbox.evm.artifacts import call_data
from walletmodal.sandbox.evm.smart_accounts import BUNDLER
from walletmodal.sandbox.evm.world import worlds

pytestmark = pytest.mark.asyncio(loop_scope="session")

STRANGER = "0x7777777777777777777777777777777777777777"
GIFT = AccountCall(STRANGER, 5)
UNKNOWN = "0x" + "ab" * 32


@pytest_asyncio.fixture(loop_scope="session")
async def account(stage: Stage) -> Delegator:
    """An account that has made its first operation."""
    made = Delegator(Account.create())
    await stage.give(made.address, 10**18)
    await stage.send(made, await stage.prepare(made, GIFT))
    return made


async def refused(stage: Stage, method: str, *params: object) -> RpcError:
    with pytest.raises(RpcError) as caught:
        await stage.bundler(method, *params)
    return caught.value


async def test_the_bundler_names_chain_and_entry_points(stage: Stage) -> None:
    assert await stage.bundler("eth_chainId") == "0x1"
    points = await stage.bundler("eth_supportedEntryPoints")
    assert points == ["0x0000000071727De22E5E9d8BAf0edAc6f37da032", "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108"]


async def test_another_entry_point_is_refused(stage: Stage, account: Delegator) -> None:
    operation = (await stage.prepare(account, GIFT)).to_json()
    of_0_6 = "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789"
    for method in ("eth_estimateUserOperationGas", "eth_sendUserOperation"):
        assert (await refused(stage, method, operation, of_0_6)).code == -32602


@pytest.mark.parametrize(
    "changes",
    [{"sender": "0x12"}, {"nonce": 1}, {"callData": "0x1"}, {"extra": "0x"}, {"callGasLimit": hex(2**128)}],
    ids=["sender", "nonce", "callData", "extra", "callGasLimit"],
)
async def test_an_operation_that_cannot_be_read_is_refused_with_its_field(
    stage: Stage, account: Delegator, changes: dict[str, Any]
) -> None:
    operation = account.operation([GIFT], 1).to_json() | changes
    error = await refused(stage, "eth_sendUserOperation", operation, ENTRY_POINT_0_7)
    assert error.code == -32602
    assert next(iter(changes)) in str(error)


@pytest.mark.parametrize("params", [[], [None], ["0x"], [{}, ENTRY_POINT_0_7]], ids=["none", "null", "text", "empty"])
@pytest.mark.parametrize("method", ["eth_estimateUserOperationGas", "eth_sendUserOperation"])
async def test_parameters_that_are_none_are_refused(stage: Stage, method: str, params: list[object]) -> None:
    assert (await refused(stage, method, *params)).code == -32602


async def test_a_method_of_the_node_is_not_the_bundlers(stage: Stage) -> None:
    assert (await refused(stage, "eth_blockNumber")).code == -32601


async def test_a_signature_of_another_key_is_refused(stage: Stage, account: Delegator) -> None:
    operation = await stage.prepare(account, GIFT)
    forged = Delegator(Account.create()).sign(operation)
    error = await refused(stage, "eth_sendUserOperation", forged.to_json(), ENTRY_POINT_0_7)
    assert (error.code, str(error)[:4]) == (-32507, "AA24")


async def test_an_operation_that_was_changed_after_signing_is_refused(stage: Stage, account: Delegator) -> None:
    signed = account.sign(await stage.prepare(account, GIFT))
    changed = replace(signed, call_gas_limit=signed.call_gas_limit + 1)
    assert (await refused(stage, "eth_sendUserOperation", changed.to_json(), ENTRY_POINT_0_7)).code == -32507


async def test_a_nonce_that_was_used_is_refused(stage: Stage, account: Delegator) -> None:
    used = replace(await stage.prepare(account, GIFT), nonce=0)
    error = await refused(stage, "eth_sendUserOperation", account.sign(used).to_json(), ENTRY_POINT_0_7)
    assert (error.code, str(error)[:4]) == (-32500, "AA25")


async def test_an_account_that_cannot_pay_is_refused(stage: Stage, account: Delegator) -> None:
    operation = account.sign(await stage.prepare(account, GIFT))
    await stage.node("anvil_setBalance", account.address, "0x5")
    error = await refused(stage, "eth_sendUserOperation", operation.to_json(), ENTRY_POINT_0_7)
    assert (error.code, str(error)[:4]) == (-32500, "AA21")


async def test_an_account_that_is_none_is_refused(stage: Stage) -> None:
    nobody = Delegator(Account.create())
    operation = nobody.operation([GIFT], 1).to_json()
    error = await refused(stage, "eth_estimateUserOperationGas", operation, ENTRY_POINT_0_7)
    assert (error.code, str(error)[:4]) == (-32500, "AA20")


async def test_a_price_below_the_base_fee_is_refused(stage: Stage, account: Delegator) -> None:
    cheap = replace(await stage.prepare(account, GIFT), max_fee_per_gas=1, max_priority_fee_per_gas=1)
    error = await refused(stage, "eth_sendUserOperation", account.sign(cheap).to_json(), ENTRY_POINT_0_7)
    assert (error.code, "maxFeePerGas" in str(error)) == (-32602, True)


async def test_more_gas_than_a_transaction_has_is_refused(stage: Stage, account: Delegator) -> None:
    greedy = replace(await stage.prepare(account, GIFT), call_gas_limit=20_000_000)
    assert (
        await refused(stage, "eth_sendUserOperation", account.sign(greedy).to_json(), ENTRY_POINT_0_7)
    ).code == -32602


@pytest.mark.parametrize(
    ("nonce", "chain_id", "by_another", "words"),
    [(0, 137, False, "chain"), (7, 1, False, "nonce"), (0, 1, True, "signed")],
    ids=["chain", "nonce", "key"],
)
async def test_an_authorization_that_would_not_hold_is_refused(
    stage: Stage, nonce: int, chain_id: int, by_another: bool, words: str
) -> None:
    key: Any = Account.create()
    account = Delegator(key)
    await stage.give(account.address, 10**18)
    operation = account.sign(await stage.prepare(account, GIFT))
    signer = Account.create() if by_another else key
    wrong = replace(operation, authorization=authorize(signer, STATELESS_DELEGATOR, nonce, chain_id))
    error = await refused(stage, "eth_sendUserOperation", wrong.to_json(), ENTRY_POINT_0_7)
    assert (error.code, words in str(error)) == (-32602, True)


async def test_a_reverting_call_with_limits_of_its_own_is_mined_and_tells_why(stage: Stage, account: Delegator) -> None:
    dollar = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
    transfer = AccountCall(dollar, 0, call_data("transfer(address,uint256)", STRANGER, 1))
    sized = await stage.prepare(account, GIFT)
    failing = replace(
        account.operation([transfer], 1),
        **{
            name: getattr(sized, name)
            for name in (
                "verification_gas_limit",
                "pre_verification_gas",
                "max_fee_per_gas",
                "max_priority_fee_per_gas",
            )
        },
    )
    receipt = await stage.send(account, replace(failing, call_gas_limit=200_000, pre_verification_gas=100_000))
    assert receipt["success"] is False
    assert "balance" in receipt["reason"]


async def test_an_estimate_is_enough_and_not_much_more(stage: Stage, account: Delegator) -> None:
    operation = await stage.prepare(account, GIFT)
    receipt = await stage.send(account, operation)
    assert receipt["success"] is True
    assert operation.gas * 6 // 10 < int(receipt["actualGasUsed"], 16) <= operation.gas


async def test_a_mined_operation_is_found_with_its_bundle(stage: Stage, account: Delegator) -> None:
    signed = account.sign(await stage.prepare(account, GIFT))
    sent = await stage.bundler("eth_sendUserOperation", signed.to_json(), ENTRY_POINT_0_7)
    receipt = await stage.receipt(sent)
    found = await stage.bundler("eth_getUserOperationByHash", sent)
    assert found["userOperation"] == signed.to_json()
    assert found["entryPoint"] == ENTRY_POINT_0_7
    assert found["transactionHash"] == receipt["receipt"]["transactionHash"]
    assert found["blockNumber"] == receipt["receipt"]["blockNumber"]
    assert receipt["receipt"]["from"] == BUNDLER.lower()


async def test_operations_of_somebody_elses_bundle_are_told_apart(stage: Stage, account: Delegator) -> None:
    other = Delegator(Account.create())
    await stage.give(other.address, 10**18)
    await stage.send(other, await stage.prepare(other, GIFT))
    dollar = worlds()[CHAIN].dollar
    approvals = [
        AccountCall(dollar.address, 0, call_data("approve(address,uint256)", STRANGER, amount)) for amount in (7, 8)
    ]
    signed = [
        one.sign(await stage.prepare(one, approval)) for one, approval in zip((account, other), approvals, strict=True)
    ]
    bundler = worlds()[CHAIN].accounts[3]
    data = call_data(HANDLE_OPS, [one.pack().values for one in signed], bundler)
    await stage.mined("eth_sendTransaction", {"from": bundler, "to": ENTRY_POINT_0_7, "data": "0x" + data.hex()})
    hashes = ["0x" + one.hash(ENTRY_POINT_0_7, 1).hex() for one in signed]
    receipts = [await stage.receipt(one) for one in hashes]
    assert [[int(log["data"], 16) for log in one["logs"]] for one in receipts] == [[7], [8]]
    found = [await stage.bundler("eth_getUserOperationByHash", one) for one in hashes]
    assert [one["userOperation"] for one in found] == [one.to_json() for one in signed]


async def test_an_estimate_takes_overrides_of_the_state(stage: Stage) -> None:
    account = Delegator(Account.create())
    operation = replace(account.operation([GIFT], 0), authorization=None).to_json()
    delegated = {account.address.lower(): {"code": "0xef0100" + STATELESS_DELEGATOR[2:]}}
    limits = await stage.bundler("eth_estimateUserOperationGas", operation, ENTRY_POINT_0_7, delegated)
    assert int(limits["callGasLimit"], 16) > 9_000


async def test_overrides_that_are_none_are_refused(stage: Stage, account: Delegator) -> None:
    operation = account.operation([GIFT], 1).to_json()
    for wrong in (["0x"], {STRANGER: "0x"}, {"nobody": {"balance": "0x1"}}):
        error = await refused(stage, "eth_estimateUserOperationGas", operation, ENTRY_POINT_0_7, wrong)
        assert error.code == -32602


@pytest.mark.parametrize("method", ["eth_getUserOperationByHash", "eth_getUserOperationReceipt"])
async def test_of_an_operation_that_nobody_sent_nothing_is_known(stage: Stage, method: str) -> None:
    assert await stage.bundler(method, UNKNOWN) is None
    assert (await refused(stage, method, "0x12")).code == -32602


async def test_what_waits_is_known_and_not_sent_twice(stage: Stage, account: Delegator) -> None:
    signed = account.sign(await stage.prepare(account, GIFT))
    another = account.sign(replace(await stage.prepare(account, AccountCall(STRANGER, 6)), nonce=signed.nonce))
    await stage.node("evm_setAutomine", False)
    sent = await stage.bundler("eth_sendUserOperation", signed.to_json(), ENTRY_POINT_0_7)
    assert await stage.bundler("eth_sendUserOperation", signed.to_json(), ENTRY_POINT_0_7) == sent
    assert (await refused(stage, "eth_sendUserOperation", another.to_json(), ENTRY_POINT_0_7)).code == -32602
    waiting = await stage.bundler("eth_getUserOperationByHash", sent)
    assert (waiting["userOperation"], waiting["blockNumber"]) == (signed.to_json(), None)
    assert await stage.bundler("eth_getUserOperationReceipt", sent) is None
    await stage.node("evm_mine")
    assert (await stage.receipt(sent))["success"] is True


async def test_an_account_whose_delegation_was_taken_back_is_none(stage: Stage) -> None:
    account = Simple7702(Account.create())
    await stage.give(account.address, 10**18)
    await stage.send(account, await stage.prepare(account, GIFT))
    nobody = "0x" + "0" * 40
    signed = Account.sign_transaction(
        {
            "chainId": 1,
            "nonce": 1,
            "to": account.address,
            "gas": 100_000,
            "maxFeePerGas": 10**11,
            "maxPriorityFeePerGas": 10**9,
            "authorizationList": [account.key.sign_authorization({"chainId": 1, "address": nobody, "nonce": 2})],
        },
        account.key.key,
    ).raw_transaction
    await stage.mined("eth_sendRawTransaction", "0x" + bytes(signed).hex())
    operation = account.operation([GIFT], 1).to_json()
    error = await refused(stage, "eth_estimateUserOperationGas", operation, account.entry_point)
    assert (error.code, str(error)[:4]) == (-32500, "AA20")


async def test_a_batch_of_requests_is_answered_one_by_one(http: httpx.AsyncClient) -> None:
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"},
        {"jsonrpc": "2.0", "id": 2, "method": "eth_nothing"},
    ]
    told = (await http.post("/bundler/eip155:137", json=asked)).json()
    assert (told[0]["result"], told[1]["error"]["code"]) == ("0x89", -32601)


async def test_a_chain_that_does_not_run_is_refused(http: httpx.AsyncClient) -> None:
    answer = await http.post("/bundler/eip155:5", json={"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"})
    assert answer.status_code == 404


async def test_a_fault_strikes_one_method_and_answers_under_the_id_of_the_request(http: httpx.AsyncClient) -> None:
    lie = {"jsonrpc": "2.0", "result": UNKNOWN}
    fault = {"service": "bundler", "method": "eth_sendUserOperation", "body": lie, "times": 1}
    (await http.post("/sandbox/faults", json=fault)).raise_for_status()
    asked = {"jsonrpc": "2.0", "id": 41, "method": "eth_chainId"}
    assert (await http.post("/bundler/eip155:1", json=asked)).json()["result"] == "0x1"
    struck = await http.post("/bundler/eip155:1", json={**asked, "method": "eth_sendUserOperation"})
    assert struck.json() == {"jsonrpc": "2.0", "id": 41, "result": UNKNOWN}
    logged = (await http.get("/sandbox/requests?service=bundler")).json()
    assert [one["body"]["method"] for one in logged] == ["eth_chainId", "eth_sendUserOperation"]
    assert logged[0]["path"] == "/eip155:1"


async def test_the_public_services_route_has_bundler_and_paymaster_under_one_name(http: httpx.AsyncClient) -> None:
    async def ask(method: str, provider: str = "pimlico") -> httpx.Response:
        query = {"chainId": "eip155:137", "projectId": "test", "bundler": provider}
        asked = {"jsonrpc": "2.0", "id": 1, "method": method}
        return await http.post("/blockchain/v1/bundler", params=query, json=asked)

    prices = (await ask("pimlico_getUserOperationGasPrice")).json()["result"]
    assert int(prices["fast"]["maxFeePerGas"], 16) > 10**9
    assert (await ask("pm_getPaymasterData")).json()["error"]["code"] == -32602
    assert (await ask("eth_supportedEntryPoints")).json()["error"]["code"] == -32601
    assert (await ask("eth_sendUserOperation", "https://bundler.example")).status_code == 400
