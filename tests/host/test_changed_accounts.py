"""A host's server pays of no account that runs other code than the one that holds what was granted."""

from __future__ import annotations

import pytest
from eth_account import Account

from tests.granting import Chain, token_address
from tests.host.trade import SHOP, Trade, before_sending
from tests.host.trade import chain as chain
from tests.host.trade import trade as trade
from tests.services.real_chains import ethereum as ethereum
from walletmodal.core.smart_accounts.contracts import STATELESS_DELEGATOR
from walletmodal.host.permissions import SpendingRefusedError, SpendingUnknownError

SWINDLER = "0x5f3560e01c631626ba7e1460165760205f5260405ff35b631626ba7e60e01b5f5260205ff3"
OTHER_CODE = "other code"


@pytest.fixture(scope="module")
def swindler(chain: Chain) -> str:
    """A contract in whose words every call was made."""
    contract = str(Account.create().address)
    chain.rpc("anvil_setCode", contract, SWINDLER)
    return contract


def test_an_account_that_runs_other_code_is_not_asked_to_pay(trade: Trade, swindler: str) -> None:
    granted = trade.granted()
    trade.visitor.runs(swindler)
    before = trade.chain.balance(trade.spender.address)
    with pytest.raises(SpendingRefusedError, match=OTHER_CODE):
        trade.spender.pay(granted, SHOP, 1)
    assert trade.chain.balance(trade.spender.address) == before


def test_an_account_that_changes_its_code_meanwhile_has_not_paid(
    trade: Trade, swindler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before_sending(monkeypatch, lambda: trade.visitor.runs(swindler))
    with pytest.raises(SpendingRefusedError, match=OTHER_CODE):
        trade.spender.pay(trade.granted(), SHOP, 1)


def test_of_an_account_that_acted_in_the_same_block_nobody_says_that_it_has_paid(
    trade: Trade, swindler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have changed its code before the payment, and back behind it."""
    granted, chain, own = trade.granted(), trade.chain, trade.visitor
    chain.rpc("evm_setAutomine", False)

    def around() -> None:
        own.hand_over(swindler)
        # Dear enough for the block, and the cheapest in it.
        price = int(chain.rpc("eth_getBlockByNumber", "pending", False)["baseFeePerGas"], 16)
        own.hand_over(STATELESS_DELEGATOR, changes=1, maxFeePerGas=price, maxPriorityFeePerGas=0)

    before_sending(monkeypatch, around, lambda: chain.rpc("evm_mine"))
    try:
        with pytest.raises(SpendingUnknownError):
            trade.spender.pay(granted, SHOP, 1)
    finally:
        chain.rpc("evm_setAutomine", True)
    assert chain.balance(own.address, token_address()) == 1_000_000_000
