"""Safes: what the tests of the secure site's page read is what the modal's server writes, and what permissionless and viem make of the same key."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from eth_account import Account
from eth_account.messages import encode_typed_data
from eth_utils.crypto import keccak

from scripts.project import VENV_BIN
from tests.services.contract_accounts import KEY
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.safe import (
    SafeAccount,
    message_of_digest,
    operation_call_data,
    operation_message,
    signature_of_operation,
)
from walletmodal.core.smart_accounts.user_operation import UserOperation

FILE: Final = Path(__file__).parents[2] / "secure" / "web" / "tests" / "safes.json"
TOKEN: Final = "0xdAC17F958D2ee523a2206206994597C13D831ec7"
FRIEND: Final = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
TYPED: Final[dict[str, Any]] = {
    "domain": {"name": "Shop", "chainId": 1, "verifyingContract": TOKEN},
    "types": {
        "EIP712Domain": [
            {"name": "name", "type": "string"},
            {"name": "chainId", "type": "uint256"},
            {"name": "verifyingContract", "type": "address"},
        ],
        "Order": [{"name": "what", "type": "string"}],
    },
    "primaryType": "Order",
    "message": {"what": "Grüße"},
}
OWNER: Final = Account.from_key(KEY)
SAFE: Final = SafeAccount((OWNER.address,))
CALLS: Final = (
    AccountCall(TOKEN, 0, bytes.fromhex("095ea7b3" + FRIEND[2:].rjust(64, "0") + "5".rjust(64, "0"))),
    AccountCall(FRIEND, 5),
)
FIRST: Final = UserOperation(
    sender=SAFE.address,
    nonce=1,
    call_data=operation_call_data(CALLS),
    call_gas_limit=100_000,
    verification_gas_limit=100_001,
    pre_verification_gas=50_000,
    max_fee_per_gas=10**9,
    max_priority_fee_per_gas=1,
    factory="0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67",
    factory_data=SAFE.factory_data,
    signature=b"",
)
SPONSORED: Final = replace(
    FIRST,
    factory="",
    factory_data=b"",
    paymaster=TOKEN,
    paymaster_verification_gas_limit=7,
    paymaster_post_op_gas_limit=8,
    paymaster_data=b"\x12\x34",
)


def made() -> dict[str, Any]:
    """What the core makes of the key."""
    digest = _digest(TYPED)
    signature = _signed(message_of_digest(SAFE.address, 1, digest).digest)
    return {
        "owner": OWNER.address,
        "address": SAFE.address,
        "factory": FIRST.factory,
        "factoryData": _hex(SAFE.factory_data),
        "operation": _hex(_operation(FIRST)),
        "sponsored": _hex(_operation(SPONSORED)),
        "typed": _hex(SAFE.wrap_undeployed(signature)),
    }


def _digest(typed: dict[str, Any]) -> bytes:
    found = encode_typed_data(full_message=typed)
    return bytes(keccak(b"\x19" + found.version + found.header + found.body))


def _operation(one: UserOperation) -> bytes:
    return signature_of_operation({OWNER.address: _signed(operation_message(one, 1).digest)})


def _signed(digest: bytes) -> bytes:
    return bytes(OWNER.unsafe_sign_hash(digest).signature)


def _hex(given: bytes) -> str:
    return "0x" + given.hex()


def test_the_page_reads_what_the_server_writes() -> None:
    operations = {"first": FIRST.to_json(), "sponsored": SPONSORED.to_json()}
    one = _hex(operation_call_data(CALLS[:1]))
    assert json.loads(FILE.read_text("utf-8")) == {
        "key": KEY,
        "data": TYPED,
        "operations": operations,
        "one": one,
        **made(),
    }


def test_permissionless_and_viem_make_the_same() -> None:
    numbers = {
        name: value for name, value in FIRST.to_json().items() if name not in ("signature", "factory", "factoryData")
    }
    paying = {name: value for name, value in SPONSORED.to_json().items() if name.startswith("paymaster")}
    asked = {"key": KEY, "operation": numbers, "sponsor": paying, "typed": TYPED}
    script = Path(__file__).with_name("safes.mjs")
    told = subprocess.run([VENV_BIN / "node", script, json.dumps(asked)], capture_output=True, text=True, check=True)
    assert json.loads(told.stdout) == made()
