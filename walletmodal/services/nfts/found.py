"""Candidates of what an account has: NFTs that came to it, of which some may have left since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from walletmodal.core.accounts.nfts import NftStandard

MAX_STEPS: Final = 12
"""Steps into the past of one account's search: where a node lets only few blocks be asked for at once, the past is too long."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """An NFT that came to an account.

    Attributes:
        standard: what the contract follows.
        contract: checked address or mint.
        token_id: decimal, "" on Solana.
        transaction: hash of the transaction that brought it, "" where that is not known.
    """

    standard: NftStandard
    contract: str
    token_id: str = ""
    transaction: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What tells NFTs of a network apart."""
        return (self.contract, self.token_id)


@dataclass(frozen=True, slots=True)
class Held:
    """An NFT that an account has at this moment, and what its contract says: where its metadata is, and the collection's name."""

    arrival: Arrival
    amount: int
    uri: str = ""
    collection: str = ""
    name: str = ""


@dataclass(slots=True)
class Scan:
    """Progress of the search for an account's NFTs. It can be written down and taken up again, by any worker.

    Attributes:
        arrivals: what came, the newest first; a number in it is a place in the list of pages, so further ones are only put at its end.
        newest: the last block that was looked at, -1 before the first look.
        oldest: the first block that was looked at; 0 when all were.
        span: how many blocks are asked for at once; 0: all.
        answered, refused: how many the node has answered for at once, and has not; 0: not known.
        steps: how often older blocks were looked through; there is an end to it.
        gap: 1 where blocks between two looks were left out.
        told: 1 when the history was read to its end, so that it knows what was not looked through.
        cursor: where the history goes on; None when it has no more, or there is none.
        advertised: names of NFTs that the history calls spam, by the hash of the transaction that brought them.
        begun: seconds since 1970 at which the newest block was looked at.
    """

    arrivals: list[Arrival] = field(default_factory=list)
    newest: int = -1
    oldest: int = -1
    span: int = 0
    answered: int = 0
    refused: int = 0
    steps: int = 0
    gap: int = 0
    told: int = 0
    cursor: str | None = ""
    advertised: dict[str, list[str]] = field(default_factory=dict)
    begun: float = 0.0

    @property
    def over(self) -> bool:
        """Whether there is nothing more to look through, or nothing more is."""
        return self.cursor is None and (self.oldest == 0 or self.steps >= MAX_STEPS)

    @property
    def partial(self) -> bool:
        """Whether something may have come that nobody has told."""
        return bool(self.gap or (self.oldest and not self.told))

    def add(self, arrivals: Iterable[Arrival]) -> None:
        """Puts what is new at the end."""
        known = {one.key for one in self.arrivals}
        for one in arrivals:
            if one.key not in known:
                known.add(one.key)
                self.arrivals.append(one)

    def put_first(self, arrivals: Sequence[Arrival]) -> None:
        """Puts what came lately in front; places of pages move, so this is for a first page only."""
        fresh = {one.key: one for one in arrivals}
        self.arrivals = [*fresh.values(), *(one for one in self.arrivals if one.key not in fresh)]


class NftReader(Protocol):
    """Reader of one namespace's NFTs on one network."""

    async def search(self, owner: str, scan: Scan) -> None:
        """Looks a bounded step further.

        Raises:
            TransportError: the node cannot be asked.
        """
        ...

    async def brought_by(self, owner: str, transactions: Sequence[str]) -> tuple[Arrival, ...]:
        """What some transactions brought to an account.

        Raises:
            TransportError: the node cannot be asked.
        """
        ...

    async def read(self, owner: str, arrivals: Sequence[Arrival]) -> tuple[Held, ...]:
        """Reads the NFTs that the account has now, in the order given.

        Raises:
            TransportError: the node cannot be asked.
        """
        ...

    async def describe(self, arrival: Arrival) -> Held | None:
        """What an NFT says of itself, whoever has it; None where there is none.

        Raises:
            TransportError: the node cannot be asked.
        """
        ...
