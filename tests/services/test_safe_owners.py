"""Owners of a Safe on the real chain: it takes another one, and lets one go, by operations that its key signs."""

import pytest

from tests.services.smart_account_stage import (
    ETHER,
    MAINNET,
    Stage,
    account_of,
    fresh_key,
    running_sandbox,
    stage,
)
from walletmodal.core.smart_accounts.safe_owners import add_owner_call, remove_owner_call
from walletmodal.services.smart_accounts.operations import OperationRequest

__all__ = ["running_sandbox", "stage"]

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_safe_takes_another_owner_and_lets_one_go(stage: Stage) -> None:
    key, friend = fresh_key(), fresh_key().address
    account = account_of("safe", key)
    await stage.fund(account, ETHER)
    assert await stage.networks.safe_owners(MAINNET, key.address) == (key.address,)
    call = add_owner_call(account, friend)
    assert (await stage.make(OperationRequest(MAINNET, "safe", key.address, (call,)), key)).success
    owners = await stage.networks.safe_owners(MAINNET, key.address)
    assert owners == (friend, key.address)
    call = remove_owner_call(account, owners, friend)
    assert (await stage.make(OperationRequest(MAINNET, "safe", key.address, (call,)), key)).success
    assert await stage.networks.safe_owners(MAINNET, key.address) == (key.address,)
