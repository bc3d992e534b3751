"""Requests of the embedded wallet's owner whose fee somebody else pays: worked out, signed in the frame, on record, told the host."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from eth_account import Account

from tests.driver import ADDRESS, OTHER, Driver
from tests.features.conftest import Configure
from tests.features.embedded_stage import connected, secure_site
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors.operations import PaymasterRefusedError, SponsorshipError
from walletmodal.core.smart_accounts import delegator
from walletmodal.core.smart_accounts.user_operation import UserOperation, read_user_operation
from walletmodal.deployment import Deployment
from walletmodal.features.requests.operations import WRONG_SIGNATURE, OperationsState
from walletmodal.operation_watch import read_signed
from walletmodal.services.smart_accounts.operations import OperationRequest, PreparedOperation

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("paid"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
STRANGER = "0x" + "11" * 32
PAYMASTER = "0x777777777777AeC03fd955926DbF81597e66834C"
CALLS = [{"to": OTHER, "value": "0x1"}, {"to": OTHER, "data": "0x1234"}]
SIGN = "walletmodal_signUserOperation"


class Preparing:
    """Works operations out without a chain; says what it was asked, and refuses where it is told to."""

    def __init__(self) -> None:
        self.asked: list[OperationRequest] = []
        self.refusal: Exception | None = None

    async def prepare(self, request: OperationRequest) -> PreparedOperation:
        """As `UserOperations.prepare`."""
        self.asked.append(request)
        if self.refusal is not None:
            raise self.refusal
        operation = UserOperation(
            sender=request.owner,
            nonce=7,
            call_data=delegator.execute_call_data(request.calls),
            call_gas_limit=100_000,
            verification_gas_limit=100_000,
            pre_verification_gas=50_000,
            max_fee_per_gas=10**9,
            max_priority_fee_per_gas=1,
            paymaster=PAYMASTER,
            paymaster_verification_gas_limit=50_000,
            paymaster_post_op_gas_limit=1,
            signature=b"",
        )
        number = request.chain.number
        return PreparedOperation(
            chain=request.chain,
            operation=operation,
            entry_point=delegator.ENTRY_POINT,
            hash=operation.hash(delegator.ENTRY_POINT, number),
            message=delegator.operation_message(operation, number),
            sponsor="Acme",
        )


@pytest.fixture
def paid(secure_site: None, configure: Configure) -> None:
    """A deployment that pays the fees of calls."""
    configure(
        BUNDLER_URL="eip155:1=http://127.0.0.1:9/bundler",
        PAYMASTER_URL="eip155:1=http://127.0.0.1:9/paymaster",
        SPONSOR_LIMITS="eip155:1=1|100",
    )


@pytest.fixture
def preparing(paid: None, deployed: Deployment, monkeypatch: pytest.MonkeyPatch) -> Preparing:
    """Who works operations out."""
    found = Preparing()

    async def height(_chain: ChainId) -> int:
        return 5

    monkeypatch.setattr(deployed.smart_accounts, "operations", found)
    monkeypatch.setattr(deployed.chains.adapter("eip155"), "height", height)
    return found


async def pay(driver: Driver, **fields: Any) -> None:
    """The host has calls made."""
    await driver.request("wallet_sendCalls", [{"version": "2.0.0", "calls": CALLS, **fields}])


async def question(driver: Driver) -> dict[str, Any]:
    """What the frame is asked."""
    (found,) = await driver.commands("wallet.request")
    params: dict[str, Any] = found["params"]
    return params


def signature(asked: dict[str, Any], key: str = KEY) -> dict[str, str]:
    """The frame's answer."""
    operation, _ = asked["params"]
    given = read_user_operation({**operation, "signature": "0x"})
    digest = delegator.operation_message(given, 1).digest
    signed = Account.unsafe_sign_hash(digest, key)
    return {"signature": signed.signature.to_0x_hex()}


async def answer(driver: Driver, **reply: Any) -> None:
    """The frame answers."""
    (command,) = await driver.commands("wallet.request")
    await driver.reply(command, **reply)


async def test_the_frame_is_asked_to_sign_what_the_host_wants(driver: Driver, preparing: Preparing) -> None:
    await connected(driver)
    await pay(driver)
    asked = await question(driver)
    assert (asked["method"], asked["params"][1]) == (SIGN, delegator.ENTRY_POINT)
    assert [(call.to, call.value, call.data) for call in preparing.asked[0].calls] == [
        (OTHER, 1, b""),
        (OTHER, 0, b"\x12\x34"),
    ]


