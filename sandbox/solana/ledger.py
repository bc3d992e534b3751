"""The ledger: the virtual machine, what landed on it, and what clients may ask of both."""

import base64
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Any

import base58
from solders.account import Account
from solders.hash import Hash
from solders.litesvm import LiteSVM
from solders.message import MessageAddressTableLookup, MessageV0
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction
from solders.transaction_metadata import FailedTransactionMetadata, SimulatedTransactionInfo

from walletmodal.sandbox.solana.failures import error_of, landed
from walletmodal.sandbox.solana.journal import SolanaJournal
from walletmodal.sandbox.solana.record import Accounts, InnerInstruction, Landed, TokenBalance
from walletmodal.sandbox.solana.spl import mint_of, token_account_of

BLOCKHASH_SLOTS = 150
"""For how many slots a blockhash is good."""

_LOOKUP_TABLE_HEADER = 56

Listener = Callable[[Landed], None]


@dataclass(frozen=True)
class Outcome:
    """What became of a transaction; `record` is None when it failed before it ran."""

    error: object
    record: Landed | None


class Ledger:
    """Solana's state and history; each transaction that lands makes one slot.

    Args:
        journal: where transactions are written down.
        genesis: puts the first accounts into a new virtual machine.
        clock: seconds since 1970.
    """

    def __init__(
        self, journal: SolanaJournal, genesis: Callable[[LiteSVM], None], clock: Callable[[], float] = time.time
    ) -> None:
        self._journal = journal
        self._genesis = genesis
        self._clock = clock
        self._listeners: list[Listener] = []
        self._begin()

    def _begin(self) -> None:
        # The ages of blockhashes and the signatures are checked here: LiteSVM takes only its newest blockhash, where the network
        # takes 150, and it would refuse to simulate what is not signed yet.
        self._svm = LiteSVM().with_blockhash_check(check=False).with_sigverify(sigverify=False)
        self._genesis(self._svm)
        self.slot = 1
        self._blockhash = Hash(sha256(b"walletmodal sandbox solana").digest())
        self._blockhash_slots = {self._blockhash: self.slot}
        self._records: dict[str, Landed] = {}
        self._of_account: dict[Pubkey, list[Landed]] = {}
        self._touched: set[Pubkey] = set()

    def restore(self) -> bool:
        """Take what the journal holds; False when it holds nothing.

        Raises:
            OSError: the journal cannot be read.
        """
        entries = self._journal.read()
        for record, accounts in entries:
            for key, account in accounts.items():
                self._svm.set_account(key, account)
            self._take(record)
        return bool(entries)

    def reset(self) -> None:
        """Forget everything; the listeners stay."""
        self._journal.clear()
        self._begin()

    def listen(self, listener: Listener) -> None:
        """Tell `listener` of each transaction that lands."""
        self._listeners.append(listener)

    @property
    def blockhash(self) -> Hash:
        """The newest blockhash."""
        return self._blockhash

    @property
    def count(self) -> int:
        """How many transactions landed."""
        return len(self._records)

    def is_fresh(self, blockhash: Hash) -> bool:
        """Whether a transaction with this blockhash may still land."""
        slot = self._blockhash_slots.get(blockhash)
        return slot is not None and self.slot - slot <= BLOCKHASH_SLOTS

    def account(self, key: Pubkey) -> Account | None:
        """An account that exists."""
        found = self._svm.get_account(key)
        return None if found is None or (found.lamports == 0 and not found.data) else found

    def accounts(self, program: Pubkey) -> list[tuple[Pubkey, Account]]:
        """The accounts that a program owns, of those that any transaction named, in the order of their keys."""
        found = ((key, self.account(key)) for key in sorted(self._touched, key=bytes))
        return [(key, account) for key, account in found if account is not None and account.owner == program]

    def rent(self, size: int) -> int:
        """Lamports that an account of so many bytes must have."""
        return self._svm.minimum_balance_for_rent_exemption(size)

    def record(self, signature: str) -> Landed | None:
        """What landed under a signature."""
        return self._records.get(signature)

    def records(self, key: Pubkey) -> Sequence[Landed]:
        """What named an account, oldest first."""
        return self._of_account.get(key, ())

    def at_slot(self, slot: int) -> Landed | None:
        """What landed in a slot."""
        return next((one for one in reversed(self._records.values()) if one.slot == slot), None)

    def simulate(self, transaction: VersionedTransaction) -> SimulatedTransactionInfo | FailedTransactionMetadata:
        """Run a transaction without keeping what it does; neither signatures nor blockhash are looked at."""
        self._set_clock()
        return self._svm.simulate_transaction(transaction)

    def send(self, transaction: VersionedTransaction, beside: Accounts = MappingProxyType({})) -> Outcome:
        """Run a transaction whose signatures were checked; what lands is written down and told to listeners.

        Args:
            transaction: what is run.
            beside: what a program that is not here would write in it: accounts that are put in place if it succeeds.
        """
        if not self.is_fresh(transaction.message.recent_blockhash):
            return Outcome("BlockhashNotFound", None)
        if str(transaction.signatures[0]) in self._records:
            return Outcome("AlreadyProcessed", None)
        writable, readonly = self._loaded(transaction)
        keys = [*transaction.message.account_keys, *writable, *readonly]
        before, tokens_before = self._balances(keys), self._token_balances(keys)
        self._set_clock()
        outcome = self._svm.send_transaction(transaction)
        error = error_of(outcome)
        if not landed(error):
            return Outcome(error, None)
        meta = outcome.meta() if isinstance(outcome, FailedTransactionMetadata) else outcome
        told = json.loads(meta.to_json())
        signature = str(transaction.signatures[0])
        record = Landed(
            signature=signature,
            slot=self.slot + 1,
            at=int(self._clock()),
            blockhash=str(Hash(sha256(bytes(self._blockhash) + bytes(transaction.signatures[0])).digest())),
            raw=base64.b64encode(bytes(transaction)).decode(),
            keys=[str(key) for key in keys],
            loaded_writable=[str(key) for key in writable],
            loaded_readonly=[str(key) for key in readonly],
            error=error,
            fee=told["fee"],
            pre_balances=before,
            post_balances=self._balances(keys),
            pre_tokens=tokens_before,
            post_tokens=self._token_balances(keys),
            inner=[[_inner(one) for one in each] for each in told["inner_instructions"]],
            logs=told["logs"],
            units=told["compute_units_consumed"],
        )
        if error is None:
            for key, account in beside.items():
                self._svm.set_account(key, account)
        self._take(record)
        empty = Account(0, b"", Pubkey.default())
        changed = {key: self._svm.get_account(key) or empty for key in keys}
        written = {key: one for key, one in changed.items() if not one.executable}
        self._journal.add(record, {**written, **beside} if error is None else written)
        for listener in self._listeners:
            listener(record)
        return Outcome(error, record)

    def _take(self, record: Landed) -> None:
        self.slot = record.slot
        self._blockhash = Hash.from_string(record.blockhash)
        self._blockhash_slots[self._blockhash] = record.slot
        self._records[record.signature] = record
        for key in {Pubkey.from_string(one) for one in record.keys}:
            self._of_account.setdefault(key, []).append(record)
            self._touched.add(key)

    def _set_clock(self) -> None:
        clock = self._svm.get_clock()
        clock.slot, clock.unix_timestamp = self.slot, int(self._clock())
        self._svm.set_clock(clock)

    def _loaded(self, transaction: VersionedTransaction) -> tuple[list[Pubkey], list[Pubkey]]:
        message = transaction.message
        lookups = message.address_table_lookups if isinstance(message, MessageV0) else []
        writable = [key for one in lookups for key in self._looked_up(one, bytes(one.writable_indexes))]
        return writable, [key for one in lookups for key in self._looked_up(one, bytes(one.readonly_indexes))]

    def _looked_up(self, lookup: MessageAddressTableLookup, indexes: bytes) -> list[Pubkey]:
        table = self.account(lookup.account_key)
        listed = bytes(table.data)[_LOOKUP_TABLE_HEADER:] if table is not None else b""
        return [Pubkey(listed[32 * index : 32 * index + 32]) for index in indexes if 32 * index + 32 <= len(listed)]

    def _balances(self, keys: Sequence[Pubkey]) -> list[int]:
        return [self._svm.get_balance(key) or 0 for key in keys]

    def _token_balances(self, keys: Sequence[Pubkey]) -> list[TokenBalance]:
        balances = []
        for index, key in enumerate(keys):
            account = self.account(key)
            held = token_account_of(account)
            mint = mint_of(self.account(Pubkey.from_string(held.mint))) if held is not None else None
            if account is not None and held is not None and mint is not None:
                program = str(account.owner)
                balances.append(TokenBalance(index, held.mint, held.owner, program, held.amount, mint.decimals))
        return balances


def _inner(told: Mapping[str, Any]) -> InnerInstruction:
    instruction = told["instruction"]
    # Both lists begin with a list of their own: their length, as it stands in the bytes.
    data = base58.b58encode(bytes(instruction["data"][1:])).decode()
    return InnerInstruction(instruction["programIdIndex"], instruction["accounts"][1:], data, told["stackHeight"])
