"""A transaction as one account sees it: which operation it was, what came in and what went out."""

from dataclasses import dataclass
from typing import Final, Literal

from walletmodal.sandbox.blockchain.abi import selector
from walletmodal.sandbox.blockchain.chains import NATIVE, ZERO_ADDRESS, Chain
from walletmodal.sandbox.blockchain.history.facts import Movement, TransactionFacts

Direction = Literal["in", "out", "self"]
OperationType = Literal[
    "approve", "burn", "cancel", "claim", "deploy", "deposit", "execute", "mint", "receive", "send", "trade", "withdraw"
]

_CALLS: Final[tuple[tuple[OperationType, tuple[str, ...]], ...]] = (
    ("send", ("transfer(address,uint256)", "transferFrom(address,address,uint256)")),
    ("send", ("safeTransferFrom(address,address,uint256)", "safeTransferFrom(address,address,uint256,bytes)")),
    ("send", ("safeTransferFrom(address,address,uint256,uint256,bytes)",)),
    ("approve", ("approve(address,uint256)", "setApprovalForAll(address,bool)")),
    ("mint", ("mint(address,uint256)", "mint(uint256)", "mint()")),
    ("burn", ("burn(uint256)", "burnFrom(address,uint256)")),
    ("deposit", ("deposit()",)),
    ("withdraw", ("withdraw(uint256)",)),
    ("trade", ("swapExactETHForTokens(uint256,address[],address,uint256)",)),
    ("trade", ("swapETHForExactTokens(uint256,address[],address,uint256)",)),
    (
        "trade",
        tuple(
            f"{name}(uint256,uint256,address[],address,uint256)"
            for name in (
                "swapExactTokensForETH",
                "swapTokensForExactETH",
                "swapExactTokensForTokens",
                "swapTokensForExactTokens",
            )
        ),
    ),
)

_BY_CALL: Final = {
    "0x" + selector(signature).hex(): operation for operation, signatures in _CALLS for signature in signatures
}
"""What a call was meant to do, for those that failed or wait, of which nothing else can be seen."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """A movement as one account sees it."""

    movement: Movement
    direction: Direction


@dataclass(frozen=True, slots=True)
class Operation:
    """A transaction as one account sees it.

    Attributes:
        type: what it was.
        sent_from, sent_to: of a plain send or receive, who paid whom; else who called what. Lower case.
        transfers: what concerned the account, in order.
    """

    type: OperationType
    sent_from: str
    sent_to: str
    transfers: tuple[Transfer, ...]


def operation(chain: Chain, facts: TransactionFacts, account: str) -> Operation:
    """What a transaction was for an account (lower case)."""
    transfers = _netted(_transfers(facts, account))
    kind = _type(chain, facts, account, transfers)
    sent_from, sent_to = facts.sender, facts.target or facts.created or ""
    if kind in ("send", "receive", "mint", "burn") and len({_parties(one) for one in transfers}) == 1:
        sent_from, sent_to = _parties(transfers[0])
    return Operation(kind, sent_from, sent_to, transfers)


def _transfers(facts: TransactionFacts, account: str) -> list[Transfer]:
    found: list[Transfer] = []
    for movement in facts.movements:
        if not movement.amount and facts.sender != account:
            continue
        if movement.sender == movement.recipient == account:
            found.append(Transfer(movement, "self"))
        elif movement.sender == account:
            found.append(Transfer(movement, "out"))
        elif movement.recipient == account:
            found.append(Transfer(movement, "in"))
    return found


def _netted(transfers: list[Transfer]) -> tuple[Transfer, ...]:
    """Without change given back: a router that is paid too much native coin returns the rest in the same transaction."""
    paid = next((one for one in transfers if one.direction == "out" and one.movement.kind == "native"), None)
    back = [one for one in transfers if one.direction == "in" and one.movement.kind == "native"]
    if paid is None or not back:
        return tuple(transfers)
    rest = paid.movement.amount - sum(one.movement.amount for one in back)
    if rest <= 0:
        return tuple(transfers)
    spent = paid.movement
    net = Movement("native", NATIVE, spent.sender, spent.recipient, rest)
    return tuple(Transfer(net, "out") if one is paid else one for one in transfers if one not in back)


def _type(chain: Chain, facts: TransactionFacts, account: str, transfers: tuple[Transfer, ...]) -> OperationType:
    own = facts.sender == account
    if own and facts.target is None:
        return "deploy"
    if facts.status != "confirmed" or not transfers:
        return _intended(facts, account)
    if wrapping := _wrapping(chain, facts, transfers):
        return wrapping
    gone = [one.movement for one in transfers if one.direction == "out"]
    come = [one.movement for one in transfers if one.direction == "in"]
    if come:
        return _exchange(gone, come) if gone else _incoming(facts, come, own=own)
    return _outgoing(facts, gone, own=own)


def _wrapping(chain: Chain, facts: TransactionFacts, transfers: tuple[Transfer, ...]) -> OperationType | None:
    kinds = [one.movement.kind for one in transfers]
    contracts = {one.movement.contract for one in transfers}
    if facts.target != chain.wrapped or contracts != {NATIVE, chain.wrapped} or len(kinds) != 2:
        return None
    return (
        "deposit" if any(one.direction == "out" and one.movement.kind == "native" for one in transfers) else "withdraw"
    )


def _outgoing(facts: TransactionFacts, gone: list[Movement], *, own: bool) -> OperationType:
    if gone and all(one.recipient == ZERO_ADDRESS and one.kind != "native" for one in gone):
        return "burn"
    if gone and own and facts.call and all(one.kind == "native" for one in gone):
        return "execute"
    return "send"


def _exchange(gone: list[Movement], come: list[Movement]) -> OperationType:
    if all(one.sender == ZERO_ADDRESS for one in come):
        # Paying for something made on the spot: an NFT is minted, a share of a pool is a deposit.
        return "mint" if any(one.token_id is not None for one in come) else "deposit"
    if len({one.contract for one in gone}) == 1 and len({one.contract for one in come}) > 1:
        return "withdraw"
    return "trade"


def _incoming(facts: TransactionFacts, come: list[Movement], *, own: bool) -> OperationType:
    if all(one.sender == ZERO_ADDRESS for one in come):
        return "mint"
    return "claim" if own and facts.call not in _BY_CALL else "receive"


def _intended(facts: TransactionFacts, account: str) -> OperationType:
    """What a transaction without visible effect was meant to do."""
    if account in facts.approvers:
        return "approve"
    if facts.call:
        return _BY_CALL.get(facts.call, "execute")
    if facts.sender == facts.target and not facts.value:
        # A payment of nothing to oneself takes the place of a transaction that waits under the same nonce.
        return "cancel"
    return "send"


def _parties(transfer: Transfer) -> tuple[str, str]:
    return transfer.movement.sender, transfer.movement.recipient
