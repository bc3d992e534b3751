"""What is promised for an operation is what is shown and signed, whatever bundler and paymaster answer besides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import MalformedResponseError
from walletmodal.core.errors.operations import AccountRejectedError, PaymasterTermsError, SponsorshipError
from walletmodal.core.smart_accounts import delegator
from walletmodal.core.smart_accounts.account_state import AccountState, StateKind
from walletmodal.core.smart_accounts.answers import MAX_GAS
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.contracts import STATELESS_DELEGATOR
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.services.smart_accounts.bundler import Bundler
from walletmodal.services.smart_accounts.operations import OperationRequest, Payer, PreparedOperation, UserOperations
from walletmodal.services.smart_accounts.paymaster import Paymaster

CHAIN = parse_chain_id("eip155:1")
ME, BOB = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
PAYS = "0x888888888888Ec68A58AB8094Cc1AD20Ba3D2402"
CALL = AccountCall(BOB, 5, b"\x12\x34")
GWEI = 10**9
PRICE = {"maxFeePerGas": hex(2 * GWEI), "maxPriorityFeePerGas": hex(GWEI)}
GAS = {"preVerificationGas": "0x1", "verificationGasLimit": "0x2", "callGasLimit": "0x3"}
STUB = {
    "paymaster": PAYS,
    "paymasterData": "0x0000",
    "paymasterVerificationGasLimit": "0x4",
    "paymasterPostOpGasLimit": "0x5",
}
FINAL = {"paymaster": PAYS, "paymasterData": "0x1234"}
OTHERS = {
    "sender": BOB,
    "nonce": "0x9",
    "callData": "0x99",
    "maxFeePerGas": hex(999 * GWEI),
    "maxPriorityFeePerGas": hex(999 * GWEI),
    "factory": BOB,
    "factoryData": "0x99",
    "eip7702Auth": {"address": BOB},
}
"""What some services answer with, of which the account's own word alone counts."""


class Node:
    """Of a network whose base fee is a gwei."""

    async def request(self, method: str, _params: object = ()) -> object:
        return {"baseFeePerGas": hex(GWEI)} if method == "eth_getBlockByNumber" else hex(GWEI)


class Networks:
    """An account that is a smart account already."""

    kind: StateKind = "delegated"

    async def state(self, *_asked: object) -> AccountState:
        return AccountState(self.kind, STATELESS_DELEGATOR)

    async def operation_nonce(self, *_asked: object) -> int:
        return 7


class Stage:
    """What bundler and paymaster answer, and what the operator has promised for."""

    def __init__(self) -> None:
        self.estimate: dict[str, Any] = dict(GAS)
        self.stub: dict[str, Any] = dict(STUB)
        self.final: dict[str, Any] = dict(FINAL)
        self.limit = 10**18
        self.promised = list[UserOperation]()
        self.asked = list[str]()
        self.networks: Any = Networks()

    async def request(self, method: str, _params: object = ()) -> object:
        self.asked.append(method)
        return {
            "pimlico_getUserOperationGasPrice": PRICE,
            "eth_estimateUserOperationGas": self.estimate,
            "pm_getPaymasterStubData": self.stub,
            "pm_getPaymasterData": self.final,
        }[method]

    async def promise(self, operation: UserOperation) -> None:
        if operation.max_cost > self.limit:
            raise SponsorshipError("the limit of the day is reached")
        self.promised.append(operation)

    async def prepare(self) -> PreparedOperation:
        own: Any = self
        operations = UserOperations(Bundler(lambda _chain: own, lambda _chain: Node()), self.networks)
        payer = Payer(Paymaster(own, CHAIN), {}, authorize=self.promise)
        return await operations.prepare(OperationRequest(CHAIN, "delegator", ME, (CALL,), payer))


@pytest.fixture
def stage() -> Stage:
    return Stage()


@pytest.mark.parametrize("whose", ["estimate", "stub", "final"])
async def test_an_answer_changes_nothing_of_what_was_promised(stage: Stage, whose: str) -> None:
    getattr(stage, whose).update(OTHERS)
    found = (await stage.prepare()).operation
    assert (found.sender, found.nonce, found.factory, found.max_fee_per_gas) == (ME, 7, "", 2 * GWEI)
    assert found.call_data == delegator.execute_call_data((CALL,))
    assert [replace(one, paymaster_data=b"\x12\x34", signature=b"") for one in stage.promised] == [found]


@pytest.mark.parametrize(
    "dearer",
    [
        {"paymaster": BOB},
        {"paymasterData": "0x123456"},
        {"paymasterVerificationGasLimit": "0x5"},
        {"paymasterPostOpGasLimit": "0x6"},
    ],
    ids=["another contract", "longer data", "more gas to verify", "more gas afterwards"],
)
async def test_a_paymaster_that_wants_more_than_it_has_promised_is_refused(
    stage: Stage, dearer: dict[str, str]
) -> None:
    stage.final.update(dearer)
    with pytest.raises(PaymasterTermsError):
        await stage.prepare()


@pytest.mark.parametrize("field", list(GAS))
async def test_gas_that_a_bundler_inflates_counts_before_a_paymaster_signs(stage: Stage, field: str) -> None:
    stage.estimate[field] = hex(MAX_GAS)
    stage.limit = MAX_GAS * GWEI
    with pytest.raises(SponsorshipError):
        await stage.prepare()
    assert "pm_getPaymasterData" not in stage.asked


@pytest.mark.parametrize("field", [*GAS, "paymasterVerificationGasLimit", "paymasterPostOpGasLimit"])
async def test_gas_that_no_transaction_has_is_promised_to_nobody(stage: Stage, field: str) -> None:
    stage.estimate[field] = hex(MAX_GAS + 1)
    with pytest.raises(MalformedResponseError):
        await stage.prepare()
    assert stage.promised == []


async def test_for_an_account_that_is_another_contract_nothing_is_worked_out(stage: Stage) -> None:
    stage.networks.kind = "contract"
    with pytest.raises(AccountRejectedError):
        await stage.prepare()
    assert stage.asked == []
