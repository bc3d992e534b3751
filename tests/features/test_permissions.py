"""The list of permissions: what was granted, what was used of it, and its end; and what is shown after a grant."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from tests.core.permissions.samples import DAY, FRIEND, MINT
from tests.driver import ADDRESS, Driver
from tests.features.embedded_stage import connected, place, secure_site
from tests.features.test_embedded_permissions import KEY, REQUEST, Network, grant, network, question, signature, wanted
from walletmodal.core.clock import MovableClock
from walletmodal.core.permissions.delegation import Delegation, decode_context
from walletmodal.core.permissions.framework import MANAGER, NONCE
from walletmodal.core.permissions.redemption import Usage, disable_all_call, disable_call
from walletmodal.core.text.texts import SESSION_REVOKE_FAILED, SESSIONS_FETCH_FAILED
from walletmodal.deployment import Deployment
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.permissions.rows import PermissionRow
from walletmodal.features.permissions.state import CREATED, LIST, SENT, PermissionsState, refresh_permissions
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

__all__ = ["network", "secure_site"]

pytestmark = [
    pytest.mark.usefixtures("secure_site", "network"),
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
]

OPTIONS = {"features": {"smartSessions": True}}
ETHER = 10**18
COIN: dict[str, Any] = {"kind": "native-token-periodic", "token": "", "amount": ETHER}
HASH = "0x" + "ab" * 32


async def granted(driver: Driver, deployed: Deployment, **changes: Any) -> Delegation:
    """One ETH a day for three days, granted to the page."""
    found = await grant(driver, deployed, **{**COIN, **changes})
    (delegation,) = decode_context(bytes.fromhex(found["context"][2:]))
    return delegation


async def listed(driver: Driver) -> None:
    """The visitor looks at the list."""
    await driver.call("open", call_id="list")
    await driver.fire(ShellState.push(LIST))
    await driver.fire(PermissionsState.load)


async def rows(driver: Driver, tab: str = "Active") -> list[PermissionRow]:
    await driver.fire(PermissionsState.choose_tab(tab))
    held = await driver.state(PermissionsState)
    return [row for month in held.get_value("months") for row in month["rows"]]


async def leaving(driver: Driver) -> list[bool]:
    """Which rows are marked as being taken back."""
    return [row["leaving"] for row in await rows(driver)]


async def toast(driver: Driver) -> str:
    return (await driver.state(ToastState)).message


async def test_the_list_says_what_was_granted_and_what_was_used(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    network.usage = Usage(ETHER // 4, 3 * ETHER // 4)
    await connected(driver)
    await granted(driver, deployed)
    await listed(driver)
    (row,) = await rows(driver)
    assert row["sentence"].startswith("1 ETH a day to ")
    assert row["used"] == "0.25 ETH used in this period, 0.75 ETH left"


async def test_they_stand_in_the_month_of_their_grant(driver: Driver, deployed: Deployment) -> None:
    await connected(driver)
    await granted(driver, deployed)
    await listed(driver)
    (month,) = (await driver.state(PermissionsState)).get_value("months")
    assert month["title"] == f"{deployed.clock.now():%B %Y}"


async def test_one_that_has_ended_is_under_expired(driver: Driver, deployed: Deployment) -> None:
    deployed.clock = clock = MovableClock(deployed.clock.now())
    await connected(driver)
    await granted(driver, deployed)
    clock.advance(4 * DAY)
    await listed(driver)
    assert await rows(driver) == []
    assert [row["used"][:6] for row in await rows(driver, "Expired")] == ["Ended "]


async def test_one_that_the_chain_knows_as_revoked_is_under_revoked(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    await connected(driver)
    network.revoked.add((await granted(driver, deployed)).hash)
    await listed(driver)
    assert await rows(driver) == []
    assert [row["used"] for row in await rows(driver, "Revoked")] == ["Taken back"]


async def test_while_the_network_does_not_answer_the_list_says_so(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    await connected(driver)
    await granted(driver, deployed)
    network.away = True
    await listed(driver)
    assert ((await driver.state(PermissionsState)).phase, await toast(driver)) == ("failed", SESSIONS_FETCH_FAILED)


async def test_of_another_wallet_nothing_is_listed(driver: Driver) -> None:
    await driver.connect()
    await listed(driver)
    assert ((await driver.state(PermissionsState)).phase, await rows(driver)) == ("shown", [])


async def test_one_is_taken_back_by_a_transaction_of_the_account(driver: Driver, deployed: Deployment) -> None:
    await connected(driver)
    delegation = await granted(driver, deployed)
    await listed(driver)
    (row,) = await rows(driver)
    await driver.fire(PermissionsState.revoke(row["id"]))
    command = await question(driver)
    data = "0x" + disable_call(delegation).hex()
    assert command["params"]["params"] == [{"from": ADDRESS, "to": MANAGER, "data": data}]


async def test_all_are_taken_back_by_the_accounts_nonce(driver: Driver, deployed: Deployment) -> None:
    await connected(driver)
    await granted(driver, deployed)
    await listed(driver)
    await driver.fire(PermissionsState.revoke_all)
    command = await question(driver)
    data = "0x" + disable_all_call().hex()
    assert command["params"]["params"] == [{"from": ADDRESS, "to": NONCE, "data": data}]
    assert "other pages" in command["params"]["hint"]["lines"][0]
    assert (await driver.state(EmbeddedState)).hints == []


async def revoking(driver: Driver, deployed: Deployment) -> dict[str, Any]:
    """The frame asks whether the one permission is to be taken back."""
    await connected(driver)
    await granted(driver, deployed)
    await listed(driver)
    (row,) = await rows(driver)
    await driver.fire(PermissionsState.revoke(row["id"]))
    return await question(driver)


async def test_while_one_is_being_taken_back_nobody_is_asked_again(driver: Driver, deployed: Deployment) -> None:
    await revoking(driver, deployed)
    (row,) = await rows(driver)
    await driver.fire(PermissionsState.revoke(row["id"]))
    assert len(await driver.commands("wallet.request")) == 1


async def test_one_stays_marked_until_its_transaction_is_in_the_chain(driver: Driver, deployed: Deployment) -> None:
    await driver.reply(await revoking(driver, deployed), value=HASH)
    assert (await toast(driver), await leaving(driver), (await place(driver))[1]) == (SENT, [True], LIST)


async def test_after_the_transaction_the_chain_is_asked_anew(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    command = await revoking(driver, deployed)
    await driver.reply(command, value=HASH)
    network.everything_revoked = True
    async with driver.changing(PermissionsState) as held:
        followups = await refresh_permissions(held)
    for event in followups:
        await driver.fire(event)
    assert await rows(driver) == []


async def test_who_declines_keeps_it_and_reads_no_error(driver: Driver, deployed: Deployment) -> None:
    await driver.reply(await revoking(driver, deployed), code=4001, message="User rejected the request.")
    assert (await leaving(driver), await toast(driver)) == ([False], "")


async def test_a_transaction_that_fails_is_told(driver: Driver, deployed: Deployment) -> None:
    await driver.reply(await revoking(driver, deployed), code=-32603, message="no")
    assert (await leaving(driver), await toast(driver)) == ([False], SESSION_REVOKE_FAILED)


async def test_where_the_record_cannot_be_read_nobody_is_asked(
    driver: Driver, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise OperationalError("select", {}, Exception())

    await connected(driver)
    await granted(driver, deployed)
    await listed(driver)
    (row,) = await rows(driver)
    monkeypatch.setattr(deployed.permissions, "of_account", away)
    await driver.fire(PermissionsState.revoke(row["id"]))
    assert (await driver.commands("wallet.request"), await toast(driver)) == ([], SESSION_REVOKE_FAILED)


async def test_an_id_that_is_not_listed_takes_nothing_back(driver: Driver, deployed: Deployment) -> None:
    await connected(driver)
    await granted(driver, deployed)
    await listed(driver)
    await driver.fire(PermissionsState.revoke("0" * 64))
    assert await driver.commands("wallet.request") == []


async def test_after_a_grant_the_visitor_sees_what_it_allows(driver: Driver, deployed: Deployment) -> None:
    await connected(driver, options=OPTIONS)
    await granted(driver, deployed)
    await driver.fire(PermissionsState.load)
    assert await place(driver) == (True, CREATED)
    assert [row["sentence"][:8] for row in await rows(driver) if row["fresh"]] == ["1 ETH a "]


async def test_of_several_grants_each_is_named(driver: Driver, deployed: Deployment) -> None:
    await connected(driver, options=OPTIONS)
    await driver.request(REQUEST, [wanted(deployed, **COIN), wanted(deployed, **{**COIN, "period": 7 * DAY})])
    for _ in range(2):
        command = await question(driver)
        await driver.reply(command, value=signature(command, KEY))
    await driver.fire(PermissionsState.load)
    assert [row["fresh"] for row in await rows(driver)] == [True, True]


async def test_from_there_the_visitor_comes_to_the_account(driver: Driver, deployed: Deployment) -> None:
    await connected(driver, options=OPTIONS)
    await granted(driver, deployed)
    await driver.fire(PermissionsState.open_account)
    assert await place(driver) == (True, "Account")


async def test_without_the_feature_nothing_is_shown_after_a_grant(driver: Driver, deployed: Deployment) -> None:
    await connected(driver)
    await granted(driver, deployed)
    assert not (await place(driver))[0]


@pytest.mark.parametrize("wanted", [True, False])
async def test_the_way_to_the_list_is_there_where_the_host_wants_it(driver: Driver, *, wanted: bool) -> None:
    await driver.connect(options={"features": {"smartSessions": wanted}})
    assert (await driver.state(PermissionsState)).offered is wanted


async def test_another_page_begins_with_an_empty_list(driver: Driver, deployed: Deployment) -> None:
    await connected(driver)
    await granted(driver, deployed)
    await listed(driver)
    await driver.reload()
    held = await driver.state(PermissionsState)
    assert (held.phase, held.get_value("months")) == ("loading", [])


async def test_calls_of_a_contract_are_counted_in_the_list(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    network.usage = Usage(2, 3)
    await connected(driver)
    calls = {"kind": "contract-call", "token": "", "period": None, "start": 0, "amount": ETHER}
    await grant(driver, deployed, **calls, contract=FRIEND, methods=(MINT,), calls=5)
    await listed(driver)
    (row,) = await rows(driver)
    assert row["sentence"].startswith(f"5 calls of {MINT} of 0x70...dc79C8 with up to 1 ETH each, by ")
    assert row["used"] == "2 calls made so far, 3 left"
