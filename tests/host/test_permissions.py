"""A host's server spends within what a visitor has granted, on a real chain: the contracts hold what the visitor has seen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from eth_account import Account

from tests.docs.pages import blocks
from tests.granting import CHAIN, DAY, ETHER, Visitor, spending_key, token_address, visitor
from tests.host.trade import SHOP, TEN, Trade, before_sending
from tests.host.trade import chain as chain
from tests.host.trade import trade as trade
from tests.services.real_chains import ethereum as ethereum
from walletmodal.core.permissions.framework import TIMESTAMP
from walletmodal.core.permissions.permission import Permission
from walletmodal.core.smart_accounts.authorization import NOBODY
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.contracts import STATELESS_DELEGATOR
from walletmodal.host import permissions
from walletmodal.host.nodes import NodeRefusalError
from walletmodal.host.permissions import Spender, SpendingRefusedError
from walletmodal.sandbox.evm.artifacts import call_data

EXCEEDED = "ERC20PeriodTransferEnforcer:transfer-amount-exceeded"


def test_what_is_granted_a_day_is_spent_over_days(trade: Trade) -> None:
    granted, usdc = trade.granted(), token_address()
    before = trade.chain.balance(SHOP, usdc)
    trade.spender.pay(granted, SHOP, 4_000_000)
    assert trade.spender.left(granted) == 6_000_000
    assert trade.refusal(granted, 7_000_000) == EXCEEDED
    trade.spender.pay(granted, SHOP, 6_000_000)
    assert trade.refusal(granted) == EXCEEDED
    trade.chain.advance(DAY)
    assert trade.spender.left(granted) == TEN
    trade.spender.pay(granted, SHOP, TEN)
    assert trade.chain.balance(SHOP, usdc) - before == 2 * TEN
    assert trade.chain.balance(trade.visitor.address, usdc) == 1_000_000_000 - 2 * TEN


def test_the_server_of_the_documentation_spends(trade: Trade, monkeypatch: pytest.MonkeyPatch) -> None:
    *_, block = blocks("python", "docs/hosts.md")
    code = block.code
    for shown, here in (("eip155:8453", CHAIN), ("https://node.example.com", trade.chain.url), ("10**9", "10**11")):
        code = code.replace(shown, here)
    names = {
        "response": trade.visitor.answer(trade.spender.address, trade.permission()),
        "visitor": trade.visitor,
        "USDC": token_address(),
        "shop": SHOP,
    }
    monkeypatch.setenv("SPENDER_KEY", trade.key.key.hex())
    monkeypatch.setattr(permissions, "SystemClock", lambda: trade.chain)
    before = trade.chain.balance(SHOP, token_address())
    exec(compile(code, str(block), "exec", dont_inherit=True), names)
    assert trade.chain.balance(SHOP, token_address()) - before == 5_000_000


def test_unspent_days_do_not_add_up(trade: Trade) -> None:
    granted = trade.granted()
    trade.chain.advance(2 * DAY)
    assert trade.refusal(granted, TEN + 1) == EXCEEDED
    assert trade.spender.left(granted) == TEN


def test_after_its_end_nothing_is_spent(trade: Trade) -> None:
    granted = trade.granted()
    trade.chain.advance(3 * DAY)
    assert trade.refusal(granted) == "TimestampEnforcer:expired-delegation"
    assert trade.spender.left(granted) == 0


def test_coins_are_spent_within_an_allowance(trade: Trade) -> None:
    granted = trade.granted(kind="native-token-allowance", token="", period=None, amount=ETHER)
    payee = Account.create().address
    trade.spender.pay(granted, payee, ETHER // 4)
    assert trade.chain.balance(payee) == ETHER // 4
    trade.chain.advance(2 * DAY)
    assert trade.spender.left(granted) == 3 * ETHER // 4
    assert trade.refusal(granted, ETHER) == "NativeTokenPeriodTransferEnforcer:transfer-amount-exceeded"


def test_a_stream_frees_more_with_every_second(trade: Trade) -> None:
    granted = trade.granted(kind="erc20-token-stream", period=None, amount=10, initial=0, maximum=TEN)
    trade.chain.advance(1000)
    trade.spender.pay(granted, SHOP, 9_000)
    assert 1_000 <= trade.spender.left(granted) < 10_000
    assert trade.refusal(granted, 20_000) == "ERC20StreamingEnforcer:allowance-exceeded"


def test_several_payments_are_made_together_or_none(trade: Trade) -> None:
    granted, friend = trade.granted(), Account.create().address
    trade.spender.pay_many(granted, [(friend, 1_000_000), (SHOP, 2_000_000)])
    with pytest.raises(SpendingRefusedError):
        trade.spender.pay_many(granted, [(friend, 1_000_000), (SHOP, TEN)])
    assert trade.chain.balance(friend, token_address()) == 1_000_000


def test_another_key_spends_nothing(trade: Trade) -> None:
    granted = trade.granted()
    thief = Spender(spending_key(trade.chain).key.hex(), {CHAIN: trade.chain.url}, clock=trade.chain)
    with pytest.raises(SpendingRefusedError) as refused:
        thief.pay(granted, SHOP, 1)
    assert refused.value.reason == "InvalidDelegate()"


def test_another_token_is_not_spent(trade: Trade) -> None:
    granted = trade.granted()
    dai = AccountCall(token_address("DAI"), 0, call_data("transfer(address,uint256)", SHOP, 1))
    with pytest.raises(SpendingRefusedError) as refused:
        trade.spender.redeem(granted, [dai])
    assert refused.value.reason == "ERC20PeriodTransferEnforcer:invalid-contract"


def test_nothing_but_a_transfer_is_made(trade: Trade) -> None:
    approval = AccountCall(token_address(), 0, call_data("approve(address,uint256)", SHOP, 1))
    with pytest.raises(SpendingRefusedError) as refused:
        trade.spender.redeem(trade.granted(), [approval])
    assert refused.value.reason == "ERC20PeriodTransferEnforcer:invalid-method"


def test_a_caveat_that_is_cut_out_breaks_the_signature(trade: Trade) -> None:
    signed = trade.visitor.granted(trade.spender.address, trade.permission())
    endless = replace(signed, caveats=tuple(one for one in signed.caveats if one.enforcer != TIMESTAMP))
    assert trade.refusal(trade.with_context(endless)) == "InvalidERC1271Signature()"


def test_a_higher_amount_breaks_the_signature(trade: Trade) -> None:
    signed = trade.visitor.granted(trade.spender.address, trade.permission())
    more = trade.visitor.granted(trade.spender.address, trade.permission(amount=2 * TEN))
    assert trade.refusal(trade.with_context(more.signed(signed.signature))) == "InvalidERC1271Signature()"


def test_the_account_takes_one_back(trade: Trade) -> None:
    taken, other = trade.granted(), trade.granted(amount=TEN + 1)
    trade.visitor.revoke(taken.delegation)
    assert trade.refusal(taken) == "CannotUseADisabledDelegation()"
    assert (trade.spender.left(taken), trade.spender.left(other)) == (0, TEN + 1)


def test_one_that_is_taken_back_while_a_payment_is_on_its_way_has_paid_nobody(
    trade: Trade, monkeypatch: pytest.MonkeyPatch
) -> None:
    granted = trade.granted()
    before_sending(monkeypatch, lambda: trade.visitor.revoke(granted.delegation))
    assert trade.refusal(granted) == "CannotUseADisabledDelegation()"
    assert trade.chain.balance(trade.visitor.address, token_address()) == 1_000_000_000


def test_around_the_end_of_a_period_no_more_than_two_amounts_are_spent(trade: Trade) -> None:
    granted, usdc = trade.granted(), token_address()
    trade.chain.advance(granted.permission.start + DAY - 60 - trade.chain.time)
    trade.spender.pay(granted, SHOP, TEN)
    assert trade.refusal(granted) == EXCEEDED
    trade.chain.advance(60)
    trade.spender.pay(granted, SHOP, TEN)
    assert trade.refusal(granted) == EXCEEDED
    assert trade.chain.balance(trade.visitor.address, usdc) == 1_000_000_000 - 2 * TEN


def test_the_account_takes_all_back(trade: Trade) -> None:
    granted = trade.granted()
    trade.visitor.revoke_all()
    assert trade.refusal(granted) == "NonceEnforcer:invalid-nonce"
    assert trade.spender.left(granted) == 0


def test_what_was_granted_rests_while_the_account_is_an_ordinary_one(trade: Trade) -> None:
    granted = trade.granted()
    trade.visitor.runs(NOBODY)
    with pytest.raises(SpendingRefusedError, match="no smart account"):
        trade.spender.pay(granted, SHOP, 1)
    trade.visitor.runs(STATELESS_DELEGATOR)
    assert trade.spender.pay(granted, SHOP, 1).block


def test_nobody_is_paid_but_the_payee(trade: Trade) -> None:
    granted = trade.granted(payees=(SHOP,))
    trade.spender.pay(granted, SHOP, 1)
    assert trade.refusal(granted, to=trade.spender.address) == "AllowedCalldataEnforcer:invalid-calldata"


def test_coins_go_to_payees_alone(trade: Trade) -> None:
    granted = trade.granted(kind="native-token-periodic", token="", payees=(SHOP,))
    trade.spender.pay(granted, SHOP, 1)
    refused = trade.refusal(granted, to=trade.spender.address)
    assert refused == "AllowedTargetsEnforcer:target-address-not-allowed"


def test_only_the_redeemer_hands_it_in(trade: Trade) -> None:
    granted = trade.granted(redeemers=(SHOP,))
    assert trade.refusal(granted) == "RedeemerEnforcer:unauthorized-redeemer"


def test_handed_on_it_allows_no_more_than_before(trade: Trade) -> None:
    """Somebody who holds a permission may hand it on; the contracts hold the whole chain of caveats, whatever the last one says."""
    middleman = spending_key(trade.chain)
    root = trade.visitor.granted(str(middleman.address), trade.permission())
    wide = Visitor(trade.chain, middleman).granted(
        trade.spender.address, trade.permission(amount=1000 * TEN, until=None), authority=root.hash
    )
    handed_on = trade.with_context(wide, root)
    assert trade.refusal(handed_on, TEN + 1) == EXCEEDED
    trade.spender.pay(handed_on, SHOP, TEN)
    assert trade.refusal(handed_on) == EXCEEDED


def test_contracts_that_the_answer_wants_to_have_called_are_not_called(trade: Trade) -> None:
    """A page could have the server's own key do anything so."""
    usdc = token_address()
    trade.chain.give(trade.spender.address, usdc, TEN)
    theft = {"factory": usdc, "factoryData": "0x" + call_data("transfer(address,uint256)", SHOP, TEN).hex()}
    plain = visitor(trade.chain, delegated=False)
    answer = {**plain.answer(trade.spender.address, trade.permission()), "dependencies": [theft]}
    granted = trade.spender.read(answer, account=plain.address, chain=CHAIN, token=usdc)
    with pytest.raises(SpendingRefusedError, match="no smart account"):
        trade.spender.pay(granted, SHOP, 1)
    assert trade.chain.balance(trade.spender.address, usdc) == TEN


