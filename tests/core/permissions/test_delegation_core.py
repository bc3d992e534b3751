"""Our delegations and caveats beside those of MetaMask's own packages, which npm has: what they read is what we wrote."""

import json
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from tests.core.permissions.samples import ME, SHOP, delegation, permissions
from walletmodal.core.permissions import framework
from walletmodal.core.permissions.delegation import Delegation, decode_context, encode_context
from walletmodal.core.permissions.execution_permissions import PermissionRequest, request_json
from walletmodal.core.permissions.permission import Permission, read_caveats

_PROGRAM: Final = Path(__file__).parent / "delegation_core.mjs"
_PACKAGES: Final = Path(__file__).parents[2] / "browser" / "package.json"
_ENFORCERS: Final = {
    "erc20StreamingEnforcer": framework.ERC20_STREAM,
    "erc20PeriodTransferEnforcer": framework.ERC20_PERIOD,
    "nativeTokenStreamingEnforcer": framework.NATIVE_STREAM,
    "nativeTokenPeriodTransferEnforcer": framework.NATIVE_PERIOD,
    "approvalRevocationEnforcer": "0xe264F1f09A19505a1ca1a86D5b01E8bFdb64324A",
    "exactCalldataEnforcer": framework.EXACT_CALLDATA,
    "valueLteEnforcer": framework.VALUE_LTE,
    "timestampEnforcer": framework.TIMESTAMP,
    "nonceEnforcer": framework.NONCE,
    "allowedCalldataEnforcer": framework.ALLOWED_CALLDATA,
    "allowedTargetsEnforcer": framework.ALLOWED_TARGETS,
    "redeemerEnforcer": framework.REDEEMER,
}
PERMISSIONS: Final = permissions(60)


def plain(one: Delegation) -> dict[str, Any]:
    return {
        "delegate": one.delegate,
        "delegator": one.delegator,
        "authority": "0x" + one.authority.hex(),
        "caveats": [
            {"enforcer": caveat.enforcer, "terms": "0x" + caveat.terms.hex(), "args": "0x"} for caveat in one.caveats
        ],
        "salt": str(one.salt),
        "signature": "0x" + one.signature.hex(),
    }


def standard(permission: Permission) -> dict[str, Any]:
    return request_json(PermissionRequest(1, SHOP, ME, permission), ME)


@pytest.fixture(scope="module")
def theirs() -> list[dict[str, Any]]:
    asked = [
        {"permission": standard(one)["permission"], "delegation": plain(delegation(one)), "enforcers": _ENFORCERS}
        for one in PERMISSIONS
    ]
    command = ["node", str(_PROGRAM), str(_PACKAGES)]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, check=True, text=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    assert len(found) == len(PERMISSIONS)
    return found


def test_hashes_are_theirs(theirs: list[dict[str, Any]]) -> None:
    assert [one["hash"] for one in theirs] == ["0x" + delegation(one).hash.hex() for one in PERMISSIONS]


def test_contexts_are_theirs(theirs: list[dict[str, Any]]) -> None:
    assert [one["context"] for one in theirs] == ["0x" + encode_context([delegation(one)]).hex() for one in PERMISSIONS]


def test_their_contexts_are_read(theirs: list[dict[str, Any]]) -> None:
    read = [decode_context(bytes.fromhex(one["context"][2:])) for one in theirs]
    assert read == [(delegation(one),) for one in PERMISSIONS]


def test_the_caveats_of_an_amount_are_theirs(theirs: list[dict[str, Any]]) -> None:
    ours = [plain(delegation(one))["caveats"][:2] for one in PERMISSIONS]
    # They leave addresses within terms in the spelling in which they got them.
    assert [[{**one, "terms": one["terms"].lower()} for one in found["caveats"]] for found in theirs] == ours


def test_their_decoders_read_exactly_one_permission_in_ours(theirs: list[dict[str, Any]]) -> None:
    def numbers(data: dict[str, Any]) -> dict[str, Any]:
        return {name: int(value, 16) if str(value).startswith("0x") else value for name, value in data.items()}

    for permission, found in zip(PERMISSIONS, theirs, strict=True):
        (read,) = found["decoded"]
        asked = standard(permission)
        assert (read["type"], numbers(read["data"])) == (permission.kind, numbers(asked["permission"]["data"]))
        assert read["rules"] == asked["rules"]


def test_caveats_are_read_as_the_permission_that_they_hold() -> None:
    assert [read_caveats(delegation(one).caveats) for one in PERMISSIONS] == PERMISSIONS
