"""Smart accounts end to end: both kinds, on the real chain, through bundler and paymaster."""

import contextlib
from dataclasses import replace
from typing import Any

import pytest
from eth_abi.abi import decode
from eth_utils.crypto import keccak

from tests.services.smart_account_stage import (
    BOB,
    ETHER,
    MADE,
    MAINNET,
    PAID,
    PLAIN,
    Stage,
    account_of,
    changed,
    fresh_key,
    lie,
    own_transaction,
    running_sandbox,
    send_authorized,
    sign_authorization,
    sign_digest,
    signed,
    stage,
    to_bob,
    token_of,
    usdc,
)
from walletmodal.core.decoding.inner_calls import calls_within
from walletmodal.core.errors.operations import (
    OperationError,
    OperationFieldsError,
    OperationFundsError,
    OperationNonceError,
    OperationRevertedError,
    PaymasterDepositError,
    PaymasterRefusedError,
    PaymasterTermsError,
    SponsorshipError,
)
from walletmodal.core.smart_accounts import delegator, safe
from walletmodal.core.smart_accounts.account_state import AccountState, Implementation
from walletmodal.core.smart_accounts.authorization import NOBODY, Authorization
from walletmodal.core.smart_accounts.call_encoding import AccountCall, encode_call
from walletmodal.core.smart_accounts.contracts import (
    ENTRY_POINT_0_7,
    ENTRY_POINT_0_8,
    SAFE_PROXY_FACTORY,
    STATELESS_DELEGATOR,
)
from walletmodal.core.smart_accounts.user_operation import DELEGATED, PACKED_TYPE, UserOperation
from walletmodal.sandbox.evm.smart_accounts import SIMPLE_7702_ACCOUNT
from walletmodal.services.chains.eip155.signatures import EvmSignatures
from walletmodal.services.smart_accounts.operations import OperationRequest, Payer

__all__ = ["running_sandbox", "stage"]

pytestmark = pytest.mark.asyncio(loop_scope="session")

KINDS: list[Implementation] = ["delegator", "safe"]


@pytest.mark.parametrize("kind", KINDS)
async def test_the_first_batch_of_an_account_makes_it(stage: Stage, kind: Implementation) -> None:
    key, before = fresh_key(), await stage.balance(BOB)
    await stage.fund(account_of(kind, key), ETHER)
    request = OperationRequest(MAINNET, kind, key.address, (to_bob(1), to_bob(2)))
    assert (await stage.make(request, key)).success
    assert await stage.balance(BOB) == before + 3
    assert (await stage.networks.state(MAINNET, kind, key.address)).is_deployed


async def test_an_accounts_own_execute_within_a_batch_makes_its_calls(stage: Stage) -> None:
    """So the calls of both are told in one list."""
    key, before = fresh_key(), await stage.balance(BOB)
    await stage.fund(key.address, ETHER)
    own = AccountCall(key.address, 0, delegator.execute_call_data((to_bob(2), to_bob(4))))
    assert (await stage.make(OperationRequest(MAINNET, "delegator", key.address, (to_bob(1), own)), key)).success
    assert await stage.balance(BOB) == before + 7


async def test_a_safes_list_of_1_4_calls_the_zero_address_where_a_call_is_for_it(stage: Stage) -> None:
    """Another version would have the Safe itself called there, so lists of this one alone are opened with such a call."""
    key, payer = fresh_key(), Payer(stage.paymaster, {})
    await stage.fund(account_of("safe", key), 10)
    burnt = AccountCall(NOBODY, 3, delegator.execute_call_data((to_bob(),)))
    assert (await stage.make(OperationRequest(MAINNET, "safe", key.address, (to_bob(1), burnt), payer), key)).success
    # Coins that the Safe had sent itself would still be there.
    assert await stage.balance(account_of("safe", key)) == 10 - 1 - 3


@pytest.mark.parametrize("kind", KINDS)
async def test_an_account_that_is_there_sends_again(stage: Stage, kind: Implementation) -> None:
    key = fresh_key()
    await stage.fund(account_of(kind, key), ETHER)
    request = OperationRequest(MAINNET, kind, key.address, (to_bob(),))
    outcomes = [await stage.make(request, key) for _ in range(2)]
    assert [one.success for one in outcomes] == [True, True]


@pytest.mark.parametrize("kind", KINDS)
async def test_what_was_shown_is_the_most_that_is_paid(stage: Stage, kind: Implementation) -> None:
    key = fresh_key()
    await stage.fund(account_of(kind, key), ETHER)
    request = OperationRequest(MAINNET, kind, key.address, (to_bob(),))
    prepared, height = await stage.operations.prepare(request), await stage.height()
    await stage.send(prepared, signed(prepared, request, key))
    outcome = await stage.outcome(prepared, height)
    assert 0 < outcome.cost <= prepared.operation.max_cost


