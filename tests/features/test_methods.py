"""Which ways in the Connect view offers, and in which order."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.conftest import Configure
from walletmodal.features.connect.methods import MethodsState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def email(configure: Configure) -> None:
    """A deployment that has the login by email."""
    configure(SECURE_SITE_URL="https://secure.example/sdk")


async def blocks(driver: Driver, **parts: Any) -> list[str]:
    await driver.load(**parts)
    return list((await driver.state(MethodsState)).blocks)


async def test_methods_that_are_not_offered_have_no_block(driver: Driver) -> None:
    assert await blocks(driver) == ["wallet"]


@pytest.mark.usefixtures("email")
async def test_an_installed_wallet_comes_before_email(driver: Driver) -> None:
    assert await blocks(driver) == ["wallet", "or", "email", "passkey"]


@pytest.mark.usefixtures("email")
async def test_without_an_installed_wallet_email_comes_first(driver: Driver) -> None:
    assert await blocks(driver, wallets=[]) == ["email", "passkey", "or", "wallet"]


@pytest.mark.usefixtures("email")
async def test_the_hosts_order_of_methods_wins(driver: Driver) -> None:
    options = {"features": {"connectMethodsOrder": ["email", "wallet"]}}
    assert await blocks(driver, options=options) == ["email", "passkey", "or", "wallet"]


@pytest.mark.usefixtures("email")
async def test_without_wallets_there_is_nothing_to_separate(driver: Driver) -> None:
    assert await blocks(driver, options={"enableWallets": False}) == ["email", "passkey"]


@pytest.mark.usefixtures("email")
@pytest.mark.parametrize("features", [{"collapseWallets": True}, {"emailShowWallets": False}])
async def test_one_button_stands_for_the_wallets_where_the_host_wants_it(
    driver: Driver, features: dict[str, bool]
) -> None:
    await driver.load(options={"features": features})
    assert (await driver.state(MethodsState)).collapsed is True


async def test_wallets_that_are_the_only_way_in_are_not_hidden_behind_a_button(driver: Driver) -> None:
    await driver.load(options={"features": {"collapseWallets": True}})
    assert (await driver.state(MethodsState)).collapsed is False


@pytest.mark.parametrize("wanted", [True, False])
async def test_the_guide_is_the_hosts_to_switch_off(driver: Driver, wanted: bool) -> None:
    await driver.load(options={"enableWalletGuide": wanted})
    assert (await driver.state(MethodsState)).guide is wanted
