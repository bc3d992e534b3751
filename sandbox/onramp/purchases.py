"""The purchases made on the pay page: in memory, and in a file that outlives the process."""

import re
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from walletmodal.core.parsing.strict_json import read_json

KEPT: Final = 10_000
"""How many purchases are remembered; the oldest go first."""


class PurchaseStatus(StrEnum):
    """How far a purchase is, in the words of the history service."""

    IN_PROGRESS = "ONRAMP_TRANSACTION_STATUS_IN_PROGRESS"
    SUCCESS = "ONRAMP_TRANSACTION_STATUS_SUCCESS"
    FAILED = "ONRAMP_TRANSACTION_STATUS_FAILED"


class Purchase(BaseModel):
    """One purchase.

    Attributes:
        id: its own id, for the history.
        chain: CAIP-2 id of the network that is credited.
        address: plain address of the account that is credited.
        token: plain address of the token on its chain; None for the native coin.
        name: name of the asset for people.
        symbol: symbol of the asset.
        quantity: what was bought, decimal string in whole units.
        payment_total: what was paid, decimal string.
        payment_currency: code of the currency it was paid in, such as `USD`.
        status: how far it is.
        transaction: hash of the transaction that credited the account; None when there is none.
        partner_user_id: the id under which the host's modal asked for the pay page; "" when it gave none.
        at: when the card was charged, with its zone.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[str, Field(min_length=1, max_length=64)]
    chain: str
    address: str
    token: str | None
    name: str
    symbol: str
    quantity: Annotated[str, Field(pattern=r"^[0-9]+(\.[0-9]+)?$")]
    payment_total: Annotated[str, Field(pattern=r"^[0-9]+(\.[0-9]+)?$")]
    payment_currency: str
    status: PurchaseStatus
    transaction: str | None = None
    partner_user_id: str = ""
    at: AwareDatetime


class PurchaseStore:
    """Purchases by account, newest first.

    Args:
        path: the file that keeps them, one JSON object a line, the last line of an id counting; None
            keeps them in memory only. Lines that are no purchases are passed over.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._purchases: dict[str, Purchase] = {}
        if path is not None and path.is_file():
            self._read(path)

    def put(self, purchase: Purchase) -> None:
        """Add a purchase, or replace the one with the same id.

        Raises:
            OSError: the file could not be written.
        """
        self._remember(purchase)
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(purchase.model_dump_json() + "\n")

    def get(self, purchase_id: str) -> Purchase | None:
        """The purchase with this id."""
        return self._purchases.get(purchase_id)

    def of_address(self, address: str, chain: str | None = None) -> Sequence[Purchase]:
        """The purchases for an account, newest first.

        Args:
            address: plain address; hexadecimal ones are compared whatever their case.
            chain: CAIP-2 id that they are limited to.
        """
        wanted = _comparable(address)
        found = [
            one for one in self._purchases.values() if _comparable(one.address) == wanted and chain in (None, one.chain)
        ]
        return sorted(found, key=_when, reverse=True)

    def in_progress(self) -> Sequence[Purchase]:
        """The purchases that are not settled."""
        return [one for one in self._purchases.values() if one.status is PurchaseStatus.IN_PROGRESS]

    def clear(self) -> None:
        """Forget all, in the file too."""
        self._purchases.clear()
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    def _remember(self, purchase: Purchase) -> None:
        self._purchases[purchase.id] = purchase
        while len(self._purchases) > KEPT:
            del self._purchases[next(iter(self._purchases))]

    def _read(self, path: Path) -> None:
        content = path.read_bytes()
        lines = content.splitlines()
        for line in lines:
            try:
                self._remember(Purchase.model_validate(read_json(line)))
            except (ValidationError, ValueError):
                continue
        # A process that was killed in the middle of a line leaves one that the next would be glued to.
        if len(lines) > KEPT or not content.endswith(b"\n"):
            self._rewrite(path)

    def _rewrite(self, path: Path) -> None:
        fresh = path.with_suffix(".new")
        fresh.write_text("".join(one.model_dump_json() + "\n" for one in self._purchases.values()), encoding="utf-8")
        fresh.replace(path)


def _comparable(address: str) -> str:
    return address.lower() if re.fullmatch(r"0x[0-9a-fA-F]{40}", address) else address


def _when(purchase: Purchase) -> datetime:
    return purchase.at