@pytest.mark.parametrize("kind", KINDS)
async def test_a_sponsored_account_pays_nothing(stage: Stage, kind: Implementation) -> None:
    key = fresh_key()
    await stage.fund(account_of(kind, key), 1)
    request = OperationRequest(MAINNET, kind, key.address, (to_bob(1),), Payer(stage.paymaster, {}))
    assert (await stage.make(request, key)).success
    assert await stage.balance(account_of(kind, key)) == 0


async def test_an_account_without_coins_becomes_one_and_does_nothing_else(stage: Stage) -> None:
    key = fresh_key()
    request = OperationRequest(
        MAINNET, "delegator", key.address, (AccountCall(key.address, 0, b""),), Payer(stage.paymaster, {})
    )
    assert (await stage.make(request, key)).success
    assert (await stage.networks.state(MAINNET, "delegator", key.address)).kind == "delegated"


@pytest.mark.parametrize("kind", KINDS)
async def test_the_fee_in_a_token_is_at_most_what_was_shown(stage: Stage, kind: Implementation) -> None:
    key, token, given_ = fresh_key(), usdc(), 10**9
    account = account_of(kind, key)
    await stage.fund(account, given_, token)
    transfer = AccountCall(token, 0, encode_call("transfer(address,uint256)", BOB, 5))
    request = OperationRequest(MAINNET, kind, key.address, (transfer,), Payer(stage.paymaster, {"token": token}, token))
    prepared, height = await stage.operations.prepare(request), await stage.height()
    await stage.send(prepared, signed(prepared, request, key))
    assert (await stage.outcome(prepared, height)).success
    assert 0 < given_ - 5 - await stage.balance(account, token) <= prepared.token_most


@pytest.mark.parametrize("kind", KINDS)
async def test_a_paymaster_may_take_no_more_of_a_token_than_was_shown(stage: Stage, kind: Implementation) -> None:
    key, token = fresh_key(), usdc()
    await stage.fund(account_of(kind, key), 10**9, token)
    request = OperationRequest(
        MAINNET, kind, key.address, (to_bob(0),), Payer(stage.paymaster, {"token": token}, token)
    )
    prepared = await stage.operations.prepare(request)
    calls = calls_within(prepared.operation.sender, prepared.operation.call_data)
    first = next(call for outer in calls for call in outer.all if call.to == token)
    assert (first.function.name, first.function.receiver) == ("approve", prepared.operation.paymaster)
    assert first.function.amount == prepared.token_most > 0


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (0, bytes([0b1])),
        (1, bytes([0b1])),
        (2, (1).to_bytes(6, "big")),
        (8, (2**47).to_bytes(6, "big")),
        (14, bytes.fromhex(BOB[2:])),
        (50, (2**127).to_bytes(32, "big")),
        (98, bytes.fromhex(BOB[2:])),
    ],
    ids=[
        "nothing taken",
        "a fixed fee",
        "over already",
        "not yet",
        "another token",
        "a higher price",
        "another treasury",
    ],
)
async def test_a_paymaster_that_takes_something_else_than_it_has_quoted_is_refused(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, at: int, value: bytes
) -> None:
    key, token = fresh_key(), usdc()
    await stage.fund(account_of("delegator", key), 10**9, token)
    paymaster = stage.paymaster

    def altered(answer: dict[str, Any]) -> dict[str, Any]:
        return {**answer, "paymasterData": changed(answer["paymasterData"], at, value)}

    lie(monkeypatch, paymaster, "pm_getPaymasterData", altered)
    with pytest.raises(PaymasterTermsError):
        await stage.operations.prepare(
            OperationRequest(MAINNET, "delegator", key.address, (to_bob(0),), Payer(paymaster, {"token": token}, token))
        )


@pytest.mark.parametrize("rate", [2**256 - 1, 10**45], ids=["of no number that a contract takes", "of no fee"])
async def test_a_price_at_which_everything_is_taken_is_refused(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, rate: int
) -> None:
    key, paymaster, token = fresh_key(), stage.paymaster, usdc()
    await stage.fund(account_of("delegator", key), 10**9, token)

    def altered(answer: dict[str, Any]) -> dict[str, Any]:
        return {**answer, "quotes": [{**quote, "exchangeRate": hex(rate)} for quote in answer["quotes"]]}

    lie(monkeypatch, paymaster, "pimlico_getTokenQuotes", altered)
    payer = Payer(paymaster, {"token": token}, token)
    with pytest.raises(PaymasterTermsError):
        await stage.operations.prepare(OperationRequest(MAINNET, "delegator", key.address, (to_bob(0),), payer))


