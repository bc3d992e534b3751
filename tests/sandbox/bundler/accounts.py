"""Accounts of each kind, with keys of their own: what their operations look like, and how they are signed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from eth_account import Account
from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak

from tests.sandbox.bundler.stage import Stage
from walletmodal.core.smart_accounts import delegator, safe
from walletmodal.core.smart_accounts.authorization import Authorization, SignedAuthorization
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.contracts import (
    ENTRY_POINT_0_7,
    ENTRY_POINT_0_8,
    SAFE_PROXY_FACTORY,
    STATELESS_DELEGATOR,
)
from walletmodal.core.smart_accounts.typed_message import Domain, TypedMessage
from walletmodal.core.smart_accounts.user_operation import (
    DELEGATED,
    DUMMY_SIGNATURE,
    PACKED_FIELDS,
    UserOperation,
)
from walletmodal.sandbox.evm.artifacts import arguments_data, call_data, creation_code
from walletmodal.sandbox.evm.smart_accounts import FIRST, SECOND, SIMPLE_7702_ACCOUNT

CHAIN_ID = 1


class SmartAccount(Protocol):
    """An account whose key is at hand."""

    entry_point: str

    @property
    def address(self) -> str: ...

    def operation(self, calls: Sequence[AccountCall], nonce: int) -> UserOperation:
        """An operation with a dummy for its signature; the first one makes or delegates the account."""

    def sign(self, operation: UserOperation) -> UserOperation: ...


def authorize(key: Any, contract: str, nonce: int = 0, chain_id: int = CHAIN_ID) -> SignedAuthorization:
    signed = Account.sign_authorization({"chainId": chain_id, "address": contract, "nonce": nonce}, key.key)
    return SignedAuthorization(Authorization(chain_id, contract, nonce), signed.y_parity, signed.r, signed.s)


@dataclass
class Delegator:
    """A key's own account, delegated to the stateless delegator."""

    key: Any
    entry_point: str = ENTRY_POINT_0_7

    @property
    def address(self) -> str:
        return str(self.key.address)

    def operation(self, calls: Sequence[AccountCall], nonce: int) -> UserOperation:
        made = UserOperation(
            sender=self.address,
            nonce=nonce,
            call_data=delegator.execute_call_data(calls),
            signature=DUMMY_SIGNATURE,
        )
        return made if nonce else replace(made, authorization=authorize(self.key, STATELESS_DELEGATOR))

    def sign(self, operation: UserOperation) -> UserOperation:
        digest = delegator.operation_message(operation, CHAIN_ID).digest
        return replace(operation, signature=bytes(self.key.unsafe_sign_hash(digest).signature))


@dataclass
class Simple7702:
    """A key's own account, delegated to the simple account of entry point 0.8."""

    key: Any
    entry_point: str = ENTRY_POINT_0_8

    @property
    def address(self) -> str:
        return str(self.key.address)

    def operation(self, calls: Sequence[AccountCall], nonce: int) -> UserOperation:
        data = call_data("executeBatch((address,uint256,bytes)[])", list(calls))
        made = UserOperation(sender=self.address, nonce=nonce, call_data=data, signature=DUMMY_SIGNATURE)
        if nonce:
            return made
        return replace(made, factory=DELEGATED, authorization=authorize(self.key, SIMPLE_7702_ACCOUNT))

    def sign(self, operation: UserOperation) -> UserOperation:
        digest = operation.hash(self.entry_point, CHAIN_ID)
        return replace(operation, signature=bytes(self.key.unsafe_sign_hash(digest).signature))


@dataclass
class Safe:
    """A Safe with one owner."""

    key: Any
    entry_point: str = ENTRY_POINT_0_7

    @property
    def made(self) -> safe.SafeAccount:
        return safe.SafeAccount((self.key.address,))

    @property
    def address(self) -> str:
        return self.made.address

    def operation(self, calls: Sequence[AccountCall], nonce: int) -> UserOperation:
        made = UserOperation(
            sender=self.address,
            nonce=nonce,
            call_data=safe.operation_call_data(calls),
            signature=safe.dummy_signature(),
        )
        return made if nonce else replace(made, factory=SAFE_PROXY_FACTORY, factory_data=self.made.factory_data)

    def sign(self, operation: UserOperation) -> UserOperation:
        digest = safe.operation_message(operation, CHAIN_ID).digest
        signature = bytes(self.key.unsafe_sign_hash(digest).signature)
        return replace(operation, signature=safe.signature_of_operation({self.key.address: signature}))


@dataclass
class Hybrid:
    """A hybrid delegator, whose address its factory tells."""

    key: Any
    address: str
    entry_point: str = ENTRY_POINT_0_7

    @staticmethod
    async def of(key: Any, stage: Stage) -> "Hybrid":
        code = Hybrid._code(key)
        found = await stage.call(_standing("SimpleFactory"), "computeAddress(bytes32,bytes32)", keccak(code), bytes(32))
        return Hybrid(key, str(to_checksum_address(found[-20:])))

    @staticmethod
    def _code(key: Any) -> bytes:
        begun = call_data("initialize(address,string[],uint256[],uint256[])", key.address, [], [], [])
        arguments = arguments_data("(address,bytes)", _standing("HybridDeleGator"), begun)
        return creation_code("ERC1967Proxy") + arguments

    def operation(self, calls: Sequence[AccountCall], nonce: int) -> UserOperation:
        data = delegator.execute_call_data(calls)
        made = UserOperation(sender=self.address, nonce=nonce, call_data=data, signature=DUMMY_SIGNATURE)
        if nonce:
            return made
        deploy = call_data("deploy(bytes,bytes32)", self._code(self.key), bytes(32))
        return replace(made, factory=_standing("SimpleFactory"), factory_data=deploy)

    def sign(self, operation: UserOperation) -> UserOperation:
        values = {**operation.pack().struct, "entryPoint": self.entry_point}
        fields = (*PACKED_FIELDS, ("address", "entryPoint"))
        domain = Domain(CHAIN_ID, self.address, "HybridDeleGator")
        digest = TypedMessage(domain, "PackedUserOperation", fields, values).digest
        return replace(operation, signature=bytes(self.key.unsafe_sign_hash(digest).signature))


KINDS: dict[str, Callable[[Any], SmartAccount]] = {"delegator": Delegator, "simple7702": Simple7702, "safe": Safe}
"""Those whose address follows from the key."""


def _standing(contract: str) -> str:
    return next(one.address for one in (*FIRST, *SECOND) if one.contract == contract)
