"""How much of what its page says a session keeps, as it is told to the limit of all sessions of an address."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, METAMASK, Driver
from walletmodal.services import session_size
from walletmodal.services.session_size import register_session_sizes
from walletmodal.web.sessions import SocketLimits

PICTURE = "data:image/svg+xml,".ljust(30_000, "a")


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The last size of each session."""
    monkeypatch.setattr(session_size, "_listeners", [])
    found: dict[str, int] = {}
    register_session_sizes(found.__setitem__)
    return found


async def test_an_ordinary_session_keeps_a_small_part_of_its_share(driver: Driver, sizes: dict[str, int]) -> None:
    await driver.connect()
    await driver.request("personal_sign", ["0x00", ADDRESS])
    assert 0 < sizes[driver.token] < SocketLimits().share / 16


@pytest.mark.parametrize(
    "said",
    [
        {"options": {"chainImages": {"eip155:1": PICTURE}}},
        {"options": {"metadata": {"icons": [PICTURE]}}},
        {"wallets": [{**METAMASK, "icon": PICTURE}]},
    ],
    ids=["picture of a network", "picture of the host", "icon of a wallet"],
)
async def test_pictures_of_a_page_count(driver: Driver, sizes: dict[str, int], said: dict[str, Any]) -> None:
    await driver.load(**said)
    assert sizes[driver.token] >= len(PICTURE)


async def test_pictures_that_come_later_count(driver: Driver, sizes: dict[str, int]) -> None:
    await driver.load()
    await driver.call("options", options={"connectorImages": {"x": PICTURE}})
    assert sizes[driver.token] >= len(PICTURE)


async def test_added_networks_count(driver: Driver, sizes: dict[str, int]) -> None:
    await driver.load()
    before = sizes[driver.token]
    currency = {"name": "Ether", "symbol": "ETH", "decimals": 18}
    rpc = [f"https://node.example/{'x' * 2_000}{number}" for number in range(8)]
    await driver.call("addNetwork", network={"id": 7_000, "name": "Large", "nativeCurrency": currency, "rpc": rpc})
    assert sizes[driver.token] - before > 16_000


@pytest.mark.parametrize("confirm", ["off", "all"], ids=["for the wallet", "for the visitor"])
async def test_a_request_counts_while_it_waits(driver: Driver, sizes: dict[str, int], confirm: str) -> None:
    await driver.connect(options={"confirmRequests": confirm})
    await driver.request("personal_sign", ["x" * 200_000, ADDRESS])
    assert 200_000 <= sizes[driver.token] < 260_000


async def test_a_request_that_was_answered_counts_no_more(driver: Driver, sizes: dict[str, int]) -> None:
    await driver.connect()
    await driver.request("personal_sign", ["x" * 200_000, ADDRESS])
    await driver.reply((await driver.commands("wallet.request"))[0], value="0x")
    assert sizes[driver.token] < 10_000
