"""Calls of a contract as ERC-7715's draft of 2024 names them: by the contract's ABI."""

from typing import Any

import pytest

from tests.core.permissions.samples import FIVE_MINTS, FRIEND, MINT
from walletmodal.core.errors.permissions import PermissionUnreadableError
from walletmodal.core.permissions.contract_calls import named_functions
from walletmodal.core.permissions.execution_permissions import read_draft_calls

ABI = [
    {"type": "function", "name": "mint", "inputs": [{"type": "address"}]},
    {"type": "function", "name": "claim", "inputs": []},
    {"type": "function", "name": "fill", "inputs": [{"type": "tuple[]", "components": [{"type": "uint8"}, {"type": "bytes"}]}]},
    {"type": "function", "name": "twice", "inputs": []},
    {"type": "function", "name": "twice", "inputs": [{"type": "bool"}]},
]  # fmt: skip
LIMIT = {"type": "call-limit", "data": {"count": 5}}


def draft(*functions: object, **changes: Any) -> dict[str, Any]:
    return {"address": FRIEND, "abi": ABI, "functions": list(functions), **changes}


def call(name: str, **changes: Any) -> dict[str, Any]:
    return {"functionName": name, "valueLimit": hex(10**17), **changes}


def test_what_the_draft_names_is_what_the_caveats_hold() -> None:
    read = read_draft_calls(draft(call("mint"), call("claim", args=[])), [LIMIT], FIVE_MINTS.until)
    assert read == (FIVE_MINTS, ("mint(address)", "claim()"))


def test_tuples_are_spelled_by_their_components() -> None:
    _, functions = read_draft_calls(draft(call("fill", operation="Call")), [LIMIT], None)
    assert functions == ("fill((uint8,bytes)[])",)


@pytest.mark.parametrize(
    ("data", "policies"),
    [
        (draft(call("mint", args=[{"operator": "EQUAL", "value": "0x1"}])), [LIMIT]),
        (draft(call("mint", operation="DelegateCall")), [LIMIT]),
        (draft(call("mint"), call("claim", valueLimit="0x1")), [LIMIT]),
        (draft(call("twice")), [LIMIT]),
        (draft(call("burn")), [LIMIT]),
        (draft(call("mint", until=5)), [LIMIT]),
        (draft(), [LIMIT]),
        (draft("mint"), [LIMIT]),
        (draft(call("mint"), address="0x1"), [LIMIT]),
        (draft(call("mint"), more=1), [LIMIT]),
        (draft(call("mint")), [{"type": "gas-limit", "data": {"limit": "0x1"}}]),
        (draft(call("mint")), [LIMIT, LIMIT]),
        (draft(call("mint"), abi=[{"type": "function", "name": "mint", "inputs": "all"}]), [LIMIT]),
    ],
)
def test_what_the_caveats_of_a_call_do_not_hold_is_refused(data: dict[str, Any], policies: list[object]) -> None:
    with pytest.raises(PermissionUnreadableError):
        read_draft_calls(data, policies, None)


def test_a_function_has_the_name_that_a_page_gave_where_it_fits() -> None:
    assert named_functions(["mint(address)", "other()"], (MINT, "0x01020304")) == ("mint(address)", "0x01020304")
