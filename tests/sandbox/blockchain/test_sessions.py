"""Smart sessions: prepared, granted, listed, and revoked by the account's own signature."""

from dataclasses import replace
from typing import Any

import pytest
from eth_account import Account

from tests.sandbox.blockchain.granting import DAY, PERMISSIONS, asked, delegate, granted, transfer
from tests.sandbox.blockchain.stage import ETHER, Foreign, Stage, caip10, token
from walletmodal.core.permissions.framework import TIMESTAMP
from walletmodal.core.permissions.permission import Permission
from walletmodal.sandbox.evm.artifacts import call_data

pytestmark = pytest.mark.asyncio(loop_scope="session")


def grant(stage: Stage, **changes: Any) -> dict[str, Any]:
    expiry = int(stage.clock.now().timestamp()) + 3600
    return {"expiry": expiry, "signer": {"type": "keys"}, "permissions": PERMISSIONS, "policies": [], **changes}


async def test_a_granted_permission_is_listed(stage: Stage, someone: Foreign) -> None:
    found = await granted(stage, someone)
    assert await stage.get(f"/v1/sessions/{caip10(someone.address)}") == {
        "pcis": [
            {
                "project": {"id": "page", "name": "host.example", "url": "https://host.example", "iconUrl": None},
                "pci": found.pci,
                "expiry": found.expiry,
                "createdAt": int(stage.clock.now().timestamp()),
                "permissions": PERMISSIONS,
                "policies": [],
                "context": found.context(),
                "revokedAt": None,
            }
        ]
    }
    context = await stage.get(f"/v1/sessions/{caip10(someone.address)}/getcontext", pci=found.pci)
    assert context == {"context": found.context()}


async def test_what_no_wallet_granted_is_not_listed(stage: Stage, someone: Foreign) -> None:
    path = f"/v1/sessions/{caip10(someone.address)}"
    await stage.post(path, grant(stage))
    assert await stage.get(path) == {"pcis": []}


async def test_the_account_revokes(stage: Stage, someone: Foreign) -> None:
    pci, path = (await granted(stage, someone)).pci, f"/v1/sessions/{caip10(someone.address)}"
    answer = await stage.http.post(f"{path}/revoke", json={"pci": pci, "signature": someone.sign(pci)})
    assert (answer.status_code, answer.content) == (200, b"")
    (one,) = (await stage.get(path))["pcis"]
    assert one["revokedAt"] == int(stage.clock.now().timestamp())
    again = await stage.http.post(f"{path}/revoke", json={"pci": pci, "signature": someone.sign(pci)})
    assert again.status_code == 400


async def test_nobody_else_revokes(stage: Stage, someone: Foreign) -> None:
    pci, other = (await granted(stage, someone)).pci, await Foreign.funded(stage.node, 0)
    body = {"pci": pci, "signature": other.sign(pci)}
    theirs = await stage.http.post(f"/v1/sessions/{caip10(someone.address)}/revoke", json=body)
    own = await stage.http.post(f"/v1/sessions/{caip10(other.address)}/revoke", json=body)
    assert (theirs.status_code, own.status_code) == (401, 400)


@pytest.mark.parametrize(
    "changes",
    [{"expiry": "soon"}, {"expiry": -1}, {"permissions": []}, {"permissions": [1]}, {"signer": None}, {"policies": {}}],
)
async def test_a_malformed_grant_is_422(stage: Stage, someone: Foreign, changes: dict[str, Any]) -> None:
    answer = await stage.http.post(f"/v1/sessions/{caip10(someone.address)}", json=grant(stage, **changes))
    assert answer.status_code == 422


async def test_an_expired_grant_is_400(stage: Stage, someone: Foreign) -> None:
    answer = await stage.http.post(f"/v1/sessions/{caip10(someone.address)}", json=grant(stage, expiry=1))
    assert (answer.status_code, answer.json()["reasons"][0]["field"]) == (400, "expiry")


async def test_an_expired_permission_has_no_context_any_more(stage: Stage, someone: Foreign) -> None:
    pci = (await granted(stage, someone)).pci
    stage.clock.advance(4 * DAY)
    answer = await stage.http.get(f"/v1/sessions/{caip10(someone.address)}/getcontext", params={"pci": pci})
    assert (answer.status_code, answer.json()["reasons"][0]["description"]) == (400, "The permission is expired")


