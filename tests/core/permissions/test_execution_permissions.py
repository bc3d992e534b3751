"""ERC-7715 as it stands: what is asked for, what was granted, what is taken back."""

from dataclasses import replace
from typing import Any

import pytest

from tests.core.permissions.samples import DAY, FIVE_MINTS, FRIEND, ME, NOW, SHOP, TEN, TEN_A_DAY, USDC, permissions
from walletmodal.core.errors.permissions import PermissionUnreadableError
from walletmodal.core.permissions.execution_permissions import (
    MAX_REQUESTS,
    PermissionRequest,
    permission_response,
    read_permission_requests,
    read_revocation,
    request_json,
    supported_permissions,
)
from walletmodal.core.permissions.framework import MANAGER


def asked(**changes: Any) -> dict[str, Any]:
    return {
        "chainId": "0x1",
        "to": SHOP,
        "permission": {
            "type": "erc20-token-periodic",
            "isAdjustmentAllowed": False,
            "data": {
                "tokenAddress": USDC.lower(),
                "periodAmount": hex(TEN),
                "periodDuration": DAY,
                "startTime": NOW,
                "justification": "Your subscription",
            },
        },
        "rules": [{"type": "expiry", "data": {"timestamp": NOW + 30 * DAY}}],
        **changes,
    }


def data(**changes: Any) -> dict[str, Any]:
    return {"permission": {**asked()["permission"], "data": {**asked()["permission"]["data"], **changes}}}


def test_a_request_is_read() -> None:
    assert read_permission_requests([asked()]) == (PermissionRequest(1, SHOP, "", TEN_A_DAY, "Your subscription"),)


def test_without_a_start_it_counts_from_the_moment_of_the_grant() -> None:
    (found,) = read_permission_requests([asked(**data(startTime=None))])
    assert found.permission.start == 0
    assert found.starting(NOW).permission == TEN_A_DAY


def test_one_that_would_have_ended_before_it_is_granted_is_refused() -> None:
    (found,) = read_permission_requests([asked(**data(startTime=None))])
    with pytest.raises(PermissionUnreadableError, match="permission"):
        found.starting(NOW + 31 * DAY)


@pytest.mark.parametrize(
    "changes",
    [
        {"chainId": 1},
        {"chainId": "0x01"},
        {"to": None},
        {"to": "0x1"},
        {"from": "me"},
        {"signer": {"type": "account"}},
        {"permission": None},
        {"permission": {"type": "native-token-everything", "data": {}}},
        {"permission": {**asked()["permission"], "isAdjustmentAllowed": "yes"}},
        {"permission": {**asked()["permission"], "policies": []}},
        {"rules": "none"},
        {"rules": [{"type": "sometimes", "data": {}}]},
        {"rules": [{"type": "expiry", "data": {"timestamp": "soon"}}]},
        {"rules": [{"type": "expiry", "data": {"timestamp": 0}}]},
        {"rules": asked()["rules"] * 2},
        {"rules": [{"type": "redeemer", "data": {"addresses": []}}]},
        {"rules": [{"type": "payee", "data": {"addresses": [SHOP, FRIEND]}}]},
        data(periodAmount=TEN),
        data(periodAmount="0x0"),
        data(periodDuration=0),
        data(tokenAddress=None),
        data(maxAmount="0x1"),
        data(startTime=NOW + 30 * DAY),
        data(justification=7),
    ],
)
def test_what_has_no_known_meaning_is_refused_as_a_whole(changes: dict[str, Any]) -> None:
    with pytest.raises(PermissionUnreadableError):
        read_permission_requests([asked(**changes)])


@pytest.mark.parametrize("params", [None, {}, [], [1], [asked()] * (MAX_REQUESTS + 1)])
def test_other_parameters_are_none(params: object) -> None:
    with pytest.raises(PermissionUnreadableError):
        read_permission_requests(params)


def test_what_was_granted_reads_as_what_it_is() -> None:
    for one in permissions(30):
        request = PermissionRequest(137, SHOP, ME, one, "Why")
        assert read_permission_requests([request_json(request, ME)]) == (request,)


def test_the_answer_has_context_and_manager() -> None:
    granted = request_json(PermissionRequest(1, SHOP, "", TEN_A_DAY), ME)
    assert permission_response(granted, b"\x01") == {
        **granted,
        "from": ME,
        "context": "0x01",
        "dependencies": [],
        "delegationManager": MANAGER,
    }


def test_every_kind_has_its_networks_and_rules() -> None:
    found = supported_permissions([1, 137])
    assert found["native-token-allowance"] == {
        "chainIds": ["0x1", "0x89"],
        "ruleTypes": ["expiry", "redeemer", "payee"],
    }
    assert len(found) == 7


def test_a_stream_without_a_maximum_has_no_limit() -> None:
    stream = {"type": "native-token-stream", "data": {"amountPerSecond": "0x1", "startTime": NOW}}
    (found,) = read_permission_requests([asked(permission=stream)])
    assert found.permission.maximum == 2**256 - 1
    assert replace(found.permission, maximum=5).amount == 1


@pytest.mark.parametrize("params", [{"permissionContext": "0x0102"}, [{"permissionContext": "0x0102"}]])
def test_a_context_to_take_back_is_read(params: object) -> None:
    assert read_revocation(params) == b"\x01\x02"


@pytest.mark.parametrize("params", [None, [], {}, {"permissionContext": "0x"}, {"permissionContext": 1}])
def test_nothing_else_is_a_context(params: object) -> None:
    with pytest.raises(PermissionUnreadableError):
        read_revocation(params)


CALLS = ("mint(address)", "claim()")


def test_a_permission_to_call_a_contract_reads_as_what_was_granted() -> None:
    wanted = PermissionRequest(1, SHOP, ME, FIVE_MINTS, functions=CALLS)
    granted = request_json(wanted, ME)
    assert granted["permission"]["data"] == {
        "address": FRIEND,
        "functions": list(CALLS),
        "valueLimit": hex(10**17),
        "callLimit": 5,
    }
    assert read_permission_requests([granted]) == (wanted,)


@pytest.mark.parametrize("functions", [None, [], ["mint"], ["mint(address) "], ["0x6a62"], [5], list(CALLS) * 5])
def test_functions_that_are_none_are_refused(functions: object) -> None:
    granted = request_json(PermissionRequest(1, SHOP, ME, FIVE_MINTS, functions=CALLS), ME)
    granted["permission"]["data"]["functions"] = functions
    with pytest.raises(PermissionUnreadableError):
        read_permission_requests([granted])