def test_an_account_that_has_less_than_it_has_granted_says_so(trade: Trade) -> None:
    granted = trade.granted(amount=10**12)
    with pytest.raises(SpendingRefusedError):
        trade.spender.pay(granted, SHOP, 10**11)


# Answers every call with false, and moves nothing.
IDLE_TOKEN = "0x5f5f5260205ff3"


def test_a_token_that_says_that_it_has_not_moved_has_paid_nobody(trade: Trade) -> None:
    token = str(Account.create().address)
    trade.chain.rpc("anvil_setCode", token, IDLE_TOKEN)
    with pytest.raises(SpendingRefusedError, match="has not moved"):
        trade.spender.pay(trade.granted(token=token), SHOP, 1)


# Tells of a transfer of its argument less 1 from the caller to its other argument, and answers with true.
FEE_TOKEN = "0x6001602435035f52600435337fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60205fa360015f5260205ff3"


def test_a_payment_says_what_a_token_with_a_fee_has_left_of_it(trade: Trade) -> None:
    token = str(Account.create().address)
    trade.chain.rpc("anvil_setCode", token, FEE_TOKEN)
    assert trade.spender.pay(trade.granted(token=token), SHOP, 1000).received == 999
    assert trade.spender.pay(trade.granted(), SHOP, 1000).received == 1000


