"""Permissions of the embedded wallet: signed in its frame, verified, on record, and taken back by a transaction."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from eth_account import Account
from eth_account.messages import encode_typed_data
from sqlalchemy.exc import OperationalError

from tests.core.permissions.samples import DAY, SHOP, TEN, USDC
from tests.driver import ADDRESS, Driver
from tests.features.embedded_stage import connected, secure_site
from tests.features.test_request_policy import audit, error
from walletmodal.config import settings
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import RequestTimeoutError
from walletmodal.core.permissions.delegation import Delegation, decode_context, encode_context
from walletmodal.core.permissions.execution_permissions import PermissionRequest, request_json
from walletmodal.core.permissions.framework import MANAGER
from walletmodal.core.permissions.permission import Permission, nonce_of, read_caveats
from walletmodal.core.permissions.redemption import Usage, disable_call
from walletmodal.core.smart_accounts.account_state import AccountState
from walletmodal.deployment import Deployment
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.permissions.lookup import UNKNOWN_NOW
from walletmodal.features.requests.permissions import NOT_SIGNED, NOT_SMART, SAFE_ACCOUNT
from walletmodal.services.chains.eip155.permissions import PermissionStatus

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
"""Of ADDRESS, a published one."""
REQUEST = "wallet_requestExecutionPermissions"
HASH = "0x" + "ab" * 32
GRANTED = "wallet_getGrantedExecutionPermissions"


class Network:
    """What the network says; `EvmPermissions` has tests of its own, on a real one."""

    def __init__(self) -> None:
        self.kind: Any = "delegated"
        self.away = False
        self.revoked = set[bytes]()
        self.everything_revoked = False
        self.usage: Usage | None = None
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    async def account_state(self, _chain: ChainId, _account: str) -> AccountState:
        self._answer()
        return AccountState(self.kind)

    async def nonce(self, _chain: ChainId, _account: str) -> int:
        self._answer()
        return 3

    async def status(self, _chain: ChainId, delegation: Delegation, *_rest: object) -> PermissionStatus:
        self._answer()
        if self.meanwhile is not None:
            await self.meanwhile()
        revoked = self.everything_revoked or delegation.hash in self.revoked
        return PermissionStatus("revoked" if revoked else "active", self.usage)

    def _answer(self) -> None:
        if self.away:
            raise RequestTimeoutError(url="https://node.example")


@pytest.fixture
def network(deployed: Deployment) -> Network:
    # Requests that are made one after the other are of the same moment.
    deployed.clock = MovableClock(deployed.clock.now())
    deployed.chain_permissions = network = Network()  # type: ignore[assignment]  # a double of the network
    return network


def wanted(deployed: Deployment, **changes: Any) -> dict[str, Any]:
    now = int(deployed.clock.now().timestamp())
    permission = Permission("erc20-token-periodic", TEN, now, USDC, period=DAY, until=now + 3 * DAY)
    return request_json(PermissionRequest(1, SHOP, "", replace(permission, **changes)), ADDRESS)


async def question(driver: Driver) -> dict[str, Any]:
    (command,) = await driver.commands("wallet.request")
    return command


def signature(command: dict[str, Any], key: str = KEY) -> str:
    typed = command["params"]["params"][1]
    signed = Account.sign_message(encode_typed_data(full_message=typed), key)
    return "0x" + bytes(signed.signature).hex()


async def result(driver: Driver) -> Any:
    *_, command = await driver.commands("host.settle")
    assert command["params"]["ok"], command
    return command["params"]["value"]


async def grant(driver: Driver, deployed: Deployment, **changes: Any) -> dict[str, Any]:
    await driver.request(REQUEST, [wanted(deployed, **changes)])
    command = await question(driver)
    await driver.reply(command, value=signature(command))
    (found,) = await result(driver)
    return dict(found)


async def test_the_frame_signs_the_permission_that_was_asked_for(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    await connected(driver)
    found = await grant(driver, deployed)
    (delegation,) = decode_context(bytes.fromhex(found["context"][2:]))
    assert {**wanted(deployed), "context": found["context"], "dependencies": [], "delegationManager": MANAGER} == found
    assert (delegation.delegator, delegation.delegate, nonce_of(delegation.caveats)) == (ADDRESS, SHOP, 3)
    assert read_caveats(delegation.caveats).amount == TEN


async def test_the_frame_is_told_what_it_comes_to(driver: Driver, deployed: Deployment, network: Network) -> None:
    await connected(driver)
    await driver.request(REQUEST, [wanted(deployed, kind="native-token-periodic", token="", amount=10**18)])
    command = await question(driver)
    assert command["params"]["method"] == "eth_signTypedData_v4"
    assert command["params"]["hint"]["lines"][0].startswith("In short: 1 ETH a day to ")
    assert command["params"]["hint"]["lines"][1] == "Altogether at most: 3 ETH"
    assert (await driver.state(EmbeddedState)).hints == []
    assert [entry.outcome for entry in await audit(deployed)] == ["allowed"]


async def test_several_are_signed_one_after_the_other(driver: Driver, deployed: Deployment, network: Network) -> None:
    await connected(driver)
    await driver.request(REQUEST, [wanted(deployed), wanted(deployed, amount=5)])
    for _ in range(2):
        command = await question(driver)
        await driver.reply(command, value=signature(command))
    assert [one["permission"]["data"]["periodAmount"] for one in await result(driver)] == [hex(TEN), "0x5"]


async def test_what_was_granted_is_told_to_the_page(driver: Driver, deployed: Deployment, network: Network) -> None:
    await connected(driver)
    found = await grant(driver, deployed)
    await driver.request(GRANTED, call_id="again")
    assert await result(driver) == [found]


async def test_what_was_taken_back_on_the_chain_is_told_no_more(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    await connected(driver)
    found = await grant(driver, deployed)
    (delegation,) = decode_context(bytes.fromhex(found["context"][2:]))
    network.revoked.add(delegation.hash)
    await driver.request(GRANTED, call_id="again")
    assert await result(driver) == []


async def test_the_visitor_goes_on_while_the_network_is_asked(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    await connected(driver)
    found = await grant(driver, deployed)
    network.meanwhile = lambda: driver.request("web3_clientVersion", call_id="meanwhile")
    await driver.request(GRANTED, call_id="again")
    assert await result(driver) == [found]


async def test_a_signature_of_another_key_grants_nothing(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    await connected(driver)
    await driver.request(REQUEST, [wanted(deployed)])
    command = await question(driver)
    await driver.reply(command, value=signature(command, "0x" + "1" * 64))
    assert await error(driver) == (4100, NOT_SIGNED)


@pytest.mark.parametrize("value", ["0x", None, 5, "0x" + "zz" * 65])
async def test_what_is_no_signature_grants_nothing(
    driver: Driver, deployed: Deployment, network: Network, value: Any
) -> None:
    await connected(driver)
    await driver.request(REQUEST, [wanted(deployed)])
    await driver.reply(await question(driver), value=value)
    assert await error(driver) == (4100, NOT_SIGNED)


async def test_a_visitor_who_declines_grants_nothing(driver: Driver, deployed: Deployment, network: Network) -> None:
    await connected(driver)
    await driver.request(REQUEST, [wanted(deployed)])
    await driver.reply(await question(driver), code=4001, message="User rejected the request.")
    assert await error(driver) == (4001, "User rejected the request.")


@pytest.mark.parametrize("kind", ["foreign", "contract"])
async def test_an_account_that_nothing_holds_to_it_grants_nothing(
    driver: Driver, deployed: Deployment, network: Network, kind: str
) -> None:
    network.kind = kind
    await connected(driver)
    await driver.request(REQUEST, [wanted(deployed)])
    assert ((await error(driver))[1], await driver.commands("wallet.request")) == (SAFE_ACCOUNT, [])


async def test_an_ordinary_account_becomes_a_smart_account_with_its_first_permission(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    network.kind = "plain"
    await connected(driver)
    await driver.request(REQUEST, [wanted(deployed), wanted(deployed, amount=5)])
    command = await question(driver)
    assert command["params"]["method"] == "walletmodal_signDelegation"
    await driver.reply(command, value={"signature": signature(command), "hash": HASH})
    following = await question(driver)
    assert following["params"]["method"] == "eth_signTypedData_v4"
    await driver.reply(following, value=signature(following))
    assert len(await result(driver)) == 2


async def test_the_transaction_of_that_is_on_record_before_the_frame_is_asked(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    network.kind = "plain"
    await connected(driver)
    await driver.request(REQUEST, [wanted(deployed)])
    (recorded,) = await deployed.requests.latest()
    assert (recorded.status, recorded.proposal.sender, recorded.proposal.to) == ("asked", ADDRESS, ADDRESS)
    command = await question(driver)
    await driver.reply(command, value={"signature": signature(command), "hash": HASH})
    (recorded,) = await deployed.requests.latest()
    assert (recorded.status, recorded.hash) == ("sent", HASH)


async def test_a_site_that_knows_appkits_messages_alone_makes_no_smart_account(
    driver: Driver, deployed: Deployment, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    network.kind = "plain"
    await connected(driver)
    monkeypatch.setenv("SECURE_SITE_PROTOCOL", "appkit")
    settings.cache_clear()
    await driver.request(REQUEST, [wanted(deployed)])
    assert ((await error(driver))[1], await driver.commands("wallet.request")) == (NOT_SMART, [])


async def test_while_the_network_does_not_answer_nothing_is_granted(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    network.away = True
    await connected(driver)
    await driver.request(REQUEST, [wanted(deployed)])
    assert ((await error(driver))[1], await driver.commands("wallet.request")) == (UNKNOWN_NOW, [])


async def test_what_cannot_be_kept_is_not_given_to_the_page(
    driver: Driver, deployed: Deployment, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise OperationalError("insert", {}, Exception())

    await connected(driver)
    await driver.request(REQUEST, [wanted(deployed)])
    command = await question(driver)
    monkeypatch.setattr(deployed.permissions, "add", away)
    await driver.reply(command, value=signature(command))
    assert (await error(driver))[0] == -32603


async def test_a_field_of_no_known_meaning_is_refused(driver: Driver, deployed: Deployment, network: Network) -> None:
    await connected(driver)
    await driver.request(REQUEST, [{**wanted(deployed), "delegateTo": SHOP}])
    assert ((await error(driver))[0], await driver.commands("wallet.request")) == (-32602, [])


async def test_the_account_takes_one_back_by_a_transaction(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    await connected(driver)
    found = await grant(driver, deployed)
    (delegation,) = decode_context(bytes.fromhex(found["context"][2:]))
    await driver.request("wallet_revokeExecutionPermission", {"permissionContext": found["context"]}, call_id="back")
    command = await question(driver)
    assert command["params"]["params"] == [
        {"from": ADDRESS, "to": MANAGER, "data": "0x" + disable_call(delegation).hex()}
    ]
    await driver.reply(command, value="0x" + "ab" * 32)
    assert await result(driver) == {}


async def test_nobody_takes_back_what_another_account_has_granted(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    await connected(driver)
    foreign = "0x" + encode_context([Delegation(SHOP, SHOP, ())]).hex()
    await driver.request("wallet_revokeExecutionPermission", {"permissionContext": foreign})
    assert ((await error(driver))[0], await driver.commands("wallet.request")) == (-32602, [])


async def test_the_supported_permissions_are_told(driver: Driver, network: Network) -> None:
    await connected(driver)
    await driver.request("wallet_getSupportedExecutionPermissions")
    found = await result(driver)
    assert found["erc20-token-periodic"]["chainIds"] == ["0x1", "0x89"]


async def test_another_wallet_answers_for_itself(driver: Driver, deployed: Deployment, network: Network) -> None:
    await driver.connect()
    await driver.request("wallet_getSupportedExecutionPermissions")
    assert (await question(driver))["params"]["method"] == "wallet_getSupportedExecutionPermissions"


async def test_an_account_that_leaves_while_the_network_is_asked_grants_nothing(
    driver: Driver, deployed: Deployment, network: Network
) -> None:
    async def leave(_chain: ChainId, _account: str) -> AccountState:
        await driver.tell(sessions={})
        return AccountState("delegated")

    await connected(driver)
    network.account_state = leave  # type: ignore[method-assign]  # it takes its time
    await driver.request(REQUEST, [wanted(deployed)])
    assert ((await driver.commands("host.settle"))[-1]["params"]["ok"], await driver.commands("wallet.request")) == (
        False,
        [],
    )
