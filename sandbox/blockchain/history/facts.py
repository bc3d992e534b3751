"""What is kept of a transaction: who paid whom what, who allowed what. No prices and no names; those are of the day of asking."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["native", "erc20", "erc721", "erc1155"]
Status = Literal["confirmed", "failed", "pending"]


@dataclass(frozen=True, slots=True)
class Movement:
    """Something that changed hands. Addresses are lower case; the zero address stands for minting and burning.

    Attributes:
        kind: what it is.
        contract: its contract, or `NATIVE`.
        sender, recipient: from whom to whom.
        amount: base units; 1 for an ERC-721 token.
        token_id: of an NFT.
    """

    kind: Kind
    contract: str
    sender: str
    recipient: str
    amount: int
    token_id: int | None = None


@dataclass(frozen=True, slots=True)
class TransactionFacts:
    """One transaction.

    Attributes:
        chain: CAIP-2 id.
        block, position: where it stands.
        timestamp: Unix seconds of its block.
        hash: transaction hash.
        sender: who signed it, lower case.
        target: whom it called, lower case; None when it created a contract.
        nonce: the sender's.
        status: how it ended.
        value: native base units that it carried.
        call: the first four bytes of its data, hexadecimal with 0x; "" without data.
        created: the contract that it created, lower case.
        movements: what changed hands, in order; nothing when it failed.
        approvers: who allowed someone to take something.
    """

    chain: str
    block: int
    position: int
    timestamp: int
    hash: str
    sender: str
    target: str | None
    nonce: int
    status: Status
    value: int
    call: str
    created: str | None
    movements: tuple[Movement, ...] = ()
    approvers: frozenset[str] = frozenset()

    @property
    def order(self) -> tuple[int, str, int, int]:
        """Sorts transactions of all chains, oldest first."""
        return (self.timestamp, self.chain, self.block, self.position)

    @property
    def accounts(self) -> set[str]:
        """Everyone in whose history it belongs.

        Anyone may have a token say that nothing went from somebody to somebody; that puts look-alike addresses into
        histories that people copy from, so only who sent the transaction has it.
        """
        involved = {self.sender, *self.approvers}
        for movement in self.movements:
            if movement.amount:
                involved |= {movement.sender, movement.recipient}
        return involved