def test_a_server_without_coin_for_gas_is_told(trade: Trade) -> None:
    trade.chain.rpc("anvil_setBalance", trade.spender.address, "0x0")
    with pytest.raises(NodeRefusalError) as refused:
        trade.spender.pay(trade.granted(), SHOP, 1)
    assert "fund" in refused.value.details.lower()


def test_gas_dearer_than_the_limit_is_not_paid(trade: Trade) -> None:
    frugal = Spender(trade.key.key.hex(), {CHAIN: trade.chain.url}, max_gas_price=1, clock=trade.chain)
    with pytest.raises(NodeRefusalError, match="The network refuses it") as refused:
        frugal.pay(trade.granted(), SHOP, 1)
    assert "more than this server pays" in refused.value.details


def test_a_contract_is_called_within_a_permission(trade: Trade) -> None:
    wrapped, deposit = token_address("WETH"), call_data("deposit()")
    permission = Permission(
        "contract-call",
        ETHER // 10,
        0,
        until=trade.chain.time + DAY,
        contract=wrapped,
        methods=("0x" + deposit.hex(),),
        calls=2,
    )
    answer = trade.visitor.answer(trade.spender.address, permission)
    granted = trade.spender.read(answer, account=trade.visitor.address, chain=CHAIN, contract=wrapped)

    def refusal(data: bytes = deposit, value: int = 0, to: str = wrapped) -> str:
        with pytest.raises(SpendingRefusedError) as refused:
            trade.spender.redeem(granted, [AccountCall(to, value, data)])
        return refused.value.reason

    assert refusal(call_data("withdraw(uint256)", 1)) == "AllowedMethodsEnforcer:method-not-allowed"
    assert refusal(b"", 1) == "AllowedMethodsEnforcer:invalid-execution-data-length"
    assert refusal(value=ETHER // 10 + 1) == "ValueLteEnforcer:value-too-high"
    assert refusal(to=token_address()) == "AllowedTargetsEnforcer:target-address-not-allowed"
    trade.spender.call(granted, deposit, ETHER // 10)
    assert trade.spender.left(granted) == 1
    trade.spender.call(granted, deposit)
    assert trade.chain.balance(trade.visitor.address, wrapped) == ETHER // 10
    assert (trade.spender.left(granted), refusal()) == (0, "LimitedCallsEnforcer:limit-exceeded")
