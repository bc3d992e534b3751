"""Permissions as AppKit's pages ask for them: the frame writes and signs one, which is looked at here, and takes it back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct

from tests.core.permissions.samples import DAY, FRIEND, MINT, SHOP
from tests.driver import ADDRESS, Driver
from tests.features.embedded_stage import connected, place, secure_site
from tests.features.test_embedded_permissions import HASH, KEY, Network, network, question, result
from tests.features.test_request_policy import error
from walletmodal.core.accounts.smart_sessions import SmartSession
from walletmodal.core.permissions.delegation import Delegation, encode_context
from walletmodal.core.permissions.framework import MANAGER
from walletmodal.core.permissions.permission import Permission, caveats_of
from walletmodal.core.permissions.redemption import disable_call
from walletmodal.deployment import Deployment
from walletmodal.features.permissions.state import CREATED
from walletmodal.features.requests.permissions import NOT_SIGNED

__all__ = ["network", "secure_site"]

pytestmark = [
    pytest.mark.usefixtures("secure_site", "network"),
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
]

GRANT, REVOKE = "wallet_grantPermissions", "wallet_revokePermissions"
ETHER, PCI = 10**18, "6f0c7a9e-3f51-4a6b-9a52-0a2f6a0a3c11"


def wanted(deployed: Deployment) -> dict[str, Any]:
    now = int(deployed.clock.now().timestamp())
    keys = [{"type": "secp256k1", "publicKey": "0x04" + "1" * 128}] * 2
    data = {"allowance": hex(ETHER), "start": now * 1000, "period": DAY}
    return {
        "chainId": "0x1",
        "address": ADDRESS,
        "expiry": now + 3 * DAY,
        "signer": {"type": "keys", "data": {"keys": keys}},
        "permissions": [{"type": "native-token-recurring-allowance", "data": data}],
        "policies": [],
    }


def delegation(deployed: Deployment, key: str = KEY, **changes: Any) -> Delegation:
    """What the frame makes of it."""
    now = int(deployed.clock.now().timestamp())
    permission = Permission("native-token-periodic", ETHER, now, period=DAY, until=now + 3 * DAY)
    made = replace(Delegation(SHOP, ADDRESS, caveats_of(permission, 3), salt=7), **changes)
    return made.signed(bytes(Account.unsafe_sign_hash(made.digest(1), key).signature))


def context(*chain: Delegation) -> str:
    return "0x" + encode_context(chain).hex()


async def granted(driver: Driver, deployed: Deployment) -> Any:
    await driver.request(GRANT, [wanted(deployed)])
    await driver.reply(await question(driver), value={"context": context(delegation(deployed)), "hash": ""})
    return await result(driver)


async def test_the_page_gets_the_context_that_the_account_has_signed(driver: Driver, deployed: Deployment) -> None:
    await connected(driver)
    assert await granted(driver, deployed) == {
        **wanted(deployed),
        "context": context(delegation(deployed)),
        "signerMeta": {"delegationManager": MANAGER},
    }


async def test_it_is_shown_and_on_record_as_every_other_permission(driver: Driver, deployed: Deployment) -> None:
    await connected(driver, options={"features": {"smartSessions": True}})
    await granted(driver, deployed)
    assert await place(driver) == (True, CREATED)
    await driver.request("wallet_getGrantedExecutionPermissions", call_id="list")
    (found,) = await result(driver)
    assert (found["to"], found["permission"]["type"]) == (SHOP, "native-token-periodic")


async def test_calls_of_a_contract_are_on_record_with_the_names_of_its_functions(
    driver: Driver, deployed: Deployment
) -> None:
    until = wanted(deployed)["expiry"]
    abi = [{"type": "function", "name": "mint", "inputs": [{"type": "address"}]}]
    data = {"address": FRIEND, "abi": abi, "functions": [{"functionName": "mint"}]}
    calls = [{"type": "contract-call", "data": data}]
    mints = Permission("contract-call", 0, 0, until=until, contract=FRIEND, methods=(MINT,))
    await connected(driver)
    await driver.request(GRANT, [{**wanted(deployed), "permissions": calls}])
    signed = delegation(deployed, caveats=caveats_of(mints, 3))
    await driver.reply(await question(driver), value={"context": context(signed), "hash": ""})
    assert (await result(driver))["permissions"] == calls
    await driver.request("wallet_getGrantedExecutionPermissions", call_id="list")
    (found,) = await result(driver)
    assert found["permission"]["data"] == {"address": FRIEND, "functions": ["mint(address)"], "valueLimit": "0x0"}


async def test_an_ordinary_account_becomes_a_smart_account_with_it(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    network.kind = "plain"
    await connected(driver)
    await driver.request(GRANT, [wanted(deployed)])
    (recorded,) = await deployed.requests.latest()
    assert (recorded.status, recorded.proposal.to) == ("asked", ADDRESS)
    await driver.reply(await question(driver), value={"context": context(delegation(deployed)), "hash": HASH})
    (recorded,) = await deployed.requests.latest()
    assert (recorded.status, recorded.hash) == ("sent", HASH)


@pytest.mark.parametrize("why", ["another key", "another account", "handed on", "no limits", "no context"])
async def test_what_the_account_has_not_signed_is_no_permission(driver: Driver, deployed: Deployment, why: str) -> None:
    told: dict[str, Any] = {
        "another key": context(delegation(deployed, "0x" + "1" * 64)),
        "another account": context(delegation(deployed, delegator=SHOP)),
        "handed on": context(delegation(deployed, authority=b"\1" * 32)),
        "no limits": context(delegation(deployed, caveats=())),
        "no context": 5,
    }
    await connected(driver)
    await driver.request(GRANT, [wanted(deployed)])
    await driver.reply(await question(driver), value={"context": told[why]})
    assert await error(driver) == (4100, NOT_SIGNED)


@pytest.fixture
def service(deployed: Deployment, monkeypatch: pytest.MonkeyPatch) -> list[SmartSession]:
    """What the sessions service knows of the account."""
    known = list[SmartSession]()

    async def tell(*_: object) -> tuple[SmartSession, ...]:
        return tuple(known)

    monkeypatch.setattr(deployed.services.blockchain.smart_sessions, "granted", tell)
    return known


def session(deployed: Deployment, **changes: Any) -> SmartSession:
    now = datetime.now(UTC)
    made = {"pci": PCI, "expiry": now, "created_at": now, "context": context(delegation(deployed))}
    return SmartSession.model_construct(**{**made, **changes})


async def revoking(driver: Driver) -> dict[str, Any]:
    await connected(driver)
    await driver.request(REVOKE, [{"pci": PCI}])
    return await question(driver)


async def test_the_frame_ends_it_on_the_chain_and_signs_its_id(
    driver: Driver, deployed: Deployment, service: list[SmartSession]
) -> None:
    service.append(session(deployed))
    command = await revoking(driver)
    assert command["params"]["params"] == [{"pci": PCI, "context": context(delegation(deployed))}]
    signature = "0x" + bytes(Account.sign_message(encode_defunct(text=PCI), KEY).signature).hex()
    await driver.reply(command, value=signature)
    assert await result(driver) == signature


async def test_its_transaction_is_on_record_before_the_frame_is_asked(
    driver: Driver, deployed: Deployment, service: list[SmartSession]
) -> None:
    service.append(session(deployed))
    command = await revoking(driver)
    (recorded,) = await deployed.requests.latest()
    selector = disable_call(delegation(deployed))[:4].hex()
    assert (recorded.status, recorded.proposal.to) == ("asked", MANAGER)
    assert recorded.proposal.data.startswith("0x" + selector)
    await driver.reply(command, code=4001, message="User rejected the request.")
    (recorded,) = await deployed.requests.latest()
    assert recorded.status == "declined"


async def test_another_signature_is_none(driver: Driver, deployed: Deployment, service: list[SmartSession]) -> None:
    service.append(session(deployed))
    signature = "0x" + bytes(Account.sign_message(encode_defunct(text="other"), KEY).signature).hex()
    await driver.reply(await revoking(driver), value=signature)
    assert await error(driver) == (4100, NOT_SIGNED)


@pytest.mark.parametrize("change", ["unknown", "another account"])
async def test_nobody_takes_back_what_is_not_theirs(
    driver: Driver, deployed: Deployment, service: list[SmartSession], change: str
) -> None:
    if change == "another account":
        service.append(session(deployed, context=context(delegation(deployed, delegator=SHOP))))
    await connected(driver)
    await driver.request(REVOKE, [{"pci": PCI}])
    assert ((await error(driver))[0], await driver.commands("wallet.request")) == (-32602, [])