async def test_the_service_pays_what_the_page_has_signed(stage: Stage, someone: Foreign) -> None:
    await delegate(someone)
    found, payee = await granted(stage, someone), Account.create().address
    answer = await found.pay(payee, ETHER // 4)
    (sent,) = answer.json()["result"]
    assert (await someone.mined(sent))["status"] == "0x1"
    assert int(str(await stage.node.rpc("eth_getBalance", [payee, "latest"])), 16) == ETHER // 4


async def test_the_chain_holds_the_sum_of_several_calls(stage: Stage, someone: Foreign) -> None:
    await delegate(someone)
    found, payee = await granted(stage, someone), Account.create().address
    (sent,) = (await found.pay(payee, ETHER)).json()["result"]
    await someone.mined(sent)
    answer = await found.pay(payee, 1)
    assert (answer.status_code, answer.json()["reasons"][0]) == (
        400,
        {"field": "calls", "description": "It is more than is left of this period."},
    )


async def test_other_calls_than_payments_are_refused(stage: Stage, someone: Foreign) -> None:
    await delegate(someone)
    found = await granted(stage, someone)
    answer = await found.send(await found.prepare(token("USDC"), 0, transfer(1)))
    assert (answer.status_code, answer.json()["reasons"][0]["field"]) == (400, "calls")


async def test_what_another_key_has_signed_is_not_sent(stage: Stage, someone: Foreign) -> None:
    found = await granted(stage, someone)
    answer = await found.send(await found.prepare(someone.key.address, 1), Account.create())
    assert (answer.status_code, answer.json()["reasons"][0]["field"]) == (401, "signature")


async def test_what_was_signed_is_sent_once(stage: Stage, someone: Foreign) -> None:
    await delegate(someone)
    found = await granted(stage, someone)
    prepared = await found.prepare(Account.create().address, 1)
    assert [(await found.send(prepared)).status_code for _ in range(2)] == [200, 404]


async def test_what_was_prepared_counts_for_five_minutes(stage: Stage, someone: Foreign) -> None:
    found = await granted(stage, someone)
    prepared = await found.prepare(someone.key.address, 1)
    stage.clock.advance(301)
    assert (await found.send(prepared)).status_code == 404


async def test_nothing_is_sent_after_the_account_has_signed_the_revocation(stage: Stage, someone: Foreign) -> None:
    found = await granted(stage, someone)
    prepared = await found.prepare(someone.key.address, 1)
    await stage.http.post(f"{found.path}/revoke", json={"pci": found.pci, "signature": someone.sign(found.pci)})
    assert (await found.send(prepared)).status_code == 400


async def test_nothing_is_sent_after_the_account_has_taken_it_back_on_its_chain(stage: Stage, someone: Foreign) -> None:
    await delegate(someone)
    found = await granted(stage, someone)
    await found.disable()
    answer = await found.pay(someone.key.address, 1)
    assert (answer.status_code, answer.json()["reasons"][0]["field"]) == (400, "context")


async def test_what_the_account_has_not_signed_is_not_kept(stage: Stage, someone: Foreign) -> None:
    found = await asked(stage, someone)
    forged = found.delegation.signed(b"\x01" * 65)
    assert (await found.activate(context=found.context(forged))).status_code == 401


async def test_a_context_for_another_key_is_not_kept(stage: Stage, someone: Foreign) -> None:
    found, other = await asked(stage, someone), await asked(stage, someone)
    answer = await found.activate(context=other.context())
    assert (answer.status_code, answer.json()["reasons"][0]["field"]) == (400, "context")


async def test_a_context_without_its_end_is_not_kept(stage: Stage, someone: Foreign) -> None:
    found = await asked(stage, someone)
    endless = tuple(one for one in found.delegation.caveats if one.enforcer != TIMESTAMP)
    answer = await found.activate(context=found.context(replace(found.delegation, caveats=endless)))
    assert (answer.status_code, answer.json()["reasons"][0]["field"]) == (400, "expiry")


@pytest.mark.parametrize("context", ["0xc0ffee", "coffee"])
async def test_what_is_no_delegation_is_not_kept(stage: Stage, someone: Foreign, context: str) -> None:
    answer = await (await asked(stage, someone)).activate(context=context)
    assert (answer.status_code, answer.json()["reasons"][0]["field"]) == (400, "context")


@pytest.mark.parametrize(
    "params", [{}, {"from": "me"}, {"from": "0x" + "1" * 40, "chainId": "0x1", "calls": [], "capabilities": {}}]
)
async def test_malformed_calls_are_422(stage: Stage, someone: Foreign, params: dict[str, Any]) -> None:
    found = await asked(stage, someone)
    assert (await found.wallet("wallet_prepareCalls", params)).status_code == 422


async def test_the_service_calls_a_contract_within_a_permission(stage: Stage, someone: Foreign) -> None:
    await delegate(someone)
    found, wrapped, deposit = await asked(stage, someone), token("WETH"), call_data("deposit()")
    calls = Permission(
        "contract-call", ETHER // 10, 0, until=found.expiry, contract=wrapped, methods=("0x" + deposit.hex(),), calls=1
    )
    assert (await found.activate(context=found.context(found.signed(calls)))).status_code == 200
    refused = await found.send(await found.prepare(wrapped, 0, "0x" + call_data("withdraw(uint256)", 1).hex()))
    assert refused.json()["reasons"][0]["description"] == "The permission is for other functions."
    (sent,) = (await found.send(await found.prepare(wrapped, ETHER // 10, "0x" + deposit.hex()))).json()["result"]
    assert (await someone.mined(sent))["status"] == "0x1"
    again = await found.send(await found.prepare(wrapped, 0, "0x" + deposit.hex()))
    assert again.json()["reasons"][0]["description"] == "All calls of the permission were made."
