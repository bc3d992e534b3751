"""A deployment that pays the fees of its visitors' smart accounts, without a chain: what is worked out and what the frame says is the test's to say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from eth_account import Account

from tests.driver import Driver
from tests.features.conftest import Configure
from tests.features.embedded_stage import secure_site
from tests.patience import patience
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.smart_accounts import delegator, safe
from walletmodal.core.smart_accounts.account_state import smart_account_address
from walletmodal.core.smart_accounts.user_operation import UserOperation, read_user_operation
from walletmodal.core.wallets.account_type import ACCOUNT_TYPE_METHOD
from walletmodal.deployment import Deployment
from walletmodal.services.smart_accounts.operations import OperationRequest, PreparedOperation, operation_message

__all__ = ["secure_site"]

KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
STRANGER = "0x" + "11" * 32
PAYMASTER = "0x777777777777AeC03fd955926DbF81597e66834C"
SIGN = "walletmodal_signUserOperation"


class Preparing:
    """Works operations out without a chain; says what it was asked, and refuses where it is told to."""

    def __init__(self) -> None:
        self.asked: list[OperationRequest] = []
        self.refusal: Exception | None = None
        # How often it refuses.
        self.refused = 1000
        self.sponsor, self.icon = "Acme", ""
        self.held_up: asyncio.Event | None = None

    async def prepare(self, request: OperationRequest) -> PreparedOperation:
        """As `UserOperations.prepare`."""
        self.asked.append(request)
        if self.held_up is not None:
            await self.held_up.wait()
        if self.refusal is not None and self.refused:
            self.refused -= 1
            raise self.refusal
        encode = safe.operation_call_data if request.implementation == "safe" else delegator.execute_call_data
        operation = UserOperation(
            sender=smart_account_address(request.implementation, request.owner),
            nonce=7,
            call_data=encode(request.calls),
            call_gas_limit=100_000,
            verification_gas_limit=100_000,
            pre_verification_gas=50_000,
            max_fee_per_gas=10**9,
            max_priority_fee_per_gas=1,
            paymaster=PAYMASTER if request.payer else "",
            paymaster_verification_gas_limit=50_000 if request.payer else 0,
            paymaster_post_op_gas_limit=1 if request.payer else 0,
            signature=b"",
        )
        number = request.chain.number
        return PreparedOperation(
            chain=request.chain,
            operation=operation,
            entry_point=delegator.ENTRY_POINT,
            hash=operation.hash(delegator.ENTRY_POINT, number),
            message=operation_message(operation, request.owner, number),
            owner=request.owner,
            passkey=request.passkey,
            sponsor=self.sponsor,
            icon=self.icon,
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


def signature(asked: dict[str, Any], key: str = KEY) -> dict[str, str]:
    """The frame's answer."""
    operation = asked["params"][0]
    given = read_user_operation({**operation, "signature": "0x"})
    owner = Account.from_key(KEY).address
    signed = Account.unsafe_sign_hash(operation_message(given, owner, 1).digest, key).signature.to_0x_hex()
    return {"signature": signed if given.sender == owner else "0x" + "00" * 12 + signed[2:]}


async def asked_to_sign(driver: Driver) -> dict[str, Any]:
    """What the frame is asked, as soon as it is asked to sign."""
    async with patience():
        while True:
            for command in await driver.commands("wallet.request"):
                if command["params"]["method"] == SIGN:
                    return command
            await asyncio.sleep(0.001)


@asynccontextmanager
async def frame(
    driver: Driver, kind: str = "smartAccount", status: str = "ready", **more: object
) -> AsyncIterator[None]:
    """The frame says what its owner's account is, and more, as often as it is asked."""

    async def answer() -> None:
        while True:
            for command in await driver.commands("wallet.request"):
                if command["params"]["method"] == ACCOUNT_TYPE_METHOD:
                    await driver.reply(command, value={"type": kind, "status": status, "foreign": "", **more})
            await asyncio.sleep(0.001)

    answering = asyncio.create_task(answer())
    try:
        yield
    finally:
        answering.cancel()
