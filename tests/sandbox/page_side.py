"""The page's side of the Sandbox Wallet beyond eip155, and its owner's finger."""

import asyncio
from typing import Any

from playwright.async_api import Page

from tests.patience import PATIENCE

# Values that JSON does not have cross as hexadecimal text.
FIND = """
window.heard = [];
window.bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
window.plain = (value) => value instanceof Uint8Array ? Array.from(value, (b) => b.toString(16).padStart(2, '0')).join('')
  : Array.isArray(value) ? value.map(plain)
  : value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).filter(([, v]) => typeof v !== 'function')
      .map(([k, v]) => [k, plain(v)]))
  : value;
const register = (wallet) => { window.standard = wallet; return () => undefined; };
addEventListener('wallet-standard:register-wallet', ({ detail }) => detail({ register }));
dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }));
window.feature = (name) => standard.features[name][name.split(':')[1]];
window.account = (chain) => standard.accounts.find(({ chains }) => chains.includes(chain));
window.bitcoin = btc_providers.at(-1).id.split('.').reduce((object, name) => object[name], window);
void standard.features['standard:events'].on('change', ({ accounts }) => heard.push(accounts.map(({ address }) => address)));
"""
BEGIN = """(work) => { window.answer = (async () => plain(await eval(work)))().then(
  (value) => ({ value }), ({ code, message }) => ({ code, message })); }"""


class PageSide:
    """Runs expressions in the page that ask the wallet something."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def find(self) -> "PageSide":
        await self.page.evaluate(FIND)
        return self

    async def ask(self, work: str) -> None:
        """Begin; the answer is awaited by `answer`."""
        await self.page.evaluate(BEGIN, work)

    async def answer(self) -> dict[str, Any]:
        answer: dict[str, Any] = await asyncio.wait_for(self.page.evaluate("window.answer"), PATIENCE)
        return answer

    async def silent(self, work: str) -> dict[str, Any]:
        await self.ask(work)
        return await self.answer()

    async def approved(self, work: str) -> Any:
        """The value after the owner agreed."""
        await self.ask(work)
        await self.page.get_by_test_id("sandbox-wallet-approve").click()
        answer = await self.answer()
        assert "value" in answer, answer
        return answer["value"]

    async def rejected(self, work: str) -> dict[str, Any]:
        await self.ask(work)
        await self.page.get_by_test_id("sandbox-wallet-reject").click()
        return await self.answer()

    async def heard(self) -> list[list[Any]]:
        """The accounts of each `change` event so far."""
        heard: list[list[Any]] = await self.page.evaluate("window.heard")
        return heard

    async def choose(self, namespace: str, account: int) -> None:
        """The owner chooses another account of a namespace."""
        await self.open_tab(namespace)
        await self.page.get_by_test_id("sandbox-wallet-account").select_option(str(account))

    async def open_tab(self, namespace: str) -> None:
        if await self.page.get_by_test_id("sandbox-wallet-toggle").get_attribute("aria-expanded") == "false":
            await self.page.get_by_test_id("sandbox-wallet-toggle").click()
        await self.page.get_by_test_id(f"sandbox-wallet-tab-{namespace}").click()