async def test_the_host_hears_the_operations_hash_once_it_is_on_record(
    driver: Driver, preparing: Preparing, deployed: Deployment
) -> None:
    await connected(driver)
    await pay(driver)
    asked = await question(driver)
    await answer(driver, value=signature(asked))
    bundle = (await driver.answer("request"))["value"]["id"]
    known = await deployed.requests.of_operation(ADDRESS, bundle)
    assert known is not None
    assert (known.status, known.entry_point, known.height) == ("sent", delegator.ENTRY_POINT, 5)
    assert read_signed(known.signed).hash(delegator.ENTRY_POINT, 1) == bytes.fromhex(bundle[2:])


@pytest.mark.parametrize(
    "value",
    [None, {}, {"signature": "0x12"}, {"signature": 5}, {"signature": "0x" + "00" * 65, "eip7702Auth": {}}],
)
async def test_an_answer_that_is_no_signature_sends_nothing(
    driver: Driver, preparing: Preparing, deployed: Deployment, value: Any
) -> None:
    await connected(driver)
    await pay(driver)
    await answer(driver, value=value)
    assert (await driver.answer("request"))["error"]["message"] == WRONG_SIGNATURE
    assert await statuses(deployed) == ["declined"]


async def test_another_keys_signature_sends_nothing(driver: Driver, preparing: Preparing, deployed: Deployment) -> None:
    await connected(driver)
    await pay(driver)
    await answer(driver, value=signature(await question(driver), STRANGER))
    assert (await driver.answer("request"))["error"]["message"] == WRONG_SIGNATURE
    assert await statuses(deployed) == ["declined"]


async def test_who_declines_is_on_record_and_the_host_hears_it(
    driver: Driver, preparing: Preparing, deployed: Deployment
) -> None:
    await connected(driver)
    await pay(driver)
    await answer(driver, code=4001, message="User rejected the request")
    assert (await driver.answer("request"))["error"]["code"] == 4001
    assert await statuses(deployed) == ["declined"]


async def statuses(deployed: Deployment) -> list[str]:
    """What became of the entries on record."""
    return [one.status for one in await deployed.requests.changed_since(datetime.fromtimestamp(0, UTC))]


async def test_where_nobody_pays_the_visitor_may(driver: Driver, preparing: Preparing) -> None:
    preparing.refusal = SponsorshipError("the limit of the day is reached")
    await connected(driver)
    await pay(driver)
    asked = await question(driver)
    assert asked["method"] == "wallet_sendCalls"
    assert "The fee is not paid for you here. You can pay it yourself." in asked["hint"]["lines"]


@pytest.mark.parametrize(("optional", "method"), [(True, "wallet_sendCalls"), (False, "")])
async def test_a_page_that_insists_on_its_paymaster_gets_its_refusal(
    driver: Driver, preparing: Preparing, *, optional: bool, method: str
) -> None:
    preparing.refusal = PaymasterRefusedError("no")
    await connected(driver)
    service = {"url": "https://paymaster.example/rpc", "optional": optional}
    await pay(driver, capabilities={"paymasterService": service})
    commands = await driver.commands("wallet.request")
    assert [one["params"]["method"] for one in commands] == ([method] if method else [])
    if not method:
        assert (await driver.answer("request"))["ok"] is False


async def test_a_request_that_is_said_twice_is_worked_out_once(driver: Driver, preparing: Preparing) -> None:
    await connected(driver)
    await pay(driver)
    await pay(driver)
    assert (len(preparing.asked), len(await driver.commands("wallet.request"))) == (1, 1)


async def test_one_transaction_is_the_accounts_own(driver: Driver, preparing: Preparing) -> None:
    await connected(driver)
    await driver.request("eth_sendTransaction", [{"from": ADDRESS, "to": OTHER, "value": "0x1"}])
    assert ((await question(driver))["method"], preparing.asked) == ("eth_sendTransaction", [])


async def test_nobody_works_out_what_no_host_has_asked(driver: Driver, preparing: Preparing) -> None:
    await connected(driver)
    await driver.fire(OperationsState.prepare("request"))
    await driver.fire(OperationsState.tell("request"))
    assert (preparing.asked, await driver.commands("wallet.request")) == ([], [])
