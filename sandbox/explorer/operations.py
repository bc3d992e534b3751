"""User operations (ERC-4337) in the explorer: those of a transaction, and a page for each."""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.responses import HTMLResponse

from walletmodal.sandbox.blockchain.chains import NATIVE_DECIMALS, Chain
from walletmodal.sandbox.bundler.mined import MinedOperation, MinedOperations, operations_of
from walletmodal.sandbox.explorer.html import Content, el, facts, link, page, section, table
from walletmodal.sandbox.explorer.parts import NothingThereError, amount, badge, head, short, to_transaction

_HEADS = ("Operation", "Status", "Account", "Paid by", "Cost")


class OperationPages:
    """What the explorer shows of the user operations of one chain.

    Args:
        chain: which.
        name: of the chain, for people.
        address: makes the link to an address.
    """

    def __init__(self, chain: Chain, name: str, address: Callable[..., Content]) -> None:
        self._chain = chain
        self._name = name
        self._address = address
        self._mined = MinedOperations(chain)

    async def has(self, operation_hash: str) -> bool:
        """Whether an operation with this hash was mined."""
        return await self._mined.find(operation_hash) is not None

    def of_transaction(self, receipt: Mapping[str, Any]) -> Content:
        """The operations that a transaction's receipt tells of; nothing where there are none."""
        found = operations_of(receipt)
        rows: list[list[Content]] = [
            [
                link(el("code", short(one.hash)), self._url(one.hash)),
                _status(one),
                self._address(one.sender.lower()),
                self._payer(one),
                self._coins(one.cost),
            ]
            for one in found
        ]
        return section("User operations", table(_HEADS, rows, empty="")) if rows else None

    async def page(self, operation_hash: str) -> HTMLResponse:
        """One operation.

        Raises:
            NothingThereError: none with this hash was mined.
        """
        found = await self._mined.find(operation_hash)
        if found is None:
            raise NothingThereError(f"{self._name} has no user operation {operation_hash}.")
        rows: list[tuple[str, Content]] = [
            ("Status", _status(found)),
            ("Reason", found.reason),
            ("Account", self._address(found.sender.lower(), whole=True)),
            ("Paid by", self._payer(found, whole=True)),
            ("Cost", self._coins(found.cost)),
            ("Gas", f"{found.gas:,}"),
            ("Nonce", f"{found.nonce:,}"),
            ("Entry point", self._address(found.entry_point.lower(), whole=True)),
            ("Bundle", to_transaction(self._chain.caip2, found.transaction)),
        ]
        title = head(self._chain.caip2, self._name, "User operation", found.hash)
        return page("User operation", title, el("section", facts(rows)))

    def _url(self, operation_hash: str) -> str:
        return f"/explorer/{self._chain.caip2}/userop/{operation_hash}"

    def _payer(self, one: MinedOperation, *, whole: bool = False) -> Content:
        return self._address(one.paymaster.lower(), whole=whole) if one.is_sponsored else "The account"

    def _coins(self, base_units: int) -> str:
        return amount(base_units, NATIVE_DECIMALS, self._chain.world.native_symbol)


def _status(one: MinedOperation) -> Content:
    return badge("confirmed" if one.success else "failed")
