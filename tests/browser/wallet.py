"""The visitor's browser wallet and its owner, from a test's side. The wallet itself is in `wallet/`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.browser.chain import TestAccount
from tests.browser.wallet_bundle import wallet_script
from tests.browser.wallet_owner import WalletOwner

RDNS = "test.wallet.parts"


@dataclass(frozen=True)
class WalletSetup:
    """A wallet as it is when the page first meets it.

    Attributes:
        accounts: its accounts, the first selected.
        chains: chain id → RPC URL.
        chain_id: the selected chain.
        announce: whether it announces itself by EIP-6963; it sits in `window.ethereum` in any case.
    """

    accounts: Sequence[TestAccount]
    chains: Mapping[int, str]
    chain_id: int = 1
    name: str = "Test Wallet"
    rdns: str = RDNS
    announce: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)

    def init_script(self) -> str:
        """The script that puts the wallet into every page before the page's own scripts run."""
        options = {
            "keys": [account.key for account in self.accounts],
            "chains": {str(chain_id): url for chain_id, url in self.chains.items()},
            "chainId": self.chain_id,
            "name": self.name,
            "rdns": self.rdns,
            "announce": self.announce,
            **self.extra,
        }
        return f"{wallet_script()}\nif (window.top === window) __startWallet({json.dumps(options)});"


class TestWallet(WalletOwner):
    """The wallet in one page."""

    __test__ = False
    HANDLE = "__wallet"
    CONNECT = "eth_requestAccounts"

    def select_accounts(self, *accounts: TestAccount) -> None:
        """The owner picks other accounts, the first selected."""
        self._do("setAccounts", [account.key for account in accounts])

    def select_chain(self, chain_id: int, url: str | None = None) -> None:
        """The owner picks another network; `url` when the wallet does not know it yet."""
        self._do("setChain", chain_id, *([url] if url else []))

    def forget_chain(self, chain_id: int) -> None:
        """The owner deletes a network."""
        self._do("forgetChain", chain_id)

    def vanish(self) -> None:
        """The extension goes away under the page."""
        self._do("vanish")

    def misbehave(self, method: str, kind: str, value: object = None) -> None:
        """From now on be a bad wallet for `method` (`*`: for all); the kinds are in `wallet/src/mischief.ts`."""
        self._do("misbehave", method, {"kind": kind, "value": value})

    def repent(self) -> None:
        """Be a good wallet again."""
        self._do("repent")

    def calls(self, method: str) -> int:
        """How often the page called `method`, asked or not."""
        count: int = self._do("calls", method)
        return count

    def flood(self, event: str, value: object, times: int) -> None:
        """Emit an event of the provider many times."""
        self._do("flood", event, value, times)

    @property
    def chain_id(self) -> int:
        """The network that the wallet is on."""
        chain_id: int = self._do("chainId")
        return chain_id
