"""What a real chain says of granted permissions: whether they count, and what was used."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from tests.granting import CHAIN, DAY, Chain, Visitor, spending_key, token_address, visitor
from tests.services.anvil import running_anvil
from tests.services.real_chains import ethereum as ethereum
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors.permissions import PermissionsUnsupportedError
from walletmodal.core.permissions.delegation import Delegation
from walletmodal.core.permissions.framework import MANAGER
from walletmodal.core.permissions.permission import Permission
from walletmodal.core.permissions.redemption import Usage, payment, redeem_call
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.evm.artifacts import call_data
from walletmodal.services.chains.eip155.permissions import EvmPermissions, PermissionStatus
from walletmodal.services.rpc import RpcEndpoints, rpc_http_client

ETHEREUM = parse_chain_id(CHAIN)
TEN = 10_000_000
SHOP = "0x016562aA41A8697720ce0943F003141f5dEAe006"


class Ledger:
    """A visitor who grants, somebody who spends, and the service that looks."""

    def __init__(self, chain: Chain, permissions: EvmPermissions) -> None:
        self.chain, self.permissions = chain, permissions
        self.visitor, self.spender = visitor(chain), Visitor(chain, spending_key(chain))
        now = chain.time
        self.permission = Permission("erc20-token-periodic", TEN, now, token_address(), period=DAY, until=now + 3 * DAY)

    def grant(self, permission: Permission | None = None) -> Delegation:
        return self.visitor.granted(self.spender.address, permission or self.permission)

    def spend(self, delegation: Delegation, amount: int) -> None:
        context = bytes.fromhex(self.visitor.context(delegation)[2:])
        call = redeem_call(context, [payment(self.permission, SHOP, amount)])
        self.chain.send(self.spender.key, MANAGER, call)

    async def status(self, delegation: Delegation, permission: Permission | None = None) -> PermissionStatus:
        return await self.permissions.status(ETHEREUM, delegation, permission or self.permission, self.chain.time)


@pytest_asyncio.fixture
async def ledger(ethereum: AnvilNode) -> AsyncIterator[Ledger]:
    chain = Chain(ethereum)
    async with rpc_http_client() as client:
        endpoints = RpcEndpoints(client, overrides={CHAIN: ethereum.url})
        yield Ledger(chain, EvmPermissions(endpoints.unjoined))
        await endpoints.close()
    chain.close()


async def test_a_new_permission_is_active_and_unused(ledger: Ledger) -> None:
    assert await ledger.status(ledger.grant()) == PermissionStatus("active", Usage(0, TEN))


async def test_what_was_used_of_a_period_is_told(ledger: Ledger) -> None:
    granted = ledger.grant()
    ledger.spend(granted, 4_000_000)
    assert await ledger.status(granted) == PermissionStatus("active", Usage(4_000_000, 6_000_000))
    ledger.chain.advance(DAY)
    assert await ledger.status(granted) == PermissionStatus("active", Usage(0, TEN))


async def test_one_that_was_taken_back_is_revoked(ledger: Ledger) -> None:
    granted = ledger.grant()
    ledger.visitor.revoke(granted)
    assert (await ledger.status(granted)).state == "revoked"


async def test_all_are_taken_back_by_the_nonce(ledger: Ledger) -> None:
    granted = ledger.grant()
    ledger.visitor.revoke_all()
    assert (await ledger.status(granted)).state == "revoked"
    assert await ledger.permissions.nonce(ETHEREUM, ledger.visitor.address) == 1


async def test_one_that_has_ended_has_nothing_left(ledger: Ledger) -> None:
    granted = ledger.grant()
    ledger.chain.advance(3 * DAY)
    assert await ledger.status(granted) == PermissionStatus("expired", Usage(0, 0))


async def test_one_that_has_not_begun_is_told_so(ledger: Ledger) -> None:
    later = replace(ledger.permission, start=ledger.chain.time + DAY)
    assert await ledger.status(ledger.grant(later), later) == PermissionStatus("not_started", Usage(0, 0))


async def test_a_stream_tells_what_was_used_altogether(ledger: Ledger) -> None:
    stream = replace(ledger.permission, kind="erc20-token-stream", period=None, amount=10, initial=5000, maximum=TEN)
    granted = ledger.grant(stream)
    ledger.spend(granted, 3000)
    found = (await ledger.status(granted, stream)).usage
    assert found is not None
    assert found.used == 3000


async def test_a_network_without_the_framework_holds_no_permission(ledger: Ledger) -> None:
    with running_anvil() as url:
        async with rpc_http_client() as client:
            endpoints = RpcEndpoints(client, overrides={CHAIN: url})
            with pytest.raises(PermissionsUnsupportedError):
                await EvmPermissions(endpoints.unjoined).nonce(ETHEREUM, ledger.visitor.address)
            await endpoints.close()


async def test_calls_that_were_made_are_counted(ledger: Ledger) -> None:
    wrapped, deposit = token_address("WETH"), call_data("deposit()")
    permission = Permission("contract-call", 0, 0, contract=wrapped, methods=("0x" + deposit.hex(),), calls=3)
    delegation = ledger.grant(permission)
    context = bytes.fromhex(ledger.visitor.context(delegation)[2:])
    ledger.chain.send(ledger.spender.key, MANAGER, redeem_call(context, [AccountCall(wrapped, 0, deposit)] * 2))
    assert await ledger.status(delegation, permission) == PermissionStatus("active", Usage(2, 1))
