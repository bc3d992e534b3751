"""What a transaction would do, told by a node that runs it and sends nothing: the accounts that it writes to, before and after."""

import asyncio
import base64
import struct
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from solders.compute_budget import ID as COMPUTE_BUDGET
from solders.message import Message, MessageV0
from solders.transaction import VersionedTransaction

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import MalformedResponseError, ShapeError
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.transfers.simulation import Asset, Simulation, told
from walletmodal.services.chains.solana.reads import MAX_U64, Account, SolanaReads, read_holding
from walletmodal.services.rpc.transport import RpcTransport

MAX_WRITTEN: Final = 64
"""Accounts that are looked at; a transaction has no room for more without tables of addresses, which are not read."""
LAMPORTS_PER_SIGNATURE: Final = 5_000
DEFAULT_UNITS: Final = 200_000
MAX_UNITS: Final = 1_400_000
MAX_DEPOSIT: Final = 5_000_000
"""Lamports that the network asks for at most, about, for a token account with many extensions."""

_MAX_REASON: Final = 200
_MICRO: Final = 1_000_000
_SET_UNITS, _SET_PRICE = 2, 3
_TOKEN_SHORTAGE: Final = 1
_WORDS: Final = {
    "InsufficientFundsForRent": "An account would be left with less than the network asks for.",
    "InsufficientFundsForFee": "The account has too little SOL for the fee.",
    "AccountNotFound": "The account has no SOL.",
    "BlockhashNotFound": "The transaction is too old.",
}
_SHORTAGE: Final = "The account has too little for this."


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

    async def simulate(self, transaction: VersionedTransaction, sender: str, receiver: str) -> Simulation:
        """What a transaction does to two accounts and the token accounts that are theirs.

        Args:
            transaction: signed or not.
            sender: the account that signs.
            receiver: who is to get something, an account or a token account; "" for the sender.

        Raises:
            AddressError: one of the addresses is none.
            MalformedResponseError: the node's answer cannot be understood.
            TransportError: the node cannot be asked.
        """
        account = normal_address("solana", sender)
        other = normal_address("solana", receiver) if receiver else account
        message = transaction.message
        written = _written(message)
        if len(written) > MAX_WRITTEN:
            raise MalformedResponseError(url=str(self._chain), details="the transaction writes to too many accounts")
        before, outcome = await asyncio.gather(self._before(written), self._outcome(transaction, written))
        if outcome["err"] is not None:
            return Simulation(ran=True, failure=failure_words(outcome["err"]))
        after = self._states(outcome.get("accounts"), written, "simulateTransaction")
        # What the payer loses to the network, and leaves behind in token accounts that are opened, is told as the fee.
        fee = {str(message.account_keys[0]): fee_of(message) + _deposits(before, after)}
        sides = (_changes(before, after, party, fee.get(party, 0)) for party in (account, other))
        return told(*sides)

    async def _before(self, written: Sequence[str]) -> Mapping[str, _State]:
        method = "getMultipleAccounts"
        config = {"encoding": "base64", "commitment": "confirmed"}
        value = self._reads.value(await self._reads.ask(method, [list(written), config]), method)
        return self._states(value, written, method)

    async def _outcome(self, transaction: VersionedTransaction, written: Sequence[str]) -> Mapping[str, object]:
        method = "simulateTransaction"
        config = {
            "encoding": "base64",
            "sigVerify": False,
            "replaceRecentBlockhash": True,
            "commitment": "confirmed",
            "accounts": {"encoding": "base64", "addresses": list(written)},
        }
        text = base64.b64encode(bytes(transaction)).decode()
        value = self._reads.value(await self._reads.ask(method, [text, config]), method)
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


def transaction_of(params: object) -> VersionedTransaction:
    """The transaction of a `solana_signAndSendTransaction`.

    Raises:
        ShapeError: there is none.
    """
    text = params.get("transaction") if isinstance(params, Mapping) else None
    if not isinstance(text, str):
        raise ShapeError("params.transaction: must be a text")
    try:
        return VersionedTransaction.from_bytes(base64.b64decode(text, validate=True))
    except ValueError as error:
        raise ShapeError("params.transaction: must be a transaction in base64") from error


def fee_of(message: Message | MessageV0) -> int:
    """What the network takes for a transaction, in lamports: for its signatures, and for its place in the queue."""
    units, price = None, 0
    own = [one for one in message.instructions if message.account_keys[one.program_id_index] == COMPUTE_BUDGET]
    for instruction in own:
        data = bytes(instruction.data)
        if data[:1] == bytes([_SET_UNITS]) and len(data) == 5:
            (units,) = struct.unpack_from("<I", data, 1)
        if data[:1] == bytes([_SET_PRICE]) and len(data) == 9:
            (price,) = struct.unpack_from("<Q", data, 1)
    if units is None:
        units = DEFAULT_UNITS * (len(message.instructions) - len(own))
    return message.header.num_required_signatures * LAMPORTS_PER_SIGNATURE - (-min(units, MAX_UNITS) * price // _MICRO)


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
    return f"The network would refuse it: {clean_text(str(error), limit=_MAX_REASON)}"


def _deposits(before: Mapping[str, _State], after: Mapping[str, _State]) -> int:
    """What is put into new token accounts, in lamports; where it is more than the network asks for, it is a payment."""
    opened = (state for address, state in after.items() if state.mint and not before[address].lamports)
    return sum(state.lamports for state in opened if state.lamports <= MAX_DEPOSIT)


def _written(message: Message | MessageV0) -> list[str]:
    """The accounts that a transaction may write to: in front among those that sign, and in front among the others."""
    keys, header = [str(key) for key in message.account_keys], message.header
    signing = header.num_required_signatures
    return [
        *keys[: signing - header.num_readonly_signed_accounts],
        *keys[signing : len(keys) - header.num_readonly_unsigned_accounts],
    ]


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
