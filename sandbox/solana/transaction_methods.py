"""RPC methods about transactions: sending, simulating, looking them up."""

from collections.abc import Callable, Mapping
from contextlib import suppress

from solders.hash import Hash
from solders.message import Message, MessageV0
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction
from solders.transaction_metadata import FailedTransactionMetadata, SimulatedTransactionInfo

from walletmodal.sandbox.solana.account_json import account_json
from walletmodal.sandbox.solana.beginning import SolanaFaucet
from walletmodal.sandbox.solana.failures import (
    SIGNATURE_FAILED,
    SIMULATION_FAILED,
    SolanaRpcError,
    error_of,
    words_of,
)
from walletmodal.sandbox.solana.ledger import BLOCKHASH_SLOTS, Ledger
from walletmodal.sandbox.solana.parameters import Config, Parameters, invalid, key_of, signature_of, transaction_of
from walletmodal.sandbox.solana.record import Landed
from walletmodal.sandbox.solana.transaction_json import TRANSACTION_ENCODINGS, status_json, transaction_json

MAX_SIGNATURES = 256
MAX_HISTORY = 1000

_SENT_ENCODINGS = ("base58", "base64")

Method = Callable[[Parameters], object]
InContext = Callable[[object], dict[str, object]]


class TransactionMethods:
    """The methods by name, over a ledger.

    Args:
        ledger: where transactions land.
        faucet: pays airdrops.
        in_context: wraps a value with the slot that it is of.
    """

    def __init__(self, ledger: Ledger, faucet: SolanaFaucet, in_context: InContext) -> None:
        self._ledger = ledger
        self._faucet = faucet
        self._in_context = in_context
        self.methods: Mapping[str, Method] = {
            "getBlockTime": self._block_time,
            "getSignatureStatuses": self._statuses,
            "getSignaturesForAddress": self._signatures,
            "getTransaction": self._transaction,
            "requestAirdrop": self._airdrop,
            "sendTransaction": self._send,
            "simulateTransaction": self._simulate,
        }

    def _airdrop(self, given: Parameters) -> object:
        given.config(2)
        lamports = given.whole(1, "lamports")
        try:
            return self._faucet.give(given.key(0), lamports).signature
        except OverflowError as error:
            raise invalid(f"Invalid params: {error}") from error

    def _send(self, given: Parameters) -> object:
        config = given.config(1)
        encoding = config.choice("encoding", _SENT_ENCODINGS, "base58")
        transaction = transaction_of(given.text(0, "the transaction"), encoding)
        signature = str(transaction.signatures[0])
        if not config.flag("skipPreflight"):
            _require_signed(transaction)
            self._preflight(transaction)
        elif not all(transaction.verify_with_results()):
            # A validator takes it and drops it in silence.
            return signature
        self._ledger.send(transaction)
        return signature

    def _preflight(self, transaction: VersionedTransaction) -> None:
        error: object = self._barred(transaction)
        outcome = self._ledger.simulate(transaction) if error is None else None
        error = error_of(outcome) if isinstance(outcome, FailedTransactionMetadata) else error
        if error is None:
            return
        meta = outcome.meta() if outcome is not None else None
        raise SolanaRpcError(
            SIMULATION_FAILED,
            f"Transaction simulation failed: {words_of(error)}",
            {
                "accounts": None,
                "err": error,
                "innerInstructions": None,
                "logs": meta.logs() if meta is not None else [],
                "returnData": None,
                "unitsConsumed": meta.compute_units_consumed() if meta is not None else 0,
            },
        )

    def _barred(self, transaction: VersionedTransaction) -> str | None:
        if not self._ledger.is_fresh(transaction.message.recent_blockhash):
            return "BlockhashNotFound"
        return "AlreadyProcessed" if self._ledger.record(str(transaction.signatures[0])) is not None else None

    def _simulate(self, given: Parameters) -> object:
        config = given.config(1)
        encoding = config.choice("encoding", _SENT_ENCODINGS, "base58")
        transaction = transaction_of(given.text(0, "the transaction"), encoding)
        wanted = config.inner("accounts")
        keys = [key_of(one) for one in wanted.items("addresses") if isinstance(one, str)]
        replacing = config.flag("replaceRecentBlockhash")
        if config.flag("sigVerify"):
            if replacing:
                raise invalid("sigVerify may not be used with replaceRecentBlockhash")
            _require_signed(transaction)
        if replacing:
            transaction = _with_blockhash(transaction, self._ledger.blockhash)
        barred = self._barred(transaction)
        if barred is not None:
            return self._in_context(_simulated(barred, [], 0))
        outcome = self._ledger.simulate(transaction)
        meta = outcome.meta()
        error = error_of(outcome) if isinstance(outcome, FailedTransactionMetadata) else None
        answer = _simulated(error, meta.logs(), meta.compute_units_consumed())
        if keys and isinstance(outcome, SimulatedTransactionInfo):
            answer["accounts"] = self._accounts_after(outcome, keys, wanted)
        if replacing:
            last = self._ledger.slot + BLOCKHASH_SLOTS
            answer["replacementBlockhash"] = {"blockhash": str(self._ledger.blockhash), "lastValidBlockHeight": last}
        return self._in_context(answer)

    def _accounts_after(self, outcome: SimulatedTransactionInfo, keys: list[Pubkey], config: Config) -> list[object]:
        encoding = config.choice("encoding", ("base64", "jsonParsed"), "base64")
        after = dict(outcome.post_accounts())
        return [
            account_json(after.get(key, self._ledger.account(key)), encoding, config, self._ledger.account)
            for key in keys
        ]

    def _statuses(self, given: Parameters) -> object:
        signatures = [signature_of(one) for one in given.texts(0, "the signatures", MAX_SIGNATURES)]
        given.config(1)
        return self._in_context([_status(self._ledger.record(one)) for one in signatures])

    def _signatures(self, given: Parameters) -> object:
        config = given.config(1)
        limit = config.whole("limit", MAX_HISTORY, MAX_HISTORY)
        if limit == 0:
            raise invalid(f"Invalid limit; max {MAX_HISTORY}")
        newest_first = [one.signature for one in reversed(self._ledger.records(given.key(0)))]
        if config.has("before"):
            newest_first = _after(newest_first, signature_of(config.text("before", "")))
        if config.has("until"):
            with suppress(ValueError):
                newest_first = newest_first[: newest_first.index(signature_of(config.text("until", "")))]
        records = (self._ledger.record(one) for one in newest_first[:limit])
        return [
            {
                "blockTime": one.at,
                "confirmationStatus": "finalized",
                "err": one.error,
                "memo": None,
                "signature": one.signature,
                "slot": one.slot,
            }
            for one in records
            if one is not None
        ]

    def _transaction(self, given: Parameters) -> object:
        # In its first form the second parameter was the encoding alone.
        config = Config({"encoding": given.text(1, "the encoding")}) if given.is_text(1) else given.config(1)
        encoding = config.choice("encoding", TRANSACTION_ENCODINGS, "json")
        newest = config.whole("maxSupportedTransactionVersion", 0, 255)
        record = self._ledger.record(signature_of(given.text(0, "the signature")))
        if record is None:
            return None
        return transaction_json(record, encoding, newest if config.has("maxSupportedTransactionVersion") else None)

    def _block_time(self, given: Parameters) -> object:
        record = self._ledger.at_slot(given.whole(0, "the slot"))
        return record.at if record is not None else None


