"""The gallery's entries of ApproveTransaction for requests that are rarer: Bitcoin transactions, permissions for later, calls within calls."""

from __future__ import annotations

from typing import Any, Final

from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entries_approve import shown_request, signed
from walletmodal.features.gallery.entry import Entry

_VIEW: Final = ("ApproveTransaction",)
_BITCOIN: Final = "bip122:000000000019d6689c085ae165831e93"
_MINE: Final = "bc1q4qw42stdzjqs59xvlrlxr8526e3nunw7mp73te"
_USDC: Final = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
_SHOP: Final = "0x016562aA41A8697720ce0943F003141f5dEAe006"

# Two coins of the account; 0.15 BTC to somebody, the rest back.
_PAYMENT: Final = (
    "cHNidP8BAJoCAAAAAh8eHRwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEAAAAAAAD/////Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQABAAAAAP//"
    "//8CwOHkAAAAAAAWABQNIxopTMoLwlwmjBnSsAOaRbWrSoCNHQIAAAAAFgAUqB1VQW0UgQoUzPj+YZ6K1mM+Td4AAAAAAAEBH4DegAIAAAAAFgAUqB1VQW0UgQoU"
    "zPj+YZ6K1mM+Td4AAQEfILOBAAAAAAAWABSoHVVBbRSBChTM+P5hnorWYz5N3gAAAA=="
)
# A coin of another address, signed for one payment alone, as markets of inscriptions ask for it.
_SALE: Final = (
    "cHNidP8BAF4CAAAAAR8eHRwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEAAAAAAAD/////AUBLTAAAAAAAIlEgSK5qlBnUKZMEOaXB+SIz1Q/jWe71DAH54UNX"
    "4iJptCAAAAAAAAEBK+gDAAAAAAAAIlEgSK5qlBnUKZMEOaXB+SIz1Q/jWe71DAH54UNX4iJptCABAwSDAAAAAAA="
)


def _grant(kind: str, data: dict[str, Any], **end: int) -> dict[str, Any]:
    return {
        "chainId": "0x1",
        "signer": {"type": "account", "data": {"address": _SHOP}},
        "permission": {"type": kind, "data": data},
        **end,
    }


_PERIOD: Final = {
    "tokenAddress": _USDC,
    "periodAmount": hex(10_000_000),
    "periodDuration": 2_592_000,
    "startTime": 1_796_083_200,
    "justification": "Your monthly ticket",
}

_AUTHORIZED: Final = ("from", "to"), ("value", "validAfter", "validBefore")
_AUTHORIZATION: Final = signed(
    {
        "TransferWithAuthorization": [
            *({"name": name, "type": "address"} for name in _AUTHORIZED[0]),
            *({"name": name, "type": "uint256"} for name in _AUTHORIZED[1]),
            {"name": "nonce", "type": "bytes32"},
        ]
    },
    "TransferWithAuthorization",
    {
        "from": sample.ADDRESS,
        "to": _SHOP,
        "value": "25000000",
        "validAfter": "0",
        "validBefore": "1827619200",
        "nonce": "0x" + "5a" * 32,
    },
    name="USD Coin",
    version="2",
    chainId=1,
    verifyingContract=_USDC,
)

# A router's call of calls: an allowance without a limit, and a function that nobody knows.
_ALLOW: Final = "095ea7b3" + _SHOP[2:].lower().rjust(64, "0") + "f" * 64
_CALLS: Final = f"0xac9650d8{32:064x}{2:064x}{64:064x}{192:064x}{68:064x}{_ALLOW:0<192}{4:064x}" + "414bf389".ljust(
    64, "0"
)
_BATCH: Final = [(_USDC, 0, "a9059cbb" + _SHOP[2:].lower().rjust(64, "0") + f"{25_000_000:064x}"), (_SHOP, 10**16, "")]


def _batch() -> str:
    """`executeBatch((address,uint256,bytes)[])` of a smart account."""
    bodies = [
        to[2:].lower().rjust(64, "0")
        + f"{value:064x}{96:064x}{len(data) // 2:064x}"
        + data.ljust(-(-len(data) // 64) * 64, "0")
        for to, value, data in _BATCH
    ]
    return f"0x34fcd5be{32:064x}{len(bodies):064x}{64:064x}{64 + len(bodies[0]) // 2:064x}" + "".join(bodies)


_OPERATION: Final = {
    "sender": sample.ADDRESS,
    "nonce": "0x7",
    "callData": _batch(),
    "callGasLimit": "0x30d40",
    "verificationGasLimit": "0x186a0",
    "preVerificationGas": "0xc350",
    "maxFeePerGas": "0x3b9aca00",
}

ENTRIES: Final = (
    Entry("approve-bitcoin", _VIEW, shown_request("signPsbt", {"psbt": _PAYMENT, "broadcast": True}, chain=_BITCOIN)),
    Entry(
        "approve-bitcoin-open",
        _VIEW,
        shown_request("signPsbt", {"psbt": _SALE, "signInputs": [{"address": _MINE, "index": 0}]}, chain=_BITCOIN),
        note="a signature that leaves something open",
    ),
    Entry(
        "approve-permission",
        _VIEW,
        shown_request("wallet_grantPermissions", [_grant("erc20-token-periodic", _PERIOD, expiry=1_827_619_200)]),
    ),
    Entry(
        "approve-permission-unlimited",
        _VIEW,
        shown_request("wallet_grantPermissions", [_grant("native-token-transfer", {})]),
        note="no limit, no end",
    ),
    Entry(
        "approve-permission-revoked",
        _VIEW,
        shown_request("wallet_revokePermissions", [{"permissionsContext": "0x" + "4e" * 20}]),
    ),
    Entry(
        "approve-transfer-by-signature",
        _VIEW,
        shown_request("eth_signTypedData_v4", [sample.ADDRESS, _AUTHORIZATION]),
        note="the signature alone sends",
    ),
    Entry(
        "approve-inner-calls",
        _VIEW,
        shown_request("eth_sendTransaction", [{"from": sample.ADDRESS, "to": _USDC, "data": _CALLS}]),
        note="calls within a call, an unlimited allowance among them",
    ),
    Entry(
        "approve-user-operation",
        _VIEW,
        shown_request("eth_sendUserOperation", [_OPERATION, "0x0000000071727De22E5E9d8BAf0edAc6f37da032"]),
    ),
)
