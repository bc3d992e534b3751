"""Smart sessions: prepared, granted, listed, and revoked by the account's own signature."""

from typing import Any

import pytest

from tests.sandbox.blockchain.stage import SDK, Foreign, Stage, caip10

pytestmark = pytest.mark.asyncio(loop_scope="session")

PERMISSIONS = [{"type": "contract-call", "data": {"address": "0x01"}}]


def grant(stage: Stage, **changes: Any) -> dict[str, Any]:
    expiry = int(stage.clock.now().timestamp()) + 3600
    return {"expiry": expiry, "signer": {"type": "keys"}, "permissions": PERMISSIONS, "policies": [], **changes}


async def granted(stage: Stage, who: Foreign) -> str:
    path = f"/v1/sessions/{caip10(who.key.address)}"
    prepared = (await stage.http.post(path, params={"projectId": "page"}, json=grant(stage), headers=SDK)).json()
    assert prepared["key"]["type"] == "secp256k1"
    assert len(prepared["key"]["publicKey"]) == 132
    activation = {**grant(stage), "pci": prepared["pci"], "context": "0xc0ffee"}
    assert (await stage.http.post(f"{path}/activate", json=activation)).status_code == 200
    return str(prepared["pci"])


async def test_a_granted_permission_is_listed(stage: Stage, someone: Foreign) -> None:
    pci = await granted(stage, someone)
    now = int(stage.clock.now().timestamp())
    assert await stage.get(f"/v1/sessions/{caip10(someone.address)}") == {
        "pcis": [
            {
                "project": {"id": "page", "name": "host.example", "url": "https://host.example", "iconUrl": None},
                "pci": pci,
                "expiry": now + 3600,
                "createdAt": now,
                "permissions": PERMISSIONS,
                "policies": [],
                "context": "0xc0ffee",
                "revokedAt": None,
            }
        ]
    }
    context = await stage.get(f"/v1/sessions/{caip10(someone.address)}/getcontext", pci=pci)
    assert context == {"context": "0xc0ffee"}


async def test_what_no_wallet_granted_is_not_listed(stage: Stage, someone: Foreign) -> None:
    path = f"/v1/sessions/{caip10(someone.address)}"
    await stage.post(path, grant(stage))
    assert await stage.get(path) == {"pcis": []}


async def test_the_account_revokes(stage: Stage, someone: Foreign) -> None:
    pci, path = await granted(stage, someone), f"/v1/sessions/{caip10(someone.address)}"
    answer = await stage.http.post(f"{path}/revoke", json={"pci": pci, "signature": someone.sign(pci)})
    assert (answer.status_code, answer.content) == (200, b"")
    (one,) = (await stage.get(path))["pcis"]
    assert one["revokedAt"] == int(stage.clock.now().timestamp())
    again = await stage.http.post(f"{path}/revoke", json={"pci": pci, "signature": someone.sign(pci)})
    assert again.status_code == 400


async def test_nobody_else_revokes(stage: Stage, someone: Foreign) -> None:
    pci, other = await granted(stage, someone), await Foreign.funded(stage.node, 0)
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
    pci = await granted(stage, someone)
    stage.clock.advance(3601)
    answer = await stage.http.get(f"/v1/sessions/{caip10(someone.address)}/getcontext", params={"pci": pci})
    assert (answer.status_code, answer.json()["reasons"][0]["description"]) == (400, "The permission is expired")
