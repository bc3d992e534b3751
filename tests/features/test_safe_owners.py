"""Who controls a Safe of the embedded wallet: seen and changed by its owner, and by no page."""

from __future__ import annotations

import pytest

from tests.driver import ADDRESS, OTHER, Driver
from tests.features.embedded_stage import secure_site
from tests.features.sponsored_stage import SIGN, Preparing, paid, preparing
from tests.features.test_request_policy import error
from tests.features.test_safe_accounts import SAFE, TRANSACTION, question, sign, with_safe
from walletmodal.core.errors import RequestTimeoutError
from walletmodal.core.errors.codes import UNAUTHORIZED
from walletmodal.core.smart_accounts.safe import message_of_digest, operation_message
from walletmodal.core.smart_accounts.safe_owners import add_owner_call, remove_owner_call
from walletmodal.core.smart_accounts.typed_message import TypedMessage
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.deployment import Deployment
from walletmodal.features.embedded.account_type import AccountTypeState, refresh_owners
from walletmodal.features.embedded.owners import NO_ADDRESS, NOBODY_OWNS, OWNER_ALREADY, SENT, VIEW, SafeOwners
from walletmodal.features.requests.decisions import OBEYED_REFUSED, OWNERS_REFUSED
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

__all__ = ["paid", "preparing", "secure_site"]

pytestmark = [pytest.mark.usefixtures("paid"), pytest.mark.parametrize("manager", ["redis"], indirect=True)]

FRIEND = "0x016562aA41A8697720ce0943F003141f5dEAe006"


class Owners:
    """What the network says; `SmartAccountNetworks` has tests of its own, on a real one."""

    def __init__(self) -> None:
        self.told: tuple[str, ...] | None = (FRIEND, ADDRESS)

    async def safe_owners(self, *_: object) -> tuple[str, ...]:
        if self.told is None:
            raise RequestTimeoutError(url="https://node.example")
        return self.told


@pytest.fixture
def network(deployed: Deployment, monkeypatch: pytest.MonkeyPatch) -> Owners:
    owners = Owners()
    monkeypatch.setattr(deployed.smart_accounts.networks, "safe_owners", owners.safe_owners)
    return owners


async def seen(driver: Driver) -> SafeOwners:
    """The owner looks at the profile."""
    await with_safe(driver)
    await driver.call("open", call_id="profile")
    await driver.fire(ShellState.push(VIEW))
    await driver.fire(AccountTypeState.load_owners)
    return await told(driver)


async def told(driver: Driver) -> SafeOwners:
    held = await driver.state(AccountTypeState)
    found: SafeOwners = held.get_value("known")
    return found


async def added(driver: Driver, typed: str) -> None:
    await driver.fire(AccountTypeState.type_owner(typed))
    await driver.fire(AccountTypeState.add_owner)


async def test_the_owner_sees_who_controls_the_safe(driver: Driver, network: Owners) -> None:
    assert await seen(driver) == {"phase": "shown", "rows": [FRIEND, ADDRESS], "key": ADDRESS}


async def test_while_the_network_does_not_answer_it_says_so(driver: Driver, network: Owners) -> None:
    network.told = None
    assert await seen(driver) == {"phase": "failed"}


async def test_another_owner_is_added_by_the_safe_itself(driver: Driver, network: Owners, preparing: Preparing) -> None:
    await seen(driver)
    await added(driver, f" {OTHER} ")
    (one,) = preparing.asked
    assert one.calls == (add_owner_call(SAFE, OTHER),)
    asked = await question(driver)
    assert (asked["method"], asked["hint"]["lines"]) == (SIGN, [f"{OTHER} will control this account"])


async def test_an_owner_is_removed_behind_the_one_before(driver: Driver, network: Owners, preparing: Preparing) -> None:
    network.told = (ADDRESS, FRIEND)
    await seen(driver)
    await driver.fire(AccountTypeState.remove_owner(FRIEND))
    (one,) = preparing.asked
    assert one.calls == (remove_owner_call(SAFE, (ADDRESS, FRIEND), FRIEND),)


@pytest.mark.parametrize(
    ("given", "why"),
    [("me", NO_ADDRESS), ("", NO_ADDRESS), (FRIEND, OWNER_ALREADY), (SAFE, NOBODY_OWNS), ("0x" + "0" * 39 + "1", NOBODY_OWNS)],
)  # fmt: skip
async def test_an_address_that_can_be_no_owner_is_refused(
    driver: Driver, network: Owners, preparing: Preparing, given: str, why: str
) -> None:
    await seen(driver)
    await added(driver, given)
    assert ((await told(driver)).get("error"), preparing.asked) == (why, [])


async def test_the_wallets_own_key_stays_an_owner(driver: Driver, network: Owners, preparing: Preparing) -> None:
    await seen(driver)
    await driver.fire(AccountTypeState.remove_owner(ADDRESS))
    assert preparing.asked == []


async def test_the_list_follows_the_transaction(driver: Driver, network: Owners, preparing: Preparing) -> None:
    await seen(driver)
    await driver.fire(AccountTypeState.remove_owner(FRIEND))
    assert (await told(driver)).get("busy")
    await sign(driver)
    assert (await driver.state(ToastState)).message == SENT
    assert not (await told(driver)).get("busy")
    assert await refresh_owners(await driver.state(ShellState)) == [AccountTypeState.load_owners]


async def test_no_page_changes_the_owners(driver: Driver, preparing: Preparing) -> None:
    await with_safe(driver)
    data = "0x" + add_owner_call(SAFE, OTHER).data.hex()
    await driver.request("eth_sendTransaction", [{**TRANSACTION, "to": SAFE, "data": data}])
    assert (await error(driver), preparing.asked) == ((UNAUTHORIZED, OWNERS_REFUSED.message), [])


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(operation_message(UserOperation(sender=SAFE, nonce=0, call_data=b""), 1), id="an operation"),
        pytest.param(message_of_digest(SAFE, 1, bytes(32)), id="a message"),
    ],
)
async def test_no_page_has_the_owner_sign_what_the_safe_obeys(driver: Driver, message: TypedMessage) -> None:
    await with_safe(driver, ADDRESS, SAFE)
    await driver.request("eth_signTypedData_v4", [ADDRESS, message.to_json()])
    assert (await error(driver), await driver.commands("wallet.request")) == (
        (UNAUTHORIZED, OBEYED_REFUSED.message),
        [],
    )