async def test_a_token_that_gives_no_allowance_over_another_one_pays_a_second_fee(stage: Stage) -> None:
    key, token = fresh_key(), token_of("USDT")
    await stage.fund(account_of("delegator", key), 10**9, token)
    payer = Payer(stage.paymaster, {"token": token}, token)
    request = OperationRequest(MAINNET, "delegator", key.address, (to_bob(0),), payer)
    assert [(await stage.make(request, key)).success for _ in range(2)] == [True, True]


async def test_a_token_that_the_paymaster_does_not_take_pays_nothing(stage: Stage) -> None:
    payer = Payer(stage.paymaster, {"token": BOB}, BOB)
    with pytest.raises(PaymasterRefusedError):
        await stage.operations.prepare(OperationRequest(MAINNET, "delegator", fresh_key().address, (to_bob(0),), payer))


async def test_a_paymaster_that_is_drained_pays_for_nothing(stage: Stage) -> None:
    await stage.fault("paymaster", body={"jsonrpc": "2.0", "id": 1, "error": {"code": -32508, "message": "deposit"}})
    request = OperationRequest(MAINNET, "delegator", fresh_key().address, (to_bob(0),), Payer(stage.paymaster, {}))
    with pytest.raises(PaymasterDepositError):
        await stage.operations.prepare(request)


async def test_an_operation_whose_bundler_does_not_answer_is_found_on_the_chain(stage: Stage) -> None:
    key = fresh_key()
    await stage.fund(account_of("safe", key), ETHER)
    request = OperationRequest(MAINNET, "safe", key.address, (to_bob(),))
    prepared, height = await stage.operations.prepare(request), await stage.height()
    operation = signed(prepared, request, key)
    await stage.send(prepared, operation)
    # The visitor's second click, after the answer to the first one was lost.
    with contextlib.suppress(OperationError):
        await stage.send(prepared, operation)
    assert (await stage.outcome(prepared, height)).success
    assert await stage.networks.operation_nonce(MAINNET, operation.sender, prepared.entry_point) == 1


async def test_nobody_signs_for_a_paymaster_before_the_operator_pays(stage: Stage) -> None:
    key = fresh_key()

    async def refuse(operation: UserOperation) -> None:
        raise SponsorshipError(f"{operation.max_cost} is too much")

    payer = Payer(stage.paymaster, {}, authorize=refuse)
    with pytest.raises(SponsorshipError):
        await stage.operations.prepare(OperationRequest(MAINNET, "delegator", key.address, (to_bob(0),), payer))


@pytest.mark.parametrize("kind", KINDS)
async def test_of_a_batch_with_a_call_that_reverts_nothing_is_signed(stage: Stage, kind: Implementation) -> None:
    key = fresh_key()
    await stage.fund(account_of(kind, key), ETHER)
    reverts = AccountCall(usdc(), 0, encode_call("transfer(address,uint256)", BOB, 1))
    with pytest.raises(OperationRevertedError):
        await stage.operations.prepare(OperationRequest(MAINNET, kind, key.address, (to_bob(), reverts)))


async def test_an_account_without_the_coin_is_told_so(stage: Stage) -> None:
    key = fresh_key()
    request = OperationRequest(MAINNET, "safe", key.address, (to_bob(0),))
    prepared = await stage.operations.prepare(request)
    with pytest.raises(OperationFundsError):
        await stage.send(prepared, signed(prepared, request, key))


@pytest.mark.parametrize(
    ("kind", "used_before", "refusal"),
    [
        *[("safe", used, OperationNonceError) for used in (False, True)],
        ("delegator", True, OperationNonceError),
        # Its delegation has a place of its own, which is taken as well.
        ("delegator", False, OperationFieldsError),
    ],
)
async def test_the_second_of_two_tabs_is_told_that_something_was_sent_meanwhile(
    stage: Stage, kind: Implementation, used_before: bool, refusal: type[OperationError]
) -> None:
    key = fresh_key()
    await stage.fund(account_of(kind, key), ETHER)
    requests = [OperationRequest(MAINNET, kind, key.address, (to_bob(amount),)) for amount in (1, 2)]
    if used_before:
        await stage.make(requests[0], key)
    first, second = [await stage.operations.prepare(request) for request in requests]
    height = await stage.height()
    await stage.send(first, signed(first, requests[0], key))
    await stage.outcome(first, height)
    with pytest.raises(refusal):
        await stage.send(second, signed(second, requests[1], key))


async def test_an_authorization_for_another_network_is_not_sent(stage: Stage) -> None:
    key = fresh_key()
    await stage.fund(key.address, ETHER)
    request = OperationRequest(MAINNET, "delegator", key.address, (to_bob(1),))
    prepared = await stage.operations.prepare(request)
    assert prepared.authorization is not None
    elsewhere = sign_authorization(replace(prepared.authorization, chain_id=0), key)
    with pytest.raises(ValueError, match="another authorization"):
        prepared.signed(b"\1" * 65, elsewhere)


