"""The paymaster: who is sponsored, what is signed, and when it refuses."""

from dataclasses import replace
from typing import Any

import httpx
import pytest
from eth_account import Account

from tests.sandbox.bundler.accounts import Delegator, Safe, Simple7702, SmartAccount
from tests.sandbox.bundler.stage import CHAIN, RpcError, Stage
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.user_operation import UserOperation, read_user_operation
from walletmodal.sandbox.evm.artifacts import call_data
from walletmodal.sandbox.evm.first_transactions import SPONSORSHIP
from walletmodal.sandbox.evm.smart_accounts import ENTRY_POINTS, PAYMASTERS
from walletmodal.sandbox.evm.world import worlds

pytestmark = pytest.mark.asyncio(loop_scope="session")

WORLD = worlds()[CHAIN]
STRANGER = "0x7777777777777777777777777777777777777777"
NOTHING = AccountCall(STRANGER)


async def sponsored(stage: Stage, account: SmartAccount, *calls: AccountCall, context: Any = None) -> UserOperation:
    """An operation that the paymaster pays for, with its signature and without the account's."""
    price = (await stage.bundler("pimlico_getUserOperationGasPrice"))["fast"]
    drafted = replace(
        account.operation(calls, await stage.nonce(account.entry_point, account.address)),
        max_fee_per_gas=int(price["maxFeePerGas"], 16),
        max_priority_fee_per_gas=int(price["maxPriorityFeePerGas"], 16),
    )
    asked = (account.entry_point, "0x1", context)
    stub = await stage.paymaster("pm_getPaymasterStubData", drafted.to_json(), *asked)
    fields = ("paymaster", "paymasterData", "paymasterVerificationGasLimit", "paymasterPostOpGasLimit")
    stubbed = read_user_operation({**drafted.to_json(), **{name: stub[name] for name in fields}})
    post_op = stubbed.paymaster_post_op_gas_limit
    sized = replace(await stage.sized(stubbed, account.entry_point), paymaster_post_op_gas_limit=post_op)
    final = await stage.paymaster("pm_getPaymasterData", sized.to_json(), *asked)
    return read_user_operation({**sized.to_json(), **final})


async def refused(stage: Stage, method: str, *params: object) -> RpcError:
    with pytest.raises(RpcError) as caught:
        await stage.paymaster(method, *params)
    return caught.value


async def drain(stage: Stage, entry_point: str) -> None:
    """Take all that the paymaster has on deposit."""
    deposit = await stage.deposit(entry_point, PAYMASTERS[entry_point])
    await stage.node("anvil_impersonateAccount", WORLD.treasury)
    data = "0x" + call_data("withdrawTo(address,uint256)", WORLD.treasury, deposit).hex()
    await stage.mined("eth_sendTransaction", {"from": WORLD.treasury, "to": PAYMASTERS[entry_point], "data": data})
    assert await stage.deposit(entry_point, PAYMASTERS[entry_point]) == 0


@pytest.mark.parametrize("make", [Delegator, Simple7702, Safe])
async def test_an_account_without_coin_is_sponsored(stage: Stage, make: Any) -> None:
    account: SmartAccount = make(Account.create())
    receipt = await stage.send(account, await sponsored(stage, account, NOTHING))
    assert (receipt["success"], receipt["paymaster"]) == (True, PAYMASTERS[account.entry_point])


@pytest.mark.parametrize("symbol", ["USDC", "DAI", "USDT", "WBTC"])
async def test_an_account_pays_its_gas_in_a_token(stage: Stage, symbol: str) -> None:
    account, token = Delegator(Account.create()), WORLD.token(symbol)
    assert token is not None
    held = 10**token.decimals * 100
    await stage.give(account.address, held, token)
    approve = call_data("approve(address,uint256)", PAYMASTERS[account.entry_point], 2**128)
    context = {"token": token.address}
    operation = await sponsored(stage, account, AccountCall(token.address, 0, approve), NOTHING, context=context)
    receipt = await stage.send(account, operation)
    quoted = await stage.paymaster("pimlico_getTokenQuotes", {"tokens": [token.address]}, account.entry_point, "0x1")
    (quote,) = quoted["quotes"]
    rate = int(quote["exchangeRate"], 16)
    charged = held - await stage.balance(account.address, token)
    assert receipt["success"] is True
    assert int(receipt["actualGasCost"], 16) * rate // 10**18 * 9 // 10 <= charged
    most = (operation.max_cost + int(quote["postOpGas"], 16) * operation.max_fee_per_gas) * rate // 10**18 + 1
    assert 0 < charged <= most


async def test_a_token_that_the_account_has_not_enough_of_fails_while_gas_is_estimated(stage: Stage) -> None:
    account = Delegator(Account.create())
    with pytest.raises(RpcError, match="postOp reverted") as caught:
        await sponsored(stage, account, NOTHING, context={"token": WORLD.dollar.address})
    assert caught.value.code == -32501


async def test_quotes_follow_the_prices(stage: Stage, http: httpx.AsyncClient) -> None:
    (await http.post("/sandbox/prices", json={"symbol": "ETH", "dollars": "4000"})).raise_for_status()
    asked = ({"tokens": [WORLD.dollar.address, STRANGER]}, ENTRY_POINTS[0], "0x1")
    (quote,) = (await stage.paymaster("pimlico_getTokenQuotes", *asked))["quotes"]
    assert quote["token"] == WORLD.dollar.address
    assert int(quote["exchangeRate"], 16) == int(quote["exchangeRateNativeToUsd"], 16) == 4_000 * 10**6


