"""The visitor's browser wallet and its owner, from a test's side. The wallet itself is in `wallet/`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from playwright.sync_api import Page

from tests.browser.chain import TestAccount
from tests.browser.polling import until
from tests.browser.wallet_bundle import wallet_script

RDNS = "test.wallet.parts"


class Question(TypedDict):
    """Something that the wallet asks its owner."""

    id: int
    method: str
    params: Any


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


class TestWallet:
    """The wallet in one page."""

    __test__ = False

    def __init__(self, page: Page) -> None:
        self._page = page

    def pending(self) -> list[Question]:
        """What waits for the owner, oldest first."""
        found: list[Question] = self._do("pending")
        return found

    def asked(self, method: str) -> int:
        """How often the owner of this page's wallet was asked for `method`."""
        return sum(question["method"] == method for question in self._do("log"))

    def await_question(self, method: str = "eth_requestAccounts", *, seconds: float = 15) -> Question:
        """Wait until the owner is asked for `method`."""
        waiting = until(
            lambda: [question for question in self.pending() if question["method"] == method],
            what=f"the wallet being asked for {method}",
            seconds=seconds,
            wait=self._wait,
        )
        return waiting[0]

    def approve(self, method: str = "eth_requestAccounts") -> Question:
        """Wait for the question and agree."""
        question = self.await_question(method)
        self._do("approve", question["id"])
        return question

    def reject(self, method: str = "eth_requestAccounts") -> Question:
        """Wait for the question and refuse (4001)."""
        question = self.await_question(method)
        self._do("reject", question["id"])
        return question

    def select_accounts(self, *accounts: TestAccount) -> None:
        """The owner picks other accounts, the first selected."""
        self._do("setAccounts", [account.key for account in accounts])

    def select_chain(self, chain_id: int, url: str | None = None) -> None:
        """The owner picks another network; `url` when the wallet does not know it yet."""
        self._do("setChain", chain_id, *([url] if url else []))

    def forget_chain(self, chain_id: int) -> None:
        """The owner deletes a network."""
        self._do("forgetChain", chain_id)

    def lock(self, *, locked: bool = True) -> None:
        """The owner locks the wallet, or unlocks it."""
        self._do("lock", locked)

    def revoke(self) -> None:
        """The owner disconnects the site."""
        self._do("revoke")

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

    def _do(self, method: str, *arguments: object) -> Any:
        return self._page.evaluate("([method, args]) => window.__wallet[method](...args)", [method, list(arguments)])

    def _wait(self, seconds: float) -> None:
        self._page.wait_for_timeout(seconds * 1000)
