"""Requests to the embedded wallet: its frame confirms them, in ApproveTransaction, whoever asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver
from tests.features.embedded_stage import connected, logged_in, place, secure_site, sessions
from tests.features.test_request_policy import error
from walletmodal.core.errors.codes import UNAUTHORIZED
from walletmodal.core.smart_accounts import safe
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_8
from walletmodal.core.smart_accounts.delegator import operation_message
from walletmodal.core.smart_accounts.typed_message import Domain, TypedMessage
from walletmodal.core.smart_accounts.user_operation import PACKED_FIELDS, UserOperation
from walletmodal.deployment import Deployment
from walletmodal.features.approve.state import ApproveState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.requests.decisions import OBEYED_REFUSED
from walletmodal.features.shell.state import ShellState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

MESSAGE = ["0x68656c6c6f", ADDRESS]


def signed_operation(sender: str) -> dict[str, Any]:
    """What the key of an account signs for an operation of entry point 0.8."""
    packed = UserOperation(sender=sender, nonce=0, call_data=b"").pack()
    domain = Domain(1, ENTRY_POINT_0_8, "ERC4337")
    return TypedMessage(domain, "PackedUserOperation", PACKED_FIELDS, packed.struct).to_json()


OWN_CONTRACT = operation_message(UserOperation(sender=ADDRESS, nonce=0, call_data=b""), 1).to_json()
SAFE = safe.SafeAccount((ADDRESS,)).address
OF_SAFE = safe.operation_message(UserOperation(sender=SAFE, nonce=0, call_data=b""), 1).to_json()


async def sign(driver: Driver, call_id: str = "request") -> None:
    await driver.request("personal_sign", MESSAGE, call_id=call_id)


async def requests(driver: Driver) -> list[dict[str, Any]]:
    return await driver.commands("wallet.request")


async def framed(driver: Driver) -> tuple[bool, bool]:
    own = await driver.state(EmbeddedState)
    return own.confirming, own.framed


async def test_a_request_opens_the_frames_place(driver: Driver) -> None:
    await connected(driver)
    await sign(driver)
    assert (await place(driver), await framed(driver)) == ((True, "ApproveTransaction"), (True, True))


async def test_it_is_asked_with_what_we_read_in_it(driver: Driver) -> None:
    await connected(driver)
    await sign(driver)
    (command,) = await requests(driver)
    assert command["params"]["connector"] == "ID_AUTH"
    assert set(command["params"]["hint"]) == {"title", "lines"}


async def test_the_answer_closes_it(driver: Driver) -> None:
    await connected(driver)
    await sign(driver)
    (command,) = await requests(driver)
    await driver.reply(command, value="0x1234")
    assert ((await place(driver))[0], (await framed(driver))[0]) == (False, False)


async def test_the_answer_leads_back_to_the_view_before(driver: Driver) -> None:
    await connected(driver)
    await driver.call("open", call_id="again", view="AccountSettings")
    await sign(driver)
    (command,) = await requests(driver)
    before = await place(driver)
    await driver.reply(command, code=4001, message="User rejected the request")
    assert (before, await place(driver)) == ((True, "ApproveTransaction"), (True, "AccountSettings"))


async def test_it_stays_for_the_next_one(driver: Driver) -> None:
    await connected(driver)
    await sign(driver, "one")
    await sign(driver, "two")
    first, _ = await requests(driver)
    await driver.reply(first, value="0x1234")
    assert (await place(driver), await framed(driver)) == ((True, "ApproveTransaction"), (True, True))


async def test_closing_has_the_browser_take_it_back(driver: Driver) -> None:
    await connected(driver)
    await sign(driver)
    await driver.fire(ShellState.close)
    (command,) = await requests(driver)
    assert await framed(driver) == (False, True)
    await driver.reply(command, code=4001, message="Request was aborted")
    assert (await place(driver))[0] is False


async def test_leaving_the_view_has_the_browser_take_it_back(driver: Driver) -> None:
    await connected(driver)
    await sign(driver)
    await driver.call("open", call_id="again", view="Networks")
    assert (await place(driver), (await framed(driver))[0]) == ((True, "Networks"), False)


async def test_a_view_on_top_of_it_hides_it(driver: Driver) -> None:
    await connected(driver)
    await sign(driver)
    await driver.fire(ShellState.push("WhatIsAWallet"))
    assert (await place(driver), (await framed(driver))[0]) == ((True, "WhatIsAWallet"), False)


async def test_what_the_frame_does_not_confirm_opens_nothing(driver: Driver) -> None:
    await connected(driver)
    await driver.request("wallet_getCapabilities", [ADDRESS])
    assert ((await place(driver))[0], await framed(driver)) == (False, (False, False))


async def test_another_wallet_is_asked_as_before(driver: Driver) -> None:
    await driver.connect()
    await sign(driver)
    assert (await place(driver))[0] is False
    assert "hint" not in (await requests(driver))[0]["params"]


async def test_the_policy_decides_first(driver: Driver, decides: Callable[[str], None]) -> None:
    decides('return Deny("no")')
    await connected(driver)
    await sign(driver)
    assert ((await driver.answer("request"))["error"]["code"], await requests(driver)) == (4100, [])


async def test_what_the_policy_wants_confirmed_is_confirmed_in_the_frame_alone(
    driver: Driver, decides: Callable[[str], None]
) -> None:
    decides('return Confirm("A new receiver")')
    await connected(driver)
    await sign(driver)
    (command,) = await requests(driver)
    assert command["params"]["hint"]["lines"][0] == "A new receiver"
    assert (await driver.state(ApproveState)).phase == "idle"
    assert (await driver.state(EmbeddedState)).hints[0] == "A new receiver"


async def test_a_deployment_that_confirms_everything_has_it_confirmed_once(driver: Driver) -> None:
    await connected(driver, options={"confirmRequests": "all"})
    await sign(driver)
    assert ((await driver.state(ApproveState)).phase, len(await requests(driver))) == ("idle", 1)


async def test_it_is_in_the_audit(
    driver: Driver, deployed: Deployment, decides: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[Any] = []
    monkeypatch.setattr(deployed.audit, "note", noted.append)
    decides('return Confirm("A new receiver")')
    await connected(driver)
    await sign(driver)
    (entry,) = noted
    assert (entry.outcome, entry.method, entry.reason) == ("allowed", "personal_sign", "A new receiver")


async def test_a_page_that_was_left_waits_for_nothing(driver: Driver) -> None:
    await connected(driver)
    await sign(driver)
    await driver.reload(sessions=sessions())
    assert (await place(driver), await framed(driver)) == ((False, "Connect"), (False, False))


async def test_a_silent_return_knows_who_is_logged_in(driver: Driver) -> None:
    await driver.load(sessions={"eip155": logged_in()})
    assert (await driver.account()).wallet_name == "Email wallet"


async def test_opening_the_view_by_name_shows_that_nothing_waits(driver: Driver) -> None:
    await connected(driver)
    await sign(driver)
    (command,) = await requests(driver)
    await driver.reply(command, value="0x1234")
    await driver.call("open", call_id="again", view="ApproveTransaction")
    assert await framed(driver) == (False, False)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(signed_operation(ADDRESS), id="an operation of the account"),
        pytest.param(signed_operation(OTHER), id="one of an account that the key may own"),
        pytest.param(OWN_CONTRACT, id="what the account's own contract obeys"),
        pytest.param(OF_SAFE, id="an operation of a Safe of the key, though the site has none"),
        pytest.param(safe.message_of_digest(SAFE, 1, bytes(32)).to_json(), id="a message of that Safe"),
    ],
)
async def test_no_page_has_signed_what_the_account_itself_obeys(driver: Driver, data: dict[str, Any]) -> None:
    await connected(driver)
    await driver.request("eth_signTypedData_v4", [ADDRESS, data])
    assert (await error(driver), await requests(driver)) == ((UNAUTHORIZED, OBEYED_REFUSED.message), [])


async def test_other_wallets_are_asked_about_user_operations(driver: Driver) -> None:
    await driver.connect()
    await driver.request("eth_signTypedData_v4", [ADDRESS, signed_operation(ADDRESS)])
    assert len(await requests(driver)) == 1