async def test_one_call_sponsors_and_estimates(stage: Stage) -> None:
    account = Simple7702(Account.create())
    price = (await stage.bundler("pimlico_getUserOperationGasPrice"))["fast"]
    drafted = {**account.operation([NOTHING], 0).to_json(), **price}
    given = await stage.paymaster("pm_sponsorUserOperation", drafted, account.entry_point, {})
    receipt = await stage.send(account, read_user_operation({**drafted, **given}))
    assert (receipt["success"], receipt["paymaster"]) == (True, PAYMASTERS[account.entry_point])


async def test_what_was_changed_after_the_paymaster_signed_is_refused(stage: Stage) -> None:
    account = Delegator(Account.create())
    operation = await sponsored(stage, account, NOTHING)
    changed = account.sign(replace(operation, max_fee_per_gas=operation.max_fee_per_gas + 1))
    with pytest.raises(RpcError) as caught:
        await stage.bundler("eth_sendUserOperation", changed.to_json(), account.entry_point)
    assert (caught.value.code, str(caught.value)[:4]) == (-32507, "AA34")


async def test_a_signature_of_the_paymaster_ends(stage: Stage, http: httpx.AsyncClient) -> None:
    account = Delegator(Account.create())
    operation = account.sign(await sponsored(stage, account, NOTHING))
    (await http.post("/sandbox/clock", json={"seconds": 3_700})).raise_for_status()
    with pytest.raises(RpcError) as caught:
        await stage.bundler("eth_sendUserOperation", operation.to_json(), account.entry_point)
    (await http.delete("/sandbox/clock")).raise_for_status()
    assert (caught.value.code, str(caught.value)[:4]) == (-32503, "AA32")


async def test_a_paymaster_on_a_chain_that_is_ahead_signs_for_its_time(stage: Stage, http: httpx.AsyncClient) -> None:
    (await http.post("/sandbox/clock", json={"seconds": 86_400})).raise_for_status()
    (await http.delete("/sandbox/clock")).raise_for_status()
    account = Delegator(Account.create())
    assert (await stage.send(account, await sponsored(stage, account, NOTHING)))["success"] is True


@pytest.mark.parametrize("make", [Delegator, Simple7702])
async def test_a_deposit_that_is_used_up_sponsors_nobody_until_it_is_filled(
    stage: Stage, http: httpx.AsyncClient, make: Any
) -> None:
    account: SmartAccount = make(Account.create())
    signed = account.sign(await sponsored(stage, account, NOTHING))
    await drain(stage, account.entry_point)
    with pytest.raises(RpcError) as caught:
        await stage.bundler("eth_sendUserOperation", signed.to_json(), account.entry_point)
    assert (caught.value.code, str(caught.value)[:4]) == (-32508, "AA31")
    asked = (account.operation([NOTHING], 0).to_json(), account.entry_point, "0x1")
    assert (await refused(stage, "pm_getPaymasterStubData", *asked)).code == -32508
    filled = {"chain": CHAIN, "sponsorship": True, "amount": str(10**18)}
    (await http.post("/sandbox/faucet", json=filled)).raise_for_status()
    assert (await stage.send(account, await sponsored(stage, account, NOTHING)))["success"] is True


async def test_the_faucet_tells_what_is_on_deposit(http: httpx.AsyncClient) -> None:
    wish = {"chain": "eip155:10", "sponsorship": True, "amount": "7"}
    told = (await http.post("/sandbox/faucet", json=wish)).json()
    assert told == {"chain": "eip155:10", "deposits": {one: str(SPONSORSHIP + 7) for one in ENTRY_POINTS}}


@pytest.mark.parametrize(
    "wish",
    [
        {"sponsorship": True},
        {"sponsorship": True, "amount": "1", "address": STRANGER},
        {"sponsorship": True, "amount": "1", "token": f"{CHAIN}:{WORLD.dollar.address}"},
        {"sponsorship": True, "nft": True},
        {"amount": "1"},
        {"sponsorship": True, "amount": str(2**112)},
        {"sponsorship": True, "amount": "1", "chain": "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"},
    ],
)
async def test_a_wish_for_sponsorship_that_makes_no_sense_is_refused(
    unchanging_http: httpx.AsyncClient, wish: dict[str, object]
) -> None:
    assert (await unchanging_http.post("/sandbox/faucet", json={"chain": CHAIN, **wish})).status_code == 400


@pytest.mark.parametrize(
    ("position", "value"),
    [(0, {}), (1, STRANGER), (2, "0x89"), (2, 1), (3, []), (3, {"token": STRANGER}), (3, {"token": 7})],
)
@pytest.mark.parametrize("method", ["pm_getPaymasterStubData", "pm_getPaymasterData"])
async def test_a_wrong_parameter_is_refused(stage: Stage, method: str, position: int, value: object) -> None:
    operation = Delegator(Account.create()).operation([NOTHING], 0).to_json()
    params: list[object] = [operation, ENTRY_POINTS[0], "0x1", {}]
    params[position] = value
    assert (await refused(stage, method, *params)).code == -32602
