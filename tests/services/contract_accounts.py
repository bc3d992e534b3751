"""Contract accounts for the services' tests: a Safe, one that nobody has made yet, and what their owner signs for them."""

import json
from typing import Any

import httpx
from eth_abi.abi import encode
from eth_account import Account
from eth_account.messages import encode_typed_data

from tests.patience import PATIENCE
from walletmodal.core.smart_accounts.contracts import SAFE_PROXY_FACTORY, SAFE_SINGLETON
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.evm.smart_accounts import SAFE_FALLBACK_HANDLER
from walletmodal.sandbox.packages import PACKAGES
from walletmodal.services.chains.eip155.signatures import personal_digest
from walletmodal.services.rpc.web3_library import AsyncWeb3

# The first of the development accounts, whose key everybody knows.
KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
SUFFIX = "6492" * 16
ZERO = "0x" + "0" * 40


def safe_digest(safe: str, digest: bytes) -> bytes:
    """What an owner of a Safe signs for a message: EIP-712 over `SafeMessage(bytes message)`."""
    message = {
        "types": {
            "EIP712Domain": [{"name": "chainId", "type": "uint256"}, {"name": "verifyingContract", "type": "address"}],
            "SafeMessage": [{"name": "message", "type": "bytes"}],
        },
        "primaryType": "SafeMessage",
        "domain": {"chainId": 1, "verifyingContract": safe},
        "message": {"message": digest},
    }
    made = encode_typed_data(full_message=message)
    return AsyncWeb3.keccak(b"\x19" + made.version + made.header + made.body)


def signed_for_safe(safe: str, text: str, key: str = KEY) -> bytes:
    """What an owner's key makes of a message of the Safe."""
    return bytes(Account.unsafe_sign_hash(safe_digest(safe, personal_digest(text)), key).signature)


async def on_node(node: AnvilNode, method: str, *params: object) -> object:
    """Asks a node past our transports."""
    async with httpx.AsyncClient(trust_env=False, verify=False, timeout=PATIENCE) as direct:
        answer = await direct.post(node.url, json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    assert "error" not in answer.json(), answer.text
    return answer.json()["result"]


def wrap(factory: str, call: bytes, signature: bytes) -> str:
    """A signature of an account that a factory would make (ERC-6492)."""
    return "0x" + encode(["address", "bytes", "bytes"], [factory, call, signature]).hex() + SUFFIX


def coming_safe(nonce: int = 7) -> tuple[str, str, bytes]:
    """A Safe that nobody has made yet: its address, its factory, and the call that would make it."""
    w3: AsyncWeb3[Any] = AsyncWeb3()
    artifacts = PACKAGES / "@safe-global/safe-contracts/build/artifacts/contracts"
    single = json.loads((artifacts / "Safe.sol/Safe.json").read_text())
    proxy = json.loads((artifacts / "proxies/SafeProxy.sol/SafeProxy.json").read_text())
    factory = json.loads((artifacts / "proxies/SafeProxyFactory.sol/SafeProxyFactory.json").read_text())
    setup = w3.eth.contract(abi=single["abi"]).encode_abi(
        "setup", args=[[OWNER], 1, ZERO, b"", SAFE_FALLBACK_HANDLER, ZERO, 0, ZERO]
    )
    call = w3.eth.contract(abi=factory["abi"]).encode_abi("createProxyWithNonce", args=[SAFE_SINGLETON, setup, nonce])
    salt = w3.keccak(w3.keccak(hexstr=setup) + nonce.to_bytes(32, "big"))
    code = bytes.fromhex(proxy["bytecode"][2:]) + encode(["address"], [SAFE_SINGLETON])
    made = w3.keccak(b"\xff" + bytes.fromhex(SAFE_PROXY_FACTORY[2:]) + salt + w3.keccak(code))
    return w3.to_checksum_address(made[12:]), SAFE_PROXY_FACTORY, bytes.fromhex(call[2:])
