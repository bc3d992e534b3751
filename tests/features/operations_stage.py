"""A deployment that works user operations out without a chain, and a frame that signs them: what the tests of operations share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from eth_account import Account

from walletmodal.config import settings
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.smart_accounts import delegator, safe
from walletmodal.core.smart_accounts.account_state import smart_account_address
from walletmodal.core.smart_accounts.user_operation import UserOperation, read_user_operation
from walletmodal.deployment import Deployment
from walletmodal.services.smart_accounts.operations import OperationRequest, PreparedOperation, operation_message

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

    async def prepare(self, request: OperationRequest) -> PreparedOperation:
        """As `UserOperations.prepare`."""
        self.asked.append(request)
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
            sponsor="Acme",
        )


@pytest.fixture
def paid(secure_site: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A deployment that pays the fees of calls."""
    monkeypatch.setenv("BUNDLER_URL", "eip155:1=http://127.0.0.1:9/bundler")
    monkeypatch.setenv("PAYMASTER_URL", "eip155:1=http://127.0.0.1:9/paymaster")
    monkeypatch.setenv("SPONSOR_LIMITS", "eip155:1=1|100")
    settings.cache_clear()
    yield
    settings.cache_clear()


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
    """The frame's answer to a question for a signature."""
    operation, _ = asked["params"]
    given = read_user_operation({**operation, "signature": "0x"})
    owner = Account.from_key(KEY).address
    signed = Account.unsafe_sign_hash(operation_message(given, owner, 1).digest, key).signature.to_0x_hex()
    return {"signature": signed if given.sender == owner else "0x" + "00" * 12 + signed[2:]}
