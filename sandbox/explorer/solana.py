"""Pages of Solana."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from starlette.responses import HTMLResponse

from walletmodal.core.chains.addresses import is_address
from walletmodal.sandbox.blockchain.rpc import Ask
from walletmodal.sandbox.blockchain.sources import SolanaSources, Sources
from walletmodal.sandbox.explorer.html import Content, el, facts, page, section, table
from walletmodal.sandbox.explorer.parts import (
    PAGE,
    NothingThereError,
    amount,
    badge,
    full_time,
    head,
    name_of,
    pager,
    short,
    to_address,
    to_token,
    to_transaction,
    when,
)
from walletmodal.sandbox.solana.world import CHAIN, account_keys, faucet_key, tokens

SOL_DECIMALS = 9
_HEADS = ("Transaction", "Status", "When")
_READ_AT_MOST = 1_000


class SolanaPages:
    """The pages of Solana.

    Args:
        solana: how its node is asked.
        sources: what the pages of all chains are made of.
    """

    name = "Solana"

    def __init__(self, solana: SolanaSources, sources: Sources) -> None:
        self._solana = solana
        self._sources = sources
        named = {str(key.pubkey()): f"Account {number}" for number, key in enumerate(account_keys(), 1)}
        self._labels = (
            named | {str(faucet_key().pubkey()): "Faucet"} | {mint: one.symbol for mint, one in tokens().items()}
        )

    async def head(self) -> int:
        """The newest slot."""
        slot = await self._solana.client.call("getSlot")
        return slot if isinstance(slot, int) else 0

    async def overview(self) -> HTMLResponse:
        """The chain: what its accounts did last, and its tokens."""
        accounts = [address for address, label in self._labels.items() if label.startswith("Account")]
        found = {str(one["signature"]): one for each in accounts for one in await self._signatures(each)}
        newest = sorted(found.values(), key=_slot, reverse=True)[:PAGE]
        named: list[list[Content]] = [
            [to_token(CHAIN, one.mint, one.name), one.symbol, el("code", short(one.mint))] for one in tokens().values()
        ]
        holders = [[to_address(CHAIN, each, label=self._labels[each]), el("code", short(each))] for each in accounts]
        about = facts([("Network", CHAIN), ("Newest slot", f"{await self.head():,}"), ("Native coin", "Solana (SOL)")])
        return page(
            self.name,
            head(CHAIN, self.name, self.name),
            el("section", about),
            section("Funded accounts", table(("Account", "Address"), holders, empty="None.")),
            section("What they did", table(_HEADS, self._rows(newest), empty="Nothing has happened yet.")),
            section("Tokens", table(("Token", "Symbol", "Mint"), named, empty="None.")),
        )

    async def transaction(self, signature: str) -> HTMLResponse:
        """One transaction.

        Raises:
            NothingThereError: there is none with this signature.
        """
        options = {"encoding": "jsonParsed", "maxSupportedTransactionVersion": 0}
        (found,) = await self._solana.client.ask([Ask("getTransaction", (signature, options))])
        if not isinstance(found, dict):
            raise NothingThereError(f"{self.name} has no transaction {signature}.")
        meta, message = found["meta"], found["transaction"]["message"]
        keys = [str(one["pubkey"]) for one in message["accountKeys"]]
        about: list[tuple[str, Content]] = [
            ("Status", badge("confirmed" if meta["err"] is None else "failed")),
            ("Slot", f"{found['slot']:,}"),
            ("Time", full_time(int(found["blockTime"]), self._now)),
            ("Paid by", to_address(CHAIN, keys[0], whole=True)),
            ("Fee", amount(int(meta["fee"]), SOL_DECIMALS, "SOL")),
            ("Error", str(meta["err"]) if meta["err"] is not None else None),
        ]
        programs = [
            [self._address(str(one["programId"])), str(one.get("program", ""))] for one in message["instructions"]
        ]
        return page(
            "Transaction",
            head(CHAIN, self.name, "Transaction", signature),
            el("section", facts(about)),
            section(
                "What changed", table(("Account", "Change"), self._changes(keys, meta), empty="No balance changed.")
            ),
            section("Instructions", table(("Program", "Name"), programs, empty="None.")),
        )

    async def address(self, address: str, number: int) -> HTMLResponse:
        """One account: what it has, and its transactions, newest first."""
        held = await self._solana.node.token_accounts(address)
        lamports = await self._solana.node.lamports(address)
        listed = {str(one["signature"]): one for one in await self._signatures(address)}
        for each in held[:PAGE]:
            listed |= {str(one["signature"]): one for one in await self._signatures(each.address)}
        own = sorted(listed.values(), key=_slot, reverse=True)
        begin = (number - 1) * PAGE
        nfts = await self._solana.nfts.of(one.mint for one in held if (one.amount, one.decimals) == (1, 0))
        rows: list[list[Content]] = []
        for one in held:
            name = self._solana.tokens.of(one.mint)
            if one.amount and one.mint in nfts:
                rows.append([to_token(CHAIN, one.mint, name_of(nfts[one.mint].name)), "1"])
            elif one.amount:
                rows.append(
                    [
                        to_token(CHAIN, one.mint, name.name if len(name.name) < 40 else short(one.mint)),
                        amount(one.amount, one.decimals, name.symbol),
                    ]
                )
        return page(
            f"Account {short(address)}",
            head(CHAIN, self.name, "Account", address, self._labels.get(address, "")),
            el("section", facts([("Balance", amount(lamports, SOL_DECIMALS, "SOL"))])),
            section("Tokens", table(("Token", "Amount"), rows, empty="It has no tokens.")),
            section(
                "Transactions",
                table(_HEADS, self._rows(own[begin : begin + PAGE]), empty="Nothing has happened here."),
                pager(f"/explorer/{CHAIN}/account/{address}", number, more=len(own) > number * PAGE),
            ),
        )

    async def token(self, mint: str) -> HTMLResponse:
        """One mint.

        Raises:
            NothingThereError: there is none at this address.
        """
        (answer,) = await self._solana.client.ask([Ask("getTokenSupply", (mint,))])
        supply: Any = answer.get("value") if isinstance(answer, dict) else None
        if not isinstance(supply, dict):
            raise NothingThereError(f"At {mint} {self.name} has no token.")
        nft = (await self._solana.nfts.of([mint])).get(mint)
        named = self._solana.tokens.of(mint)
        title = name_of(nft.name) if nft else named.name if mint in self._labels else f"Token {short(mint)}"
        symbol = named.symbol if mint in self._labels else ""
        image = nft.image if nft is not None and nft.image else ""
        is_own = image.startswith(("data:image/", "/")) or "/artworks/" in image
        picture = (
            el(
                "img",
                src=image[image.find("/artworks/") :] if "/artworks/" in image else image,
                alt=title,
                class_="picture",
            )
            if is_own
            else None
        )
        about: list[tuple[str, Content]] = [
            ("Symbol", symbol),
            ("Decimals", str(supply["decimals"])),
            ("Supply", amount(int(supply["amount"]), int(supply["decimals"]), symbol)),
            ("Mint", to_address(CHAIN, mint, whole=True)),
        ]
        newest = sorted(await self._signatures(mint), key=_slot, reverse=True)[:PAGE]
        return page(
            title,
            head(CHAIN, self.name, title, mint),
            el("section", picture, facts(about), class_="beside" if picture is not None else ""),
            section("Newest transactions", table(_HEADS, self._rows(newest), empty="It has not moved of late.")),
        )

    def _changes(self, keys: list[str], meta: Mapping[str, Any]) -> list[list[Content]]:
        rows: list[list[Content]] = []
        for key, before, after in zip(keys, meta["preBalances"], meta["postBalances"], strict=True):
            if before != after:
                rows.append([self._address(key), _signed(after - before, SOL_DECIMALS, "SOL")])
        before_by = {(one["owner"], one["mint"]): one for one in meta.get("preTokenBalances") or []}
        after_by = {(one["owner"], one["mint"]): one for one in meta.get("postTokenBalances") or []}
        for owner, mint in {**before_by, **after_by}:
            old, new = before_by.get((owner, mint)), after_by.get((owner, mint))
            decimals = int((old or new or {})["uiTokenAmount"]["decimals"])
            change = _held(new) - _held(old)
            if change:
                text = _signed(change, decimals, self._solana.tokens.of(mint).symbol)
                rows.append([self._address(str(owner)), to_token(CHAIN, str(mint), text)])
        return rows

    def _rows(self, listed: list[dict[str, object]]) -> list[list[Content]]:
        return [
            [
                to_transaction(CHAIN, str(one["signature"])),
                badge("confirmed" if one.get("err") is None else "failed"),
                when(int(str(one["blockTime"])), self._now) if one.get("blockTime") is not None else "—",
            ]
            for one in listed
        ]

    async def _signatures(self, address: str) -> list[dict[str, object]]:
        return await self._solana.node.signatures(address, _READ_AT_MOST)

    def _address(self, address: str) -> Content:
        return to_address(CHAIN, address, label=self._labels.get(address, ""))

    @property
    def _now(self) -> datetime:
        return self._sources.clock.now()


def is_account(text: str) -> bool:
    """Whether it is an address of Solana."""
    return is_address("solana", text)


def _slot(signature: Mapping[str, object]) -> int:
    slot = signature.get("slot")
    return slot if isinstance(slot, int) else 0


def _held(balance: Mapping[str, Any] | None) -> int:
    return int(balance["uiTokenAmount"]["amount"]) if balance else 0


def _signed(base_units: int, decimals: int, symbol: str) -> str:
    return ("+" if base_units > 0 else "−") + amount(abs(base_units), decimals, symbol)
