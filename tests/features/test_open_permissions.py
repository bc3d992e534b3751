"""Permissions without an end, a limit or a holder: refused, unless the operator lets them be granted."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.permissions.samples import SHOP, TEN_A_DAY
from tests.driver import ADDRESS, Driver
from tests.features.conftest import Configure
from tests.features.test_request_policy import DECIDE, asked, audit, error
from walletmodal.core.permissions.delegation import Delegation
from walletmodal.core.permissions.execution_permissions import PermissionRequest, request_json
from walletmodal.deployment import Deployment

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


NAME = "wallet_requestExecutionPermissions"
BARE = Delegation(SHOP, ADDRESS, ()).typed_data(1)


def endless() -> list[dict[str, Any]]:
    asked = request_json(PermissionRequest(1, SHOP, ADDRESS, TEN_A_DAY), ADDRESS)
    return [{**asked, "rules": []}]


@pytest.mark.parametrize(("method", "params"), [(NAME, endless()), ("eth_signTypedData_v4", [ADDRESS, BARE])])
async def test_a_grant_that_reads_harmless_and_is_not_is_refused(
    driver: Driver, deployed: Deployment, method: str, params: Any
) -> None:
    await driver.connect()
    await driver.request(method, params)
    code, message = await error(driver)
    assert (code, await asked(driver)) == (4100, [])
    assert message.startswith("Not allowed by policy: It never ends by itself.")
    assert [entry.outcome for entry in await audit(deployed)] == ["denied"]


async def test_no_policy_lets_it_pass(driver: Driver, decides: DECIDE) -> None:
    decides("return Allow()")
    await driver.connect()
    await driver.request(NAME, endless())
    assert ((await error(driver))[0], await asked(driver)) == (4100, [])


async def test_the_operator_may_let_it_pass(driver: Driver, configure: Configure) -> None:
    configure(ALLOW_OPEN_PERMISSIONS="1")
    await driver.connect()
    await driver.request(NAME, endless())
    assert await asked(driver) == [NAME]


async def test_one_with_an_end_and_a_limit_goes_to_the_wallet(driver: Driver) -> None:
    await driver.connect()
    await driver.request(NAME, [request_json(PermissionRequest(1, SHOP, ADDRESS, TEN_A_DAY), ADDRESS)])
    assert await asked(driver) == [NAME]
