"""A Solana wallet of the Wallet Standard, from the packages of the Solana wallet adapters (`src/solana.ts`)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from solders.keypair import Keypair

from tests.browser.wallet_bundle import HERE, wallet_script
from tests.browser.wallet_owner import WalletOwner


@dataclass(frozen=True)
class SolanaWalletSetup:
    """A wallet as it is when the page first meets it.

    Attributes:
        rpc: URL of the chain's node, to which transactions are sent.
        keys: its accounts, the first selected.
    """

    rpc: str
    keys: Sequence[Keypair]
    name: str = "Burner Wallet"

    def init_script(self) -> str:
        """The script that puts the wallet into every page before the page's own scripts run."""
        options = {"rpc": self.rpc, "seeds": [key.secret().hex() for key in self.keys], "name": self.name}
        script = wallet_script(HERE / "wallets" / "src" / "solana.ts")
        return f"{script}\nif (window.top === window) __startSolanaWallet({json.dumps(options)});"


class SolanaWallet(WalletOwner):
    """The wallet in one page. It asks for `connect`, `signMessage`, `signIn` and `signTransaction`."""

    HANDLE = "__solanaWallet"
    CONNECT = "connect"

    def select_accounts(self, *keys: Keypair) -> None:
        """The owner picks other accounts, the first selected."""
        self._do("setAccounts", [key.secret().hex() for key in keys])