def _require_signed(transaction: VersionedTransaction) -> None:
    if not all(transaction.verify_with_results()):
        raise SolanaRpcError(SIGNATURE_FAILED, "Transaction signature verification failure")


def _simulated(error: object, logs: list[str], units: int) -> dict[str, object]:
    return {
        "accounts": None,
        "err": error,
        "innerInstructions": None,
        "logs": logs,
        "returnData": None,
        "unitsConsumed": units,
    }


def _status(record: Landed | None) -> dict[str, object] | None:
    if record is None:
        return None
    return {
        "confirmationStatus": "finalized",
        "confirmations": None,
        "err": record.error,
        "slot": record.slot,
        "status": status_json(record.error),
    }


def _after(signatures: list[str], one: str) -> list[str]:
    return signatures[signatures.index(one) + 1 :] if one in signatures else []


def _with_blockhash(transaction: VersionedTransaction, blockhash: Hash) -> VersionedTransaction:
    old = transaction.message
    new: Message | MessageV0
    if isinstance(old, MessageV0):
        new = MessageV0(old.header, old.account_keys, blockhash, old.instructions, old.address_table_lookups)
    else:
        header = old.header
        new = Message.new_with_compiled_instructions(
            header.num_required_signatures,
            header.num_readonly_signed_accounts,
            header.num_readonly_unsigned_accounts,
            old.account_keys,
            blockhash,
            old.instructions,
        )
    return VersionedTransaction.populate(new, transaction.signatures)
