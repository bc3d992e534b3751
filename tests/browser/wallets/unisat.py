"""A Bitcoin wallet of the convention that UniSat began, with the keys of Bitcoin's JavaScript libraries (`src/unisat.ts`)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from embit.ec import PublicKey
from embit.script import p2wpkh
from eth_keys.datatypes import PrivateKey

from tests.browser.wallet_bundle import HERE, wallet_script
from tests.browser.wallet_owner import WalletOwner


def payment_address(key: PrivateKey) -> str:
    """The address at which the wallet shows a key: P2WPKH on the main network."""
    address: str = p2wpkh(PublicKey.parse(key.public_key.to_compressed_bytes())).address()
    return address


@dataclass(frozen=True)
class UnisatWalletSetup:
    """A wallet as it is when the page first meets it.

    Attributes:
        keys: its accounts, the first selected.
        place: where on `window` it sits.
    """

    keys: Sequence[PrivateKey]
    place: str = "unisat"

    def init_script(self) -> str:
        """The script that puts the wallet into every page before the page's own scripts run."""
        options = {"keys": [key.to_hex().removeprefix("0x") for key in self.keys], "place": self.place}
        script = wallet_script(HERE / "wallets" / "src" / "unisat.ts")
        return f"{script}\nif (window.top === window) __startUnisatWallet({json.dumps(options)});"


class UnisatWallet(WalletOwner):
    """The wallet in one page. It asks for `requestAccounts`, `signMessage`, `signPsbt` and `sendBitcoin`."""

    HANDLE = "__unisatWallet"
    CONNECT = "requestAccounts"

    def select_accounts(self, *keys: PrivateKey) -> None:
        """The owner picks other accounts, the first selected."""
        self._do("setAccounts", [key.to_hex().removeprefix("0x") for key in keys])