async def test_without_a_bundler_the_chain_says_what_became_of_an_operation(stage: Stage) -> None:
    key = fresh_key()
    await stage.fund(account_of("safe", key), ETHER)
    request = OperationRequest(MAINNET, "safe", key.address, (to_bob(),))
    prepared, height = await stage.operations.prepare(request), await stage.height()
    await stage.send(prepared, signed(prepared, request, key))
    await stage.outcome(prepared, height)
    await stage.fault("bundler", status=400)
    assert (await stage.outcome(prepared, height)).success


async def test_an_account_is_taken_back_by_its_own_transaction(stage: Stage) -> None:
    key = fresh_key()
    await stage.fund(key.address, ETHER)
    request = OperationRequest(MAINNET, "delegator", key.address, (to_bob(),))
    await stage.make(request, key)
    assert await stage.networks.state(MAINNET, "delegator", key.address) == AccountState(
        "delegated", STATELESS_DELEGATOR
    )
    await own_transaction(stage, key, b"", take_back=True)
    assert await stage.networks.state(MAINNET, "delegator", key.address) == AccountState("plain")


async def test_the_first_batch_needs_no_bundler(stage: Stage) -> None:
    key, before = fresh_key(), await stage.balance(BOB)
    await stage.fund(key.address, ETHER)
    await own_transaction(stage, key, delegator.execute_call_data((to_bob(1), to_bob(2))), take_back=False)
    assert await stage.balance(BOB) == before + 3


async def test_a_foreign_delegation_is_replaced_by_one_that_the_owner_signs(stage: Stage) -> None:
    """The frame names the contract that is replaced, and asks (secure/web/tests/smart_account.test.ts)."""
    key = fresh_key()
    await stage.fund(key.address, ETHER)
    nonce = await stage.networks.transaction_count(MAINNET, key.address)
    await send_authorized(stage, key, b"", Authorization(1, SIMPLE_7702_ACCOUNT, nonce + 1))
    request = OperationRequest(MAINNET, "delegator", key.address, (to_bob(),))
    assert (await stage.operations.prepare(request)).authorization == Authorization(1, STATELESS_DELEGATOR, nonce + 2)
    assert (await stage.make(request, key)).success
    assert (await stage.networks.state(MAINNET, "delegator", key.address)).kind == "delegated"


# What the contracts themselves say


@pytest.mark.parametrize("entry_point", [ENTRY_POINT_0_7, ENTRY_POINT_0_8])
@pytest.mark.parametrize("operation", [PLAIN, MADE, PAID], ids=["plain", "made", "paid"])
async def test_the_entry_points_know_an_operation_by_our_hash(
    stage: Stage, operation: UserOperation, entry_point: str
) -> None:
    data = encode_call(f"getUserOpHash({PACKED_TYPE})", operation.pack().values)
    assert await stage.call(entry_point, data) == operation.hash(entry_point, 1)


async def test_entry_point_0_8_knows_a_delegated_account_by_our_hash(stage: Stage) -> None:
    key = fresh_key()
    await stage.fund(key.address, ETHER)
    await own_transaction(stage, key, delegator.execute_call_data((to_bob(),)), take_back=False)
    operation = replace(PLAIN, sender=str(key.address), factory=DELEGATED, factory_data=b"set up")
    data = encode_call(f"getUserOpHash({PACKED_TYPE})", operation.pack().values)
    assert await stage.call(ENTRY_POINT_0_8, data) == operation.hash(ENTRY_POINT_0_8, 1, delegate=STATELESS_DELEGATOR)


async def test_the_factory_makes_a_safe_where_we_say(stage: Stage) -> None:
    made = safe.SafeAccount((fresh_key().address, fresh_key().address), threshold=2, salt=7)
    (address,) = decode(["address"], await stage.call(SAFE_PROXY_FACTORY, made.factory_data))
    assert address == made.address.lower()


async def test_a_safe_takes_what_its_owner_signs_for_it(stage: Stage) -> None:
    key = fresh_key()
    account = account_of("safe", key)
    await stage.fund(account, ETHER)
    await stage.make(OperationRequest(MAINNET, "safe", key.address, (to_bob(),)), key)
    digest = keccak(text="a message")
    message = safe.message_of_digest(account, 1, digest)
    signature = sign_digest(message.digest, key)
    assert await EvmSignatures(stage.rpc.unjoined, MAINNET).verify(account, digest, "0x" + signature.hex())


async def test_a_safe_that_is_not_there_yet_signs_as_well(stage: Stage) -> None:
    key = fresh_key()
    account, digest = account_of("safe", key), keccak(text="a message")
    message = safe.message_of_digest(account, 1, digest)
    signature = safe.SafeAccount((key.address,)).wrap_undeployed(sign_digest(message.digest, key))
    assert await EvmSignatures(stage.rpc.unjoined, MAINNET).verify(account, digest, "0x" + signature.hex())
