"""A page with a key of its own, to which an account grants a permission over the service, as AppKit's pages do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from eth_account import Account
from eth_account.messages import encode_defunct
from eth_account.signers.local import LocalAccount
from eth_keys.datatypes import PublicKey

from tests.sandbox.blockchain.stage import ETHER, SDK, Foreign, Stage, caip10, token
from walletmodal.core.permissions.delegation import Delegation, encode_context
from walletmodal.core.permissions.framework import MANAGER
from walletmodal.core.permissions.permission import Permission, caveats_of
from walletmodal.core.permissions.redemption import disable_call
from walletmodal.core.smart_accounts.contracts import STATELESS_DELEGATOR
from walletmodal.sandbox.evm.artifacts import call_data

DAY = 86_400
PERMISSIONS = [
    {"type": "native-token-recurring-allowance", "data": {"allowance": hex(ETHER), "start": 1, "period": DAY}}
]


def public_key(key: LocalAccount) -> str:
    return "0x04" + key._key_obj.public_key.to_bytes().hex()


@dataclass
class Grant:
    """A permission: one ether a day for three days."""

    stage: Stage
    account: Foreign
    page: LocalAccount
    pci: str
    service: str
    start: int
    expiry: int

    @property
    def path(self) -> str:
        return f"/v1/sessions/{caip10(self.account.key.address)}"

    @property
    def delegation(self) -> Delegation:
        return self.signed(Permission("native-token-periodic", ETHER, self.start, period=DAY, until=self.expiry))

    def signed(self, permission: Permission) -> Delegation:
        made = Delegation(self.service, str(self.account.key.address), caveats_of(permission, 0), salt=1)
        return made.signed(bytes(Account.unsafe_sign_hash(made.digest(1), self.account.key.key).signature))

    def body(self, **changes: Any) -> dict[str, Any]:
        keys = [{"type": "secp256k1", "publicKey": public_key(self.page)}]
        return {
            "expiry": self.expiry,
            "signer": {"type": "keys", "data": {"keys": keys}},
            "permissions": PERMISSIONS,
            "policies": [],
            **changes,
        }

    def context(self, delegation: Delegation | None = None) -> str:
        return "0x" + encode_context([delegation or self.delegation]).hex()

    async def activate(self, **changes: Any) -> Any:
        body = {**self.body(), "pci": self.pci, "context": self.context(), **changes}
        return await self.stage.http.post(f"{self.path}/activate", json=body)

    async def wallet(self, method: str, params: dict[str, Any]) -> Any:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": [params]}
        return await self.stage.http.post("/v1/wallet", json=body)

    async def prepare(self, to: str, value: int, data: str = "0x") -> Any:
        return await self.wallet(
            "wallet_prepareCalls",
            {
                "from": self.account.key.address,
                "chainId": "0x1",
                "calls": [{"to": to, "value": hex(value), "data": data}],
                "capabilities": {"permissions": {"context": self.pci}},
            },
        )

    async def send(self, prepared: Any, key: LocalAccount | None = None) -> Any:
        (one,) = prepared.json()["result"]
        digest = bytes.fromhex(one["signatureRequest"]["hash"][2:])
        signature = (key or self.page).sign_message(encode_defunct(digest)).signature
        sent = {"preparedCalls": one["preparedCalls"], "context": one["context"]}
        return await self.wallet("wallet_sendPreparedCalls", {**sent, "signature": "0x" + signature.hex()})

    async def pay(self, to: str, value: int) -> Any:
        return await self.send(await self.prepare(to, value))

    async def disable(self) -> None:
        await self.account.send(MANAGER, disable_call(self.delegation))


async def asked(stage: Stage, account: Foreign) -> Grant:
    """A permission that the page has asked the service for, and no wallet has granted yet."""
    block: Any = await stage.node.rpc("eth_getBlockByNumber", ["latest", False])
    start = int(block["timestamp"], 16)
    # The service's clock is moved by tests, and the chain's is not.
    expiry = max(start, int(stage.clock.now().timestamp())) + 3 * DAY
    grant = Grant(stage, account, Account.create(), "", "", start, expiry)
    prepared = (await stage.http.post(grant.path, params={"projectId": "page"}, json=grant.body(), headers=SDK)).json()
    grant.pci = prepared["pci"]
    grant.service = PublicKey(bytes.fromhex(prepared["key"]["publicKey"][4:])).to_checksum_address()
    assert prepared["key"]["type"] == "secp256k1"
    return grant


async def granted(stage: Stage, account: Foreign) -> Grant:
    grant = await asked(stage, account)
    assert (await grant.activate()).status_code == 200
    return grant


async def delegate(account: Foreign) -> None:
    """The account runs the framework's code from now on (EIP-7702)."""
    nonce = int(str(await account.node.rpc("eth_getTransactionCount", [account.key.address, "latest"])), 16)
    signed = account.key.sign_authorization({"chainId": 1, "address": STATELESS_DELEGATOR, "nonce": nonce + 1})
    transaction: dict[str, Any] = {
        "chainId": 1,
        "nonce": nonce,
        "to": account.key.address,
        "value": 0,
        "gas": 200_000,
        "maxFeePerGas": 100 * 10**9,
        "maxPriorityFeePerGas": 10**9,
        "authorizationList": [signed],
    }
    sent = account.key.sign_transaction(transaction)
    raw = "0x" + bytes(sent.raw_transaction).hex()
    await account.mined(str(await account.node.rpc("eth_sendRawTransaction", [raw])))
    assert await account.node.rpc("eth_getCode", [account.key.address, "latest"]) != "0x"


def transfer(amount: int) -> str:
    return "0x" + call_data("transfer(address,uint256)", token("USDC"), amount).hex()
