"""Simulation of Solana transactions by a node that runs them and sends nothing: the accounts that it writes to, before and after."""

import asyncio
import base64
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.decoding.solana_message import read_transaction
from walletmodal.core.errors import MalformedResponseError, ShapeError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.language import _
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.transfers.simulation import Asset, Simulation, told
from walletmodal.services.chains.solana.reads import MAX_U64, Account, SolanaReads, read_holding
from walletmodal.services.rpc.transport import RpcTransport

MAX_WRITTEN: Final = 64
"""Accounts that are looked at; a transaction has no room for more without tables of addresses, which are not read."""
MAX_DEPOSIT: Final = 5_000_000
"""Lamports that the network asks for at most, about, for a token account with many extensions."""

_MAX_REASON: Final = 200
_TOKEN_SHORTAGE: Final = 1
_WORDS: Final = {
    "InsufficientFundsForRent": _("An account would be left with less than the network asks for."),
    "InsufficientFundsForFee": _("The account has too little SOL for the fee."),
    "AccountNotFound": _("The account has no SOL."),
    "BlockhashNotFound": _("The transaction is too old."),
}
_SHORTAGE: Final = _("The account has too little for this.")


@dataclass(frozen=True, slots=True)
class _State:
    """An account's lamports and, where it is a token account, whose and how many of what."""

    lamports: int = 0
    owner: str = ""
    mint: str = ""
    amount: int = 0


class TransactionSimulation:
    """Simulates the transactions of one network.

    Args:
        transport: the way to its nodes.
        chain: its id.
    """

    def __init__(self, transport: RpcTransport, chain: ChainId) -> None:
        self._reads, self._chain = SolanaReads(transport, chain), chain

    async def simulate(self, transaction: str, sender: str, receiver: str) -> Simulation:
        """Simulates what a transaction does to two accounts and the token accounts that are theirs.

        Args:
            transaction: base64, signed or not.
            sender: the account that signs.
            receiver: who is to get something, an account or a token account; "" for the sender.

        Raises:
            AddressError: one of the addresses is none.
            MalformedResponseError: the node's answer cannot be understood.
            ShapeError: there is no transaction.
            TransportError: the node cannot be asked.
        """
        account = normal_address("solana", sender)
        other = normal_address("solana", receiver) if receiver else account
        try:
            message = read_transaction(transaction)
        except PayloadError as error:
            raise ShapeError("params.transaction: must be a transaction in base64") from error
        written = message.writable
        if len(written) > MAX_WRITTEN:
            raise MalformedResponseError(url=str(self._chain), details="the transaction writes to too many accounts")
        before, outcome = await asyncio.gather(self._before(written), self._outcome(transaction, written))
        if outcome["err"] is not None:
            return Simulation(ran=True, failure=failure_words(outcome["err"]))
        after = self._states(outcome.get("accounts"), written, "simulateTransaction")
        # What the payer loses to the network, and leaves behind in token accounts that are opened, is told as the fee.
        fee = {message.payer: message.fee + _deposits(before, after)}
        sides = (_changes(before, after, party, fee.get(party, 0)) for party in (account, other))
        return told(*sides)

    async def _before(self, written: Sequence[str]) -> Mapping[str, _State]:
        method = "getMultipleAccounts"
        config = {"encoding": "base64", "commitment": "confirmed"}
        value = self._reads.value(await self._reads.ask(method, [list(written), config]), method)
        return self._states(value, written, method)

    async def _outcome(self, transaction: str, written: Sequence[str]) -> Mapping[str, object]:
        method = "simulateTransaction"
        config = {
            "encoding": "base64",
            "sigVerify": False,
            "replaceRecentBlockhash": True,
            "commitment": "confirmed",
            "accounts": {"encoding": "base64", "addresses": list(written)},
        }
        value = self._reads.value(await self._reads.ask(method, [transaction, config]), method)
        if not isinstance(value, Mapping) or "err" not in value:
            raise self._nonsense(method)
        return value

    def _states(self, rows: object, written: Sequence[str], method: str) -> Mapping[str, _State]:
        if not isinstance(rows, list) or len(rows) != len(written):
            raise self._nonsense(method)
        try:
            return {address: _state(address, row) for address, row in zip(written, rows, strict=True)}
        except (KeyError, TypeError, ValueError) as error:
            raise self._nonsense(method) from error

    def _nonsense(self, method: str) -> MalformedResponseError:
        return MalformedResponseError(url=str(self._chain), details=f"{method} answered with something else")


def transaction_of(params: object) -> str:
    """The transaction of a `solana_signAndSendTransaction`.

    Raises:
        ShapeError: there is none.
    """
    text = params.get("transaction") if isinstance(params, Mapping) else None
    if not isinstance(text, str):
        raise ShapeError("params.transaction: must be a text")
    return text


def failure_words(error: object) -> str:
    """What a node's error of a transaction means to a visitor."""
    named = error if isinstance(error, str) else next(iter(error), "") if isinstance(error, Mapping) else ""
    if named in _WORDS:
        return _WORDS[named]
    if isinstance(error, Mapping) and named == "InstructionError":
        inner = error[named]
        reason = inner[1] if isinstance(inner, list) and len(inner) == 2 else None
        if reason in ({"Custom": _TOKEN_SHORTAGE}, "InsufficientFunds"):
            return _SHORTAGE
    return _("The network would refuse it: {reason}", reason=clean_text(str(error), limit=_MAX_REASON))


def _deposits(before: Mapping[str, _State], after: Mapping[str, _State]) -> int:
    """What is put into new token accounts, in lamports; where it is more than the network asks for, it is a payment."""
    opened = (state for address, state in after.items() if state.mint and not before[address].lamports)
    return sum(state.lamports for state in opened if state.lamports <= MAX_DEPOSIT)


def _changes(before: Mapping[str, _State], after: Mapping[str, _State], party: str, fee: int) -> Mapping[Asset, int]:
    found: defaultdict[Asset, int] = defaultdict(int)
    for address, states in ((address, (before[address], after[address])) for address in after):
        for state, sign in zip(states, (-1, 1), strict=True):
            if party in (address, state.owner) and state.mint:
                found[state.mint, None] += sign * state.amount
            if address == party and not state.mint:
                found[None, None] += sign * state.lamports
    if party in after:
        found[None, None] += fee
    return dict(found)


def _state(address: str, row: object) -> _State:
    if row is None:
        return _State()
    if not isinstance(row, Mapping):
        raise TypeError("no account")
    lamports, (text, _) = row["lamports"], row["data"]
    if isinstance(lamports, bool) or not isinstance(lamports, int) or not 0 <= lamports <= MAX_U64:
        raise ValueError("no lamports")
    account = Account(str(row["owner"]), base64.b64decode(text, validate=True))
    if not account.holding:
        return _State(lamports)
    holding = read_holding(address, account)
    return _State(lamports, holding.owner, holding.mint, holding.amount)
