"""Typed data that the embedded wallet's page signs is, byte for byte, what eth-account signs."""

import json
from typing import Any

import pytest
from eth_account import Account

from tests.eip712_example import BOB, COW, MAIL
from tests.secure.frame_page import ethereum, page, words

__all__ = ["ethereum", "words"]

METAMASK: dict[str, Any] = {
    "types": {
        "EIP712Domain": MAIL["types"]["EIP712Domain"],
        "Person": [{"name": "name", "type": "string"}, {"name": "wallets", "type": "address[]"}],
        "Mail": [
            {"name": "from", "type": "Person"},
            {"name": "to", "type": "Person[]"},
            {"name": "contents", "type": "string"},
        ],
    },
    "primaryType": "Mail",
    "domain": MAIL["domain"],
    "message": {
        "from": {"name": "Cow", "wallets": [COW, "0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF"]},
        "to": [
            {
                "name": "Bob",
                "wallets": [
                    BOB,
                    "0xB0BdaBea57B0BDABeA57b0bdABEA57b0BDabEa57",
                    "0xB0B0b0b0b0b0B000000000000000000000000000",
                ],
            }
        ],
        "contents": "Hello, Bob!",
    },
}


EVERY_TYPE: dict[str, Any] = {
    "types": {
        "EIP712Domain": [{"name": "name", "type": "string"}, {"name": "salt", "type": "bytes32"}],
        "Inner": [{"name": "flags", "type": "bool[2]"}, {"name": "deep", "type": "int8[][]"}],
        "All": [
            {"name": "small", "type": "uint8"},
            {"name": "large", "type": "uint256"},
            {"name": "below", "type": "int256"},
            {"name": "text", "type": "string"},
            {"name": "data", "type": "bytes"},
            {"name": "four", "type": "bytes4"},
            {"name": "word", "type": "bytes32"},
            {"name": "yes", "type": "bool"},
            {"name": "inner", "type": "Inner"},
            {"name": "none", "type": "Inner[]"},
        ],
    },
    "primaryType": "All",
    "domain": {"name": "Every type", "salt": "0x" + "ab" * 32},
    "message": {
        "small": 255,
        "large": 2**256 - 1,
        "below": -(2**255),
        "text": "grüße",
        "data": "0x00ff",
        "four": "0x01020304",
        "word": "0x" + "07" * 32,
        "yes": True,
        "inner": {"flags": [True, False], "deep": [[-128, 127], []]},
        "none": [],
    },
}


def as_page_reads(value: Any) -> Any:
    """Numbers that JSON's readers round are written as text, as applications do."""
    if isinstance(value, dict):
        return {name: as_page_reads(one) for name, one in value.items()}
    if isinstance(value, list):
        return [as_page_reads(one) for one in value]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53 else value


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize("data", [MAIL, METAMASK, EVERY_TYPE], ids=["specification", "MetaMask", "every type"])
def test_typed_data_is_signed_alike(ethereum: Any, data: dict[str, Any], *, as_text: bool) -> None:
    given = as_page_reads(data)
    params = [ethereum.address, json.dumps(given) if as_text else given]
    [found] = page({"method": "eth_signTypedData_v4", "params": params, "chain": "eip155:1"})
    assert found["signed"] == "0x" + ethereum.sign_typed_data(full_message=data).signature.hex().removeprefix("0x")


def test_the_specifications_own_signature() -> None:
    """EIP-712 prints the signature of its example; the key is the hash of "cow", which no phrase gives, so the digest is compared."""
    signable = Account.sign_typed_data("0x" + "11" * 32, full_message=MAIL)
    assert (
        signable.message_hash.hex().removeprefix("0x")
        == "be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2"
    )
