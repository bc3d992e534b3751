"""Pages of an EVM chain."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from xml.etree.ElementTree import Element

from eth_utils.address import to_checksum_address
from starlette.responses import HTMLResponse

from walletmodal.sandbox.blockchain.abi import (
    calldata,
    decoded_address,
    decoded_number,
    decoded_text,
    eth_call,
    hex_number,
)
from walletmodal.sandbox.blockchain.chains import NATIVE, NATIVE_DECIMALS, ZERO_ADDRESS, Chain
from walletmodal.sandbox.blockchain.history.blocks import pending_facts, read_blocks
from walletmodal.sandbox.blockchain.history.facts import Movement, TransactionFacts
from walletmodal.sandbox.blockchain.rpc import Ask
from walletmodal.sandbox.blockchain.sources import Sources
from walletmodal.sandbox.blockchain.tokens import TokenInfo
from walletmodal.sandbox.chains import CHAINS
from walletmodal.sandbox.evm.smart_accounts import BUNDLER, FIRST, SECOND
from walletmodal.sandbox.evm.world import MULTICALL
from walletmodal.sandbox.explorer.html import Content, el, facts, page, section, table
from walletmodal.sandbox.explorer.operations import OperationPages
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

_NAMES = {chain.caip2: chain.name for chain in CHAINS}
_BLOCKS_LOOKED_AT = 200
_SHOWN_INPUT = 2_048
_HEADS = ("Transaction", "Status", "From", "To", "Moved", "When")


class EvmPages:
    """The pages of one EVM chain.

    Args:
        chain: which.
        sources: what they are made of.
    """

    def __init__(self, chain: Chain, sources: Sources) -> None:
        self._chain = chain
        self._caip2 = chain.caip2
        self.name = _NAMES[chain.caip2]
        self._sources = sources
        self._labels = _labels(chain)
        self.operations = OperationPages(chain, self.name, self._address)

    async def head(self) -> int:
        """The number of the newest block."""
        return hex_number(await self._chain.node.call("eth_blockNumber"))

    async def has(self, number: str) -> bool:
        """Whether it has a transaction of this hash."""
        (found,) = await self._chain.node.ask([Ask("eth_getTransactionByHash", (number,))])
        return isinstance(found, dict)

    async def newest(self, count: int = PAGE) -> list[TransactionFacts]:
        """The newest transactions, those first that nobody has mined yet."""
        waiting = await self._chain.node.call("eth_getBlockByNumber", "pending", True)
        newest = await self.head()
        found = [facts for facts in await self._pending(waiting) if facts.block == 2**63]
        for top in range(newest, max(-1, newest - _BLOCKS_LOOKED_AT), -PAGE):
            blocks = await read_blocks(self._chain, range(max(0, top - PAGE + 1), top + 1))
            found += [facts for block in reversed(blocks) for facts in reversed(block.transactions)]
            if len(found) >= count:
                break
        return found[:count]

    async def overview(self) -> HTMLResponse:
        """The chain: its newest transactions and its tokens."""
        rows = await self._rows(await self.newest())
        tokens: list[list[Content]] = [
            [to_token(self._caip2, one.address, one.name), one.symbol, el("code", short(one.address))]
            for one in self._chain.world.tokens
        ]
        about = facts(
            [
                ("Network", self._caip2),
                ("Newest block", f"{await self.head():,}"),
                ("Native coin", f"{self._chain.world.native_name} ({self._chain.world.native_symbol})"),
            ]
        )
        return page(
            self.name,
            head(self._caip2, self.name, self.name),
            el("section", about),
            section("Newest transactions", table(_HEADS, rows, empty="Nothing has happened yet.")),
            section("Tokens", table(("Token", "Symbol", "Contract"), tokens, empty="None.")),
        )

    async def transaction(self, number: str) -> HTMLResponse:
        """One transaction.

        Raises:
            NothingThereError: the chain has none with this hash.
        """
        found, receipt = await self._chain.node.ask(
            [Ask("eth_getTransactionByHash", (number,)), Ask("eth_getTransactionReceipt", (number,))]
        )
        if not isinstance(found, dict):
            raise NothingThereError(f"{self.name} has no transaction {number}.")
        told = await self._facts(found)
        paid = receipt if isinstance(receipt, dict) else {}
        fee = hex_number(paid.get("gasUsed")) * hex_number(paid.get("effectiveGasPrice"))
        data = str(found.get("input") or "0x")
        rows: list[tuple[str, Content]] = [
            ("Status", badge(told.status)),
            ("Block", f"{told.block:,}" if told.status != "pending" else "Waits to be mined"),
            ("Time", full_time(told.timestamp, self._now) if told.status != "pending" else None),
            ("From", self._address(told.sender, whole=True)),
            ("To", self._address(told.target, whole=True) if told.target else "A new contract"),
            ("Contract", self._address(told.created, whole=True) if told.created else None),
            ("Value", self._coins(told.value)),
            ("Fee", self._coins(fee) if paid else None),
            ("Nonce", f"{told.nonce:,}"),
            ("Gas", f"{hex_number(paid.get('gasUsed')):,} of {hex_number(found.get('gas')):,}" if paid else None),
        ]
        moved = await self._moved(told.movements)
        called = el("pre", data[:_SHOWN_INPUT] + ("…" if len(data) > _SHOWN_INPUT else ""), tabindex="0")
        return page(
            "Transaction",
            head(self._caip2, self.name, "Transaction", number),
            el("section", facts(rows)),
            self.operations.of_transaction(paid) if paid else None,
            section("What moved", table(("From", "To", "Amount"), moved, empty="Nothing changed hands.")),
            section("Data of the call", called) if len(data) > 2 else None,
        )

    async def address(self, address: str, number: int) -> HTMLResponse:
        """One address: what it has, and its transactions, newest first."""
        address = address.lower()
        balance, count, code = await self._chain.node.ask(
            [
                Ask("eth_getBalance", (address, "latest")),
                Ask("eth_getTransactionCount", (address, "latest")),
                Ask("eth_getCode", (address, "latest")),
            ]
        )
        index = self._sources.indexes[self._caip2]
        await index.up_to_date()
        own = index.of_account(address)[::-1]
        begin = (number - 1) * PAGE
        rows = await self._rows(own[begin : begin + PAGE])
        is_contract = isinstance(code, str) and len(code) > 2
        info = (await self._sources.tokens.of(self._chain, [address])).get(address) if is_contract else None
        about: list[tuple[str, Content]] = [
            ("Balance", self._coins(hex_number(balance))),
            ("Transactions sent", f"{hex_number(count):,}"),
            ("Kind", "Contract" if is_contract else "Account"),
            ("Token", to_token(self._caip2, address, name_of(info.name) or short(address)) if info else None),
        ]
        return page(
            f"Address {short(address)}",
            head(self._caip2, self.name, "Address", to_checksum_address(address), self._labels.get(address, "")),
            el("section", facts(about)),
            section("Tokens", table(("Token", "Amount"), await self._holdings(address), empty="It has no tokens.")),
            section(
                "Transactions",
                table(_HEADS, rows, empty="Nothing has happened here."),
                self._pager(address, number, len(own)),
            ),
        )

    async def token(self, contract: str, token_id: int | None) -> HTMLResponse:
        """One token; of an NFT, with its id, that one.

        Raises:
            NothingThereError: there is no token at this address.
        """
        contract = contract.lower()
        if contract == NATIVE:
            return await self.overview()
        name, symbol, supply, owner = await self._chain.node.ask(
            [
                eth_call(contract, calldata("name()")),
                eth_call(contract, calldata("symbol()")),
                eth_call(contract, calldata("totalSupply()")),
                eth_call(contract, calldata("ownerOf(uint256)", token_id if token_id is not None else 1)),
            ]
        )
        called, total = decoded_text(name), decoded_number(supply)
        if called is None:
            raise NothingThereError(f"At {contract} {self.name} has no token.")
        info = (await self._sources.tokens.of(self._chain, [contract])).get(contract)
        picture, shown = await self._picture(contract, token_id, is_single=decoded_address(owner) is not None)
        supply_text = None if total is None else amount(total, info.decimals, info.symbol) if info else f"{total:,}"
        about: list[tuple[str, Content]] = [
            ("Symbol", name_of(decoded_text(symbol) or "")),
            ("Decimals", str(info.decimals) if info else None),
            ("Supply", supply_text),
            ("Contract", self._address(contract, whole=True)),
            ("Token id", str(token_id) if token_id is not None else None),
            ("Owner", self._address(decoded_address(owner), whole=True) if token_id is not None else None),
        ]
        index = self._sources.indexes[self._caip2]
        await index.up_to_date()
        rows = await self._rows(await self._with(contract, token_id))
        title = shown or name_of(called) or "Token"
        return page(
            title,
            head(self._caip2, self.name, title, to_checksum_address(contract)),
            el("section", picture, facts(about), class_="beside" if picture is not None else ""),
            section("Newest transfers", table(_HEADS, rows, empty="It has not moved of late.")),
        )

    async def _with(self, contract: str, token_id: int | None) -> list[TransactionFacts]:
        newest = await self.newest(_BLOCKS_LOOKED_AT)
        return [
            facts
            for facts in newest
            if any(one.contract == contract and token_id in (None, one.token_id) for one in facts.movements)
        ][:PAGE]

    async def _picture(self, contract: str, token_id: int | None, *, is_single: bool) -> tuple[Element | None, str]:
        if token_id is None:
            return None, ""
        moved = Movement("erc721" if is_single else "erc1155", contract, ZERO_ADDRESS, ZERO_ADDRESS, 1, token_id)
        info = (await self._sources.nfts.of(self._chain, [moved]))[contract, token_id]
        named = name_of(info.name)
        is_inline = (info.image or "").startswith("data:image/")
        return (el("img", src=info.image or "", alt=named, class_="picture") if is_inline else None), named

    async def _facts(self, transaction: dict[str, object]) -> TransactionFacts:
        if transaction.get("blockNumber") is None:
            return pending_facts(self._chain, transaction, int(self._now.timestamp()))
        number = hex_number(transaction["blockNumber"])
        blocks = await read_blocks(self._chain, range(number, number + 1))
        mined = (one for block in blocks for one in block.transactions if one.hash == transaction["hash"])
        found = next(mined, None)
        return found or pending_facts(self._chain, transaction, int(self._now.timestamp()))

    async def _pending(self, block: object) -> list[TransactionFacts]:
        listed = block.get("transactions") if isinstance(block, dict) else None
        waiting = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        known = await self._chain.node.ask([Ask("eth_getTransactionReceipt", (one.get("hash"),)) for one in waiting])
        at = int(self._now.timestamp())
        return [
            pending_facts(self._chain, one, at) for one, receipt in zip(waiting, known, strict=True) if receipt is None
        ]

    async def _rows(self, listed: Sequence[TransactionFacts]) -> list[list[Content]]:
        infos = await self._infos(one for facts in listed for one in facts.movements)
        return [
            [
                to_transaction(self._caip2, one.hash),
                badge(one.status),
                self._address(one.sender),
                self._address(one.target or one.created),
                self._first_moved(one, infos),
                when(one.timestamp, self._now) if one.status != "pending" else "now",
            ]
            for one in listed
        ]

    def _first_moved(self, transaction: TransactionFacts, infos: dict[str, TokenInfo]) -> Content:
        moved = [one for one in transaction.movements if one.amount]
        if not moved:
            return "—"
        more = f" and {len(moved) - 1} more" if len(moved) > 1 else ""
        return el("span", self._amount(moved[0], infos), more)

    async def _moved(self, movements: Sequence[Movement]) -> list[list[Content]]:
        infos = await self._infos(movements)
        return [
            [self._address(one.sender), self._address(one.recipient), self._amount(one, infos)] for one in movements
        ]

    async def _infos(self, movements: Iterable[Movement]) -> dict[str, TokenInfo]:
        wanted = {one.contract for one in movements if one.token_id is None}
        return await self._sources.tokens.of(self._chain, wanted)

    def _amount(self, moved: Movement, infos: dict[str, TokenInfo]) -> Content:
        if moved.contract == NATIVE:
            return self._coins(moved.amount)
        if moved.token_id is not None:
            held = f"{moved.amount:,} × " if moved.amount != 1 else ""
            named = self._labels.get(moved.contract, short(moved.contract))
            return to_token(self._caip2, moved.contract, f"{held}{named} #{moved.token_id}", moved.token_id)
        info = infos.get(moved.contract)
        text = (
            amount(moved.amount, info.decimals, info.symbol) if info else f"{moved.amount:,} of {short(moved.contract)}"
        )
        return to_token(self._caip2, moved.contract, text)

    async def _holdings(self, address: str) -> list[list[Content]]:
        index, tokens = self._sources.indexes[self._caip2], self._sources.tokens
        known = [one.address for one in tokens.known(self._chain) if one.address != NATIVE]
        contracts = list(dict.fromkeys([*known, *sorted(index.contracts_of(address))]))
        infos = await tokens.of(self._chain, contracts)
        shown = [infos[contract] for contract in contracts if contract in infos]
        answers = await self._chain.node.ask(
            [eth_call(one.address, calldata("balanceOf(address)", address)) for one in shown]
        )
        held = ((one, decoded_number(answer) or 0) for one, answer in zip(shown, answers, strict=True))
        return [
            [
                to_token(self._caip2, one.address, name_of(one.name) or short(one.address)),
                amount(count, one.decimals, one.symbol),
            ]
            for one, count in held
            if count
        ]

    def _pager(self, address: str, number: int, count: int) -> Content:
        return pager(f"/explorer/{self._caip2}/address/{address}", number, more=count > number * PAGE)

    def _address(self, address: str | None, *, whole: bool = False) -> Content:
        if address is None:
            return "—"
        if address == ZERO_ADDRESS:
            return "nobody"
        return to_address(self._caip2, address, label=self._labels.get(address, ""), whole=whole)

    def _coins(self, base_units: int) -> str:
        return amount(base_units, NATIVE_DECIMALS, self._chain.world.native_symbol)

    @property
    def _now(self) -> datetime:
        return self._sources.clock.now()


def _labels(chain: Chain) -> dict[str, str]:
    """What stands at the addresses of the beginning."""
    world = chain.world
    named = {one.address: one.symbol for one in world.tokens} | {one.address: one.name for one in world.collections}
    named |= {account: f"Account {number}" for number, account in enumerate(world.accounts, 1)}
    named |= {world.treasury: "Treasury", world.router: "Uniswap router", world.factory: "Uniswap factory"}
    named |= {MULTICALL: "Multicall3", BUNDLER: "Bundler"}
    named |= {one.address: one.name for one in (*FIRST, *SECOND)}
    symbols = {one.address: one.symbol for one in world.tokens}
    named |= {pool.address: f"{symbols[pool.token0]}/{symbols[pool.token1]} pool" for pool in world.pools}
    if world.ens is not None:
        named |= {world.ens.registry: "ENS registry", world.ens.resolver: "ENS resolver"}
        named |= {world.ens.reverse_registrar: "ENS reverse registrar"}
    if world.contract_account is not None:
        named[world.contract_account.address] = "Safe of account 1"
    return {address.lower(): name for address, name in named.items() if address}
