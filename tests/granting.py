"""Accounts that grant permissions on the sandbox's Ethereum: keys, delegated to the framework's account (EIP-7702), with tokens."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import httpx
from eth_account import Account
from eth_account.signers.local import LocalAccount

from tests.patience import PATIENCE
from walletmodal.core.permissions.delegation import Delegation, encode_context
from walletmodal.core.permissions.execution_permissions import PermissionRequest, permission_response, request_json
from walletmodal.core.permissions.framework import MANAGER, NONCE
from walletmodal.core.permissions.permission import Permission, caveats_of
from walletmodal.core.permissions.redemption import disable_all_call, disable_call
from walletmodal.core.smart_accounts.contracts import STATELESS_DELEGATOR
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.evm.artifacts import call_data
from walletmodal.sandbox.evm.world import TREASURY, worlds

CHAIN: Final = "eip155:1"
ETHER: Final = 10**18
DAY: Final = 86_400
_GAS: Final = 3_000_000


def token_address(symbol: str = "USDC") -> str:
    found = worlds()[CHAIN].token(symbol)
    assert found is not None
    return found.address


class Chain:
    """The chain as its clients see it, and its clock."""

    def __init__(self, node: AnvilNode) -> None:
        self.url = node.url
        self._http = httpx.Client(timeout=PATIENCE, trust_env=False)

    def rpc(self, method: str, *params: object) -> Any:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        answer = self._http.post(self.url, json=body).json()
        assert "error" not in answer, answer
        return answer["result"]

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.time, UTC)

    def monotonic(self) -> float:
        return float(self.time)

    async def sleep(self, _seconds: float) -> None:
        raise AssertionError("nothing here waits for a time")

    @property
    def time(self) -> int:
        return int(self.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)

    def advance(self, after: timedelta | int) -> None:
        self.rpc("evm_increaseTime", after if isinstance(after, int) else int(after.total_seconds()))
        self.rpc("evm_mine")

    def balance(self, account: str, token: str = "") -> int:
        if not token:
            return int(self.rpc("eth_getBalance", account, "latest"), 16)
        data = "0x" + call_data("balanceOf(address)", account).hex()
        return int(self.rpc("eth_call", {"to": token, "data": data}, "latest"), 16)

    def give(self, account: str, token: str, amount: int) -> None:
        self.rpc("anvil_impersonateAccount", TREASURY)
        data = "0x" + call_data("mint(address,uint256)", account, amount).hex()
        self.mined(self.rpc("eth_sendTransaction", {"from": TREASURY, "to": token, "data": data}))

    def send(self, key: LocalAccount, to: str, data: bytes = b"", value: int = 0, **fields: Any) -> None:
        self.mined(self.hand_in(key, to, data, value, **fields))

    def hand_in(self, key: LocalAccount, to: str, data: bytes = b"", value: int = 0, **fields: Any) -> str:
        nonce = int(self.rpc("eth_getTransactionCount", key.address, "pending"), 16)
        transaction: dict[str, Any] = {
            "chainId": 1,
            "nonce": nonce,
            "to": to,
            "value": value,
            "data": data,
            "gas": _GAS,
            "maxFeePerGas": 100 * 10**9,
            "maxPriorityFeePerGas": 10**9,
            **fields,
        }
        signed = key.sign_transaction(transaction)
        return str(self.rpc("eth_sendRawTransaction", "0x" + bytes(signed.raw_transaction).hex()))

    def mined(self, sent: str) -> None:
        ends, receipt = time.monotonic() + PATIENCE, None
        while receipt is None and time.monotonic() < ends:
            receipt = self.rpc("eth_getTransactionReceipt", sent)
        assert receipt is not None, "it is not mined"
        assert receipt["status"] == "0x1", receipt

    def close(self) -> None:
        self._http.close()


@dataclass(frozen=True)
class Visitor:
    """Who grants."""

    chain: Chain
    key: LocalAccount

    @property
    def address(self) -> str:
        return str(self.key.address)

    def sign(self, delegation: Delegation) -> Delegation:
        return delegation.signed(bytes(Account.unsafe_sign_hash(delegation.digest(1), self.key.key).signature))

    def granted(self, to: str, permission: Permission, **changes: Any) -> Delegation:
        return self.sign(replace(Delegation(to, self.address, caveats_of(permission, 0), salt=7), **changes))

    def context(self, *chain: Delegation) -> str:
        return "0x" + encode_context(chain).hex()

    def answer(self, to: str, permission: Permission) -> dict[str, Any]:
        """What the visitor's wallet answers the page with."""
        request = request_json(PermissionRequest(1, to, "", permission), self.address)
        return permission_response(request, encode_context([self.granted(to, permission)]))

    def revoke(self, delegation: Delegation) -> None:
        self.chain.send(self.key, MANAGER, disable_call(delegation))

    def runs(self, contract: str) -> None:
        """Has the account run the code of a contract (EIP-7702)."""
        self.chain.mined(self.hand_over(contract))

    def hand_over(self, contract: str, *, changes: int = 0, **fields: Any) -> str:
        """Sends what has the account run the code of a contract with the next block; `changes`: others that stand before this one."""
        nonce = int(self.chain.rpc("eth_getTransactionCount", self.address, "latest"), 16) + changes
        signed = self.key.sign_authorization({"chainId": 1, "address": contract, "nonce": nonce})
        sender = spending_key(self.chain)
        return self.chain.hand_in(sender, self.address, authorizationList=[signed], **fields)

    def revoke_all(self) -> None:
        self.chain.send(self.key, NONCE, disable_all_call())


def visitor(chain: Chain, *, delegated: bool = True) -> Visitor:
    """Somebody with 1,000 USDC and 10 ETH."""
    key = Account.create()
    chain.rpc("anvil_setBalance", key.address, hex(10 * ETHER))
    chain.give(key.address, token_address(), 1_000_000_000)
    if delegated:
        # The transaction itself takes the nonce before.
        signed = key.sign_authorization({"chainId": 1, "address": STATELESS_DELEGATOR, "nonce": 1})
        chain.send(key, key.address, authorizationList=[signed])
    return Visitor(chain, key)


def spending_key(chain: Chain) -> LocalAccount:
    """A server's key, with coin for gas."""
    key: LocalAccount = Account.create()
    chain.rpc("anvil_setBalance", key.address, hex(10 * ETHER))
    return key
