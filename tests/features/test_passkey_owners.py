"""Passkeys that control a Safe: seen, added, and chosen to sign by its owner, and by no page."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, Driver
from tests.features.embedded_stage import logged_in, secure_site
from tests.features.sponsored_stage import Preparing, asked_to_sign, frame, paid, preparing
from tests.features.test_safe_accounts import BATCH, SAFE, TRANSACTION, question, records
from tests.features.test_safe_owners import FRIEND, Owners, network, seen, told
from tests.services.passkey_owner import PasskeyOwner
from walletmodal.core.smart_accounts.safe import operation_message
from walletmodal.core.smart_accounts.safe_owners import remove_owner_call
from walletmodal.core.smart_accounts.user_operation import read_user_operation
from walletmodal.deployment import Deployment
from walletmodal.features.embedded.account_type import AccountTypeState

__all__ = ["network", "paid", "preparing", "secure_site"]

pytestmark = [pytest.mark.usefixtures("paid"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

PASSKEY = PasskeyOwner()
SIGNER = PASSKEY.signer.address
MADE = 1_794_484_800_000


def listed(*passkeys: PasskeyOwner, **changed: object) -> list[dict[str, Any]]:
    """As the frame tells of passkeys."""
    points = [one.signer for one in passkeys]
    given = [
        {"x": f"{one.x:064x}", "y": f"{one.y:064x}", "name": "Chrome on Linux", "createdAt": MADE} for one in points
    ]
    return [{**one, **changed} for one in given]


async def seen_with(driver: Driver, passkeys: object) -> None:
    """The owner looks at the profile, and the frame tells these passkeys."""
    await seen(driver)
    async with frame(driver, passkeys=passkeys):
        await driver.fire(AccountTypeState.load_passkeys)


async def owned(driver: Driver, network: Owners) -> None:
    """One of them is an owner already."""
    network.told = (SIGNER, ADDRESS)
    await seen_with(driver, listed(PASSKEY))


async def test_a_passkey_can_be_an_owner_until_it_is_one(driver: Driver, network: Owners) -> None:
    await seen_with(driver, listed(PASSKEY))
    known = await told(driver)
    assert known.get("passkeys") == {SIGNER: {"name": "Chrome on Linux", "made": "Passkey, 12 Nov 2026"}}
    assert known.get("offered") == [SIGNER]
    network.told = (SIGNER, ADDRESS)
    await driver.fire(AccountTypeState.load_owners)
    assert (await told(driver)).get("offered") == []


@pytest.mark.parametrize(
    "passkeys",
    [None, "none", listed(PASSKEY, x="12"), listed(PASSKEY, y=7), listed(PASSKEY, PASSKEY), listed(PASSKEY) * 21],
)
async def test_what_makes_no_sense_is_no_list(driver: Driver, network: Owners, passkeys: object) -> None:
    await seen_with(driver, passkeys)
    assert await told(driver) == {"phase": "shown", "rows": [FRIEND, ADDRESS], "key": ADDRESS}


async def test_a_passkey_is_added_with_its_contract_at_once(
    driver: Driver, network: Owners, preparing: Preparing
) -> None:
    await seen_with(driver, listed(PASSKEY))
    await driver.fire(AccountTypeState.add_passkey(SIGNER))
    (one,) = preparing.asked
    assert (one.calls, one.passkey) == (PASSKEY.signer.own_calls(SAFE), None)
    assert (await question(driver))["hint"]["lines"] == ["The passkey of Chrome on Linux will control this account"]


@pytest.mark.parametrize("owner", [FRIEND, ADDRESS, "", None])
async def test_nothing_else_is_added_as_a_passkey(
    driver: Driver, network: Owners, preparing: Preparing, owner: Any
) -> None:
    await seen_with(driver, listed(PASSKEY))
    await driver.fire(AccountTypeState.add_passkey(owner))
    assert preparing.asked == []


async def answer(driver: Driver, passkey: PasskeyOwner = PASSKEY, **changed: Any) -> None:
    """The passkey signs what the frame is asked."""
    command = await asked_to_sign(driver)
    given = read_user_operation({**command["params"]["params"][0], "signature": "0x"})
    signed = passkey.sign(operation_message(given, 1).digest, **changed)
    await driver.reply(command, value={"signature": "0x" + signed.hex()})


@pytest.mark.parametrize(("method", "given"), [("eth_sendTransaction", TRANSACTION), ("wallet_sendCalls", BATCH)])
async def test_a_passkey_that_is_chosen_signs_what_pages_ask_for(
    driver: Driver, network: Owners, preparing: Preparing, deployed: Deployment, method: str, given: dict[str, Any]
) -> None:
    await owned(driver, network)
    await driver.fire(AccountTypeState.sign_by(SIGNER))
    await driver.request(method, [given])
    assert (await asked_to_sign(driver))["params"]["params"][2] == {"passkey": SIGNER}
    assert [one.passkey for one in preparing.asked] == [PASSKEY.signer]
    await answer(driver)
    (entry,) = await records(deployed)
    assert entry.status == "sent"


async def test_what_another_passkey_signs_is_not_sent(
    driver: Driver, network: Owners, preparing: Preparing, deployed: Deployment
) -> None:
    await owned(driver, network)
    await driver.fire(AccountTypeState.sign_by(SIGNER))
    await driver.request("eth_sendTransaction", [TRANSACTION])
    await answer(driver, PasskeyOwner())
    (entry,) = await records(deployed)
    assert entry.status == "declined"


@pytest.mark.parametrize(
    "owner", [FRIEND, ADDRESS, PasskeyOwner().signer.address, 7], ids=["friend", "wallet", "another passkey", "no text"]
)
async def test_no_other_owner_can_be_chosen_to_sign(
    driver: Driver, network: Owners, preparing: Preparing, owner: Any
) -> None:
    await owned(driver, network)
    await driver.fire(AccountTypeState.sign_by(owner))
    await driver.request("eth_sendTransaction", [TRANSACTION])
    assert [one.passkey for one in preparing.asked] == [None]


async def test_the_key_signs_again_when_the_owner_wants_it(
    driver: Driver, network: Owners, preparing: Preparing
) -> None:
    await owned(driver, network)
    await driver.fire(AccountTypeState.sign_by(SIGNER))
    assert (await told(driver)).get("signer") == SIGNER
    await driver.fire(AccountTypeState.sign_by(""))
    await driver.request("eth_sendTransaction", [TRANSACTION])
    assert [one.passkey for one in preparing.asked] == [None]


async def test_the_key_signs_again_on_another_page(driver: Driver, network: Owners, preparing: Preparing) -> None:
    await owned(driver, network)
    await driver.fire(AccountTypeState.sign_by(SIGNER))
    await driver.reload(sessions={"eip155": logged_in(accounts=[SAFE, ADDRESS], chain="1")})
    await driver.request("eth_sendTransaction", [TRANSACTION])
    assert [one.passkey for one in preparing.asked] == [None]


async def test_a_passkey_that_is_an_owner_no_more_signs_nothing(
    driver: Driver, network: Owners, preparing: Preparing
) -> None:
    await owned(driver, network)
    await driver.fire(AccountTypeState.sign_by(SIGNER))
    network.told = (ADDRESS,)
    await driver.fire(AccountTypeState.load_owners)
    assert "signer" not in await told(driver)
    await driver.request("eth_sendTransaction", [TRANSACTION])
    assert [one.passkey for one in preparing.asked] == [None]


async def test_a_passkey_does_not_sign_its_own_end(driver: Driver, network: Owners, preparing: Preparing) -> None:
    await owned(driver, network)
    await driver.fire(AccountTypeState.sign_by(SIGNER))
    await driver.fire(AccountTypeState.remove_owner(SIGNER))
    (one,) = preparing.asked
    assert (one.calls, one.passkey) == ((remove_owner_call(SAFE, (SIGNER, ADDRESS), SIGNER),), None)
    assert (await question(driver))["hint"]["lines"] == [
        "The passkey of Chrome on Linux will no longer control this account"
    ]
