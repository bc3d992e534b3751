"""Swaps on the sandbox: its service quotes and builds, its chain carries out; and services that cheat."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import httpx
import pytest
from eth_abi.abi import encode
from web3 import Web3

from tests.services.swap_stage import (
    CALLER,
    COIN,
    DAI,
    DOLLAR,
    ETHER,
    STRANGER,
    USDC,
    USDT,
    WETH,
    WORLD,
    Cheat,
    Counted,
    Unable,
    Wallet,
    chains,
    client,
    order,
    request,
    sandbox,
    service,
    swaps,
    wallet,
)
from walletmodal.core.chains.caip import parse_account_id
from walletmodal.core.errors import NetworkError, TransportError
from walletmodal.core.errors.rules import SwapError
from walletmodal.core.errors.services import ServiceError
from walletmodal.core.swaps.calls import approve_call, read_approval
from walletmodal.core.swaps.verdict import (
    LESS,
    MORE_TAKEN,
    NOTHING,
    OTHER_APPROVAL,
    OTHER_CONTRACT,
    OTHER_SPENDER,
)
from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.evm.artifacts import arguments_data, creation_code
from walletmodal.services.blockchain.swaps import SwapCalls
from walletmodal.services.chains.eip155.account_calls import EvmAccountCalls
from walletmodal.services.rpc import RpcEndpoints
from walletmodal.services.swaps import NO_QUOTE, OTHER_QUOTE, OTHER_TRANSACTION, Swaps

__all__ = ["chains", "client", "sandbox", "service", "swaps", "wallet"]

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_coin_is_swapped_for_a_token_in_one_step(swaps: Swaps, wallet: Wallet) -> None:
    prepared = await swaps.prepare(order(wallet, COIN, USDC, ETHER))
    assert (prepared.fault, prepared.approves) == ("", False)
    assert prepared.simulated == prepared.quoted.amount > 0
    assert prepared.least == -(-prepared.quoted.amount * 99 // 100)
    assert int(request(prepared)["value"], 16) == ETHER
    before = await wallet.balance(USDC)
    await wallet.send(request(prepared))
    assert await wallet.balance(USDC) - before == prepared.simulated


async def test_a_token_is_approved_for_exactly_its_amount_before_it_is_swapped(swaps: Swaps, wallet: Wallet) -> None:
    wanted = order(wallet, USDC, DAI, 700 * DOLLAR)
    prepared = await swaps.prepare(wanted)
    assert (prepared.fault, prepared.approves, len(prepared.calls)) == ("", True, 2)
    approval = read_approval(request(prepared)["data"])
    assert approval is not None
    assert (request(prepared)["to"], approval.amount) == (USDC, 700 * DOLLAR)
    assert (prepared.simulated or 0) > prepared.least
    await wallet.send(request(prepared))
    again = await swaps.prepare(wanted)
    assert (again.fault, again.approves) == ("", False)
    before = await wallet.balance(DAI)
    await wallet.send(request(again))
    assert await wallet.balance(DAI) - before == again.simulated


async def test_a_token_that_demands_it_is_first_approved_for_zero(swaps: Swaps, wallet: Wallet) -> None:
    wanted = order(wallet, USDT, COIN, 300 * DOLLAR)
    router = (await swaps.prepare(wanted)).promise.contract
    await wallet.do(USDT, approve_call(USDT, router, 5).data)
    prepared = await swaps.prepare(wanted)
    approvals = [read_approval(call.data) for call in prepared.calls[:-1]]
    assert [approval.amount for approval in approvals if approval] == [0, 300 * DOLLAR]
    assert prepared.fault == ""
    for _ in range(2):
        await wallet.send(request(await swaps.prepare(wanted)))
    last = await swaps.prepare(wanted)
    assert not last.approves
    assert (last.simulated or 0) >= last.least


async def test_another_token_with_an_approval_that_is_too_small_is_not_reset(swaps: Swaps, wallet: Wallet) -> None:
    wanted = order(wallet, DAI, COIN, 100 * ETHER)
    router = (await swaps.prepare(wanted)).promise.contract
    await wallet.do(DAI, approve_call(DAI, router, 5).data)
    assert len((await swaps.prepare(wanted)).calls) == 2


async def test_wrapping_the_coin_and_back_needs_no_approval_and_costs_nothing(swaps: Swaps, wallet: Wallet) -> None:
    for source, target in ((COIN, WETH), (WETH, COIN)):
        prepared = await swaps.prepare(order(wallet, source, target, ETHER))
        assert (prepared.fault, prepared.approves, prepared.simulated) == ("", False, ETHER)
        assert prepared.quoted.impact == 0


async def becomes(wallet: Wallet, token: str, kind: str) -> None:
    """A token of the sandbox gets other code; its balances and its pools stay."""
    arguments = arguments_data("new(string,string,uint8,address)", "Dai Stablecoin", "DAI", 18, wallet.address)
    deployed = await wallet.deploy("0x" + (creation_code(kind) + arguments).hex())
    await wallet.ask("anvil_setCode", token, await wallet.ask("eth_getCode", deployed, "latest"))


@pytest.mark.parametrize(("slippage", "fault"), [("0.5", LESS), ("3", "")])
async def test_a_token_that_keeps_a_fee_is_offered_where_the_slippage_covers_it(
    swaps: Swaps, wallet: Wallet, slippage: str, fault: str
) -> None:
    await becomes(wallet, DAI, "SandboxTaxed")
    prepared = await swaps.prepare(order(wallet, COIN, DAI, ETHER, slippage))
    assert prepared.fault == fault
    assert prepared.simulated == prepared.quoted.amount - prepared.quoted.amount // 100
    if not fault:
        before = await wallet.balance(DAI)
        await wallet.send(request(prepared))
        assert await wallet.balance(DAI) - before == prepared.simulated


async def test_a_token_whose_fee_the_pool_does_not_expect_is_not_offered(swaps: Swaps, wallet: Wallet) -> None:
    await becomes(wallet, DAI, "SandboxTaxed")
    prepared = await swaps.prepare(order(wallet, DAI, COIN, 100 * ETHER, "3"))
    assert (prepared.next, bool(prepared.fault)) == (None, True)


async def test_a_token_whose_balances_grow_by_themselves_is_counted_by_them(swaps: Swaps, wallet: Wallet) -> None:
    await becomes(wallet, DAI, "SandboxRebasing")
    prepared, before = await swaps.prepare(order(wallet, COIN, DAI, ETHER)), await wallet.balance(DAI)
    await wallet.send(request(prepared))
    assert await wallet.balance(DAI) - before == prepared.simulated
    assert (prepared.fault, prepared.simulated != prepared.quoted.amount) == ("", True)


async def test_the_price_impact_of_a_large_swap_is_that_of_the_pool(swaps: Swaps, wallet: Wallet) -> None:
    small = await swaps.quote(order(wallet, COIN, USDC, ETHER // 100))
    large = await swaps.quote(order(wallet, COIN, USDC, 600 * ETHER))
    assert small.impact is not None
    assert large.impact is not None
    assert small.impact < Decimal("0.1") < Decimal(10) < large.impact < Decimal(12)


@pytest.mark.parametrize(
    ("target", "listed", "right"),
    [(USDC, (18, 6), True), (USDC, (18, 5), False), (USDC, (6, 6), False), (STRANGER, (18, 18), None)],
)
async def test_tokens_count_with_the_decimals_of_their_contracts(
    swaps: Swaps, wallet: Wallet, target: str, listed: tuple[int, int], right: bool | None
) -> None:
    asking = swaps.check_decimals(order(wallet, COIN, target, ETHER), *listed)
    if right:
        await asking
        return
    with pytest.raises(NetworkError if right is None else SwapError):
        await asking


async def test_a_token_of_another_network_is_none_of_this_one(swaps: Swaps, wallet: Wallet) -> None:
    elsewhere = replace(order(wallet, COIN, USDC, ETHER), target=f"eip155:137:{USDC}")
    with pytest.raises(SwapError, match=OTHER_QUOTE):
        await swaps.check_decimals(elsewhere, 18, 6)


async def test_what_the_account_does_not_have_is_not_offered(swaps: Swaps, wallet: Wallet) -> None:
    prepared = await swaps.prepare(order(wallet, USDC, DAI, 10**6 * DOLLAR))
    assert prepared.next is None
    assert prepared.fault.startswith("The contract refuses it")


async def test_visitors_with_the_same_swap_share_a_quote(
    service: SwapCalls, chains: EvmAccountCalls, wallet: Wallet
) -> None:
    asked = Counted(service)
    swaps = Swaps(asked, chains)
    wanted = order(wallet, COIN, USDC, ETHER)
    other = replace(wanted, account=parse_account_id(f"eip155:1:{WORLD.accounts[3]}"))
    first = await swaps.quote(wanted)
    await wallet.do(WETH, "0xd0e30db0", ETHER)
    assert await swaps.quote(other) == first
    assert asked.calls == 4, "the amount and its sample, for both"


def _data(signature: str, *arguments: object) -> str:
    types = signature[signature.index("(") + 1 : -1].split(",")
    return "0x" + bytes(Web3.keccak(text=signature)[:4] + encode(types, arguments)).hex()


@pytest.mark.parametrize(
    ("quote", "says"),
    [
        ({"from_amount": 1}, OTHER_QUOTE),
        ({"to_account": f"eip155:1:{DAI}"}, OTHER_QUOTE),
        ({"from_account": f"eip155:137:{USDC}"}, OTHER_QUOTE),
        ({"to_amount": 0}, NO_QUOTE),
        ({"to_amount": 2**256}, NO_QUOTE),
    ],
)
async def test_a_quote_for_something_else_is_none(
    service: SwapCalls, chains: EvmAccountCalls, wallet: Wallet, quote: dict[str, Any], says: str
) -> None:
    swaps = Swaps(Cheat(service, quote=quote), chains)
    with pytest.raises(SwapError, match=says):
        await swaps.quote(order(wallet, COIN, USDC, ETHER))


async def test_a_quote_that_promises_more_than_the_pool_gives_is_not_offered(
    service: SwapCalls, chains: EvmAccountCalls, wallet: Wallet
) -> None:
    prepared = await Swaps(Cheat(service, quote={"to_amount": 4_000 * DOLLAR}), chains).prepare(
        order(wallet, COIN, USDC, ETHER)
    )
    assert (prepared.fault, prepared.next) == (LESS, None)


@pytest.mark.parametrize(
    ("transaction", "says"),
    [
        ({"to": f"eip155:1:{STRANGER}", "data": "0x"}, NOTHING),
        ({"to": f"eip155:1:{WETH}", "data": "0xd0e30db0"}, NOTHING),
        ({"to": f"eip155:1:{USDC}", "data": _data("approve(address,uint256)", STRANGER, 2**256 - 1)}, OTHER_SPENDER),
        ({"to": f"eip155:1:{USDC}", "data": _data("transfer(address,uint256)", STRANGER, 101 * DOLLAR)}, MORE_TAKEN),
        ({"to": f"eip155:1:{USDC}", "data": _data("transfer(address,uint256)", STRANGER, 99 * DOLLAR)}, NOTHING),
    ],
    ids=["to a stranger", "another token", "lets a stranger take", "takes more", "goes elsewhere"],
)
async def test_a_transaction_that_does_something_else_is_not_offered(
    service: SwapCalls, chains: EvmAccountCalls, wallet: Wallet, transaction: dict[str, Any], says: str
) -> None:
    source, amount = (USDC, 100 * DOLLAR) if transaction["to"].endswith(USDC) else (COIN, ETHER)
    prepared = await Swaps(Cheat(service, transaction=transaction), chains).prepare(order(wallet, source, DAI, amount))
    assert (prepared.fault, prepared.next) == (says, None)


LOGS_TOO_MUCH = "0x6109005b5f5fa06001900380600357" + "00"
"""Writes 2304 logs: more than anybody reads."""
ANSWERS_TOO_MUCH = "0x620200005ffd"
"""Fails with 128 kB."""
BURNS = "0x5b5f56"
"""Uses up all gas that there is."""


@pytest.mark.parametrize("code", [LOGS_TOO_MUCH, ANSWERS_TOO_MUCH, BURNS], ids=["logs", "answers", "burns"])
async def test_a_contract_that_hides_from_the_simulation_is_not_offered(
    service: SwapCalls, chains: EvmAccountCalls, wallet: Wallet, code: str
) -> None:
    """An approval of it would be asked for, as where no node simulates."""
    await wallet.ask("anvil_setCode", STRANGER, code)
    cheat = Cheat(
        service,
        transaction={"to": f"eip155:1:{STRANGER}"},
        approval={"data": approve_call(USDC, STRANGER, 700 * DOLLAR).data},
    )
    prepared = await Swaps(cheat, chains).prepare(order(wallet, USDC, DAI, 700 * DOLLAR))
    assert (prepared.run.status, prepared.next) == ("failed", None)
    assert prepared.fault


async def test_a_transaction_whose_receiver_is_somebody_else_brings_nothing(
    service: SwapCalls, chains: EvmAccountCalls, wallet: Wallet
) -> None:
    real = await service.build_transaction(CALLER, wallet.account, amount=ETHER, source=COIN, target=f"eip155:1:{USDC}")
    word = wallet.address[2:].lower()
    assert word in real.data
    changed = real.data.replace(word, STRANGER[2:])
    prepared = await Swaps(Cheat(service, transaction={"data": changed}), chains).prepare(
        order(wallet, COIN, USDC, ETHER)
    )
    assert (prepared.fault, prepared.next) == (NOTHING, None)


@pytest.mark.parametrize(
    "transaction",
    [
        {"amount": 2 * ETHER},
        {"sender": f"eip155:1:{STRANGER}"},
        {"to": f"eip155:137:{STRANGER}"},
        # A contract account would obey: its owners, modules and permissions are nothing that a balance tells.
        {"to": f"eip155:1:{WORLD.accounts[2].lower()}"},
    ],
)
async def test_a_transaction_for_another_swap_is_refused(
    service: SwapCalls, chains: EvmAccountCalls, wallet: Wallet, transaction: dict[str, Any]
) -> None:
    with pytest.raises(SwapError, match=OTHER_TRANSACTION):
        await Swaps(Cheat(service, transaction=transaction), chains).prepare(order(wallet, COIN, USDC, ETHER))


@pytest.mark.parametrize(
    ("approval", "says"),
    [
        ({"data": _data("approve(address,uint256)", STRANGER, 700 * DOLLAR)}, OTHER_CONTRACT),
        ({"token": f"eip155:1:{DAI}"}, OTHER_CONTRACT),
        ({"data": _data("approve(address,uint256)", STRANGER, 2**256 - 1)}, OTHER_APPROVAL),
        ({"data": _data("increaseAllowance(address,uint256)", STRANGER, 700 * DOLLAR)}, OTHER_APPROVAL),
        ({"data": "0x095ea7b3"}, OTHER_APPROVAL),
        ({"value": 1}, OTHER_APPROVAL),
    ],
)
async def test_an_approval_of_anything_else_is_refused(
    service: SwapCalls, chains: EvmAccountCalls, wallet: Wallet, approval: dict[str, Any], says: str
) -> None:
    with pytest.raises(SwapError, match=says):
        await Swaps(Cheat(service, approval=approval), chains).prepare(order(wallet, USDC, DAI, 700 * DOLLAR))


async def test_the_provider_says_why_there_is_no_quote(swaps: Swaps, wallet: Wallet) -> None:
    with pytest.raises(ServiceError, match="insufficient liquidity"):
        await swaps.quote(order(wallet, COIN, USDC, 1))


async def test_what_has_moved_against_the_visitor_is_found_before_the_wallet_is_asked(
    swaps: Swaps, wallet: Wallet
) -> None:
    wanted = order(wallet, COIN, USDC, ETHER, "0.5")
    prepared = await swaps.prepare(wanted)
    _, fault = await swaps.check(wanted, prepared)
    assert fault == ""
    await wallet.ask("anvil_setBalance", wallet.address, hex(10**24))
    await wallet.send(request(await swaps.prepare(order(wallet, COIN, USDC, 200 * ETHER, "50"))))
    step, fault = await swaps.check(wanted, prepared)
    assert step is None
    assert "INSUFFICIENT_OUTPUT_AMOUNT" in fault


async def test_where_no_node_simulates_it_is_said_and_an_old_approval_is_reset(
    sandbox: Sandbox, client: httpx.AsyncClient, service: SwapCalls, swaps: Swaps, wallet: Wallet
) -> None:
    transports = RpcEndpoints(client, overrides={"eip155:1": sandbox.rpc_url("eip155:1")}).unjoined
    blind = Swaps(service, EvmAccountCalls(lambda chain: Unable(transports(chain))))
    wanted = order(wallet, USDT, COIN, 300 * DOLLAR)
    router = (await swaps.prepare(wanted)).promise.contract
    await wallet.do(USDT, approve_call(USDT, router, 5).data)
    prepared = await blind.prepare(wanted)
    assert (prepared.run.status, prepared.fault, prepared.simulated, len(prepared.calls)) == (
        "not_simulated",
        "",
        None,
        3,
    )
    assert prepared.next is not None


async def test_what_was_simulated_is_not_asked_for_once_it_cannot_be(
    sandbox: Sandbox, client: httpx.AsyncClient, service: SwapCalls, swaps: Swaps, wallet: Wallet
) -> None:
    wanted = order(wallet, COIN, USDC, ETHER)
    prepared = await swaps.prepare(wanted)
    transports = RpcEndpoints(client, overrides={"eip155:1": sandbox.rpc_url("eip155:1")}).unjoined
    blind = Swaps(service, EvmAccountCalls(lambda chain: Unable(transports(chain))))
    with pytest.raises(TransportError):
        await blind.check(wanted, prepared)
