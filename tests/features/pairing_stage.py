"""Wallets of the directory, and a visitor who chooses one: what the tests of pairing share."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from tests.driver import Driver, session
from walletmodal.core.protocol.options import CustomWallet
from walletmodal.core.wallets.directory import InjectedId, WalletListing
from walletmodal.features.pairing.state import PairingState
from walletmodal.features.shell.state import ShellState

PHONE: Final = WalletListing(
    id="aa11",
    name="Tidewater Wallet",
    rdns="example.tidewater",
    mobile_link="tidewater://",
    desktop_link="tidewater://",
    webapp_link="https://wallet.example/",
    image_id="picture-1",
    chrome_store="https://chrome.example/tidewater",
    app_store="https://apps.example/tidewater",
    play_store="https://play.example/tidewater",
    homepage="https://wallet.example/",
)
OTHER: Final = WalletListing(id="bb22", name="Marble", mobile_link="marble://")
OWN: Final = CustomWallet(id="own", name="House Wallet", mobile_link="https://house.example/app")
MARKED: Final = WalletListing(
    id="marked",
    name="Lantern",
    mobile_link="lantern://",
    injected=(InjectedId(namespace="eip155", injected_id="isLantern"),),
)
WALLETS: Final[dict[str, WalletListing | CustomWallet]] = {wallet.id: wallet for wallet in (PHONE, OTHER, OWN, MARKED)}
ACCOUNT: Final = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"


class Row(rx.State):
    """A row of a list of wallets."""

    @rx.event
    async def choose(self, wallet: str) -> None:
        """The row was clicked; "" is the row of WalletConnect."""
        await (await self.get_state(PairingState))._open_wallet(WALLETS.get(wallet))


async def choose(driver: Driver, wallet: str = "", *, options: dict[str, Any] | None = None, **parts: Any) -> None:
    """A visitor has opened the modal and chosen a wallet."""
    await driver.load(options=options, **parts)
    await driver.call("open")
    await driver.fire(Row.choose(wallet))


async def asked(driver: Driver) -> list[dict[str, Any]]:
    """The pairings that the browser is asked for."""
    return [c for c in await driver.commands("wallet.connect") if c["params"]["connector"] == "walletConnect"]


def paired(name: str = "Tidewater", **changes: Any) -> dict[str, Any]:
    """What a phone has granted."""
    return {
        **session(ACCOUNT, connector="walletConnect"),
        "approved": ["eip155:1"],
        "peer": {"name": name, "icon": ""},
        **changes,
    }


async def approve(driver: Driver, command: dict[str, Any], *, name: str = "Tidewater") -> None:
    """The phone approves: the snapshot comes first, then the reply."""
    await driver.tell(sessions={"eip155": paired(name)})
    await driver.reply(command, value={"sessions": {"eip155": paired(name)}})


async def told(driver: Driver, event: str) -> list[dict[str, Any]]:
    """The properties of the latest events of a name."""
    return [dict(item["properties"]) for item in driver.told() if item["event"] == event]


async def place(driver: Driver) -> tuple[bool, str]:
    """Whether the modal is open, and on which view."""
    shell = await driver.state(ShellState)
    return shell.open, shell.view


async def load_on(
    driver: Driver, *, system: str = "", telegram: bool = False, options: dict[str, Any] | None = None, **parts: Any
) -> None:
    """A page loads on a phone."""
    init = driver.init(options=options, **parts)
    on_phone = {"mobile": True, "system": system, "telegram": telegram}
    await driver.arrive({**init, "host": {**init["host"], **on_phone}})
