"""RPC methods about the chain's state: slots, blockhashes, accounts, tokens."""

import base64
import binascii
from collections.abc import Callable, Mapping

import base58
from solders.account import Account
from solders.message import from_bytes_versioned

from walletmodal.sandbox.solana.account_json import account_json, holding_amount
from walletmodal.sandbox.solana.ledger import BLOCKHASH_SLOTS, Ledger
from walletmodal.sandbox.solana.parameters import ENCODINGS, Config, Parameters, blockhash_of, invalid, key_of
from walletmodal.sandbox.solana.spl import TOKEN_PROGRAMS, mint_of, token_account_of, ui_amount
from walletmodal.sandbox.solana.world import GENESIS_HASH

VERSION = "2.0.0"
MAX_ACCOUNTS = 100
MAX_DATA = 10 * 2**20
LAMPORTS_PER_SIGNATURE = 5000

_SLOTS_PER_EPOCH = 432_000

Method = Callable[[Parameters], object]


class StateMethods:
    """The methods by name, over a ledger.

    Args:
        ledger: what they tell of.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.methods: Mapping[str, Method] = {
            "getAccountInfo": self._account_info,
            "getBalance": self._balance,
            "getBlockHeight": lambda given: self._checked(given, self._ledger.slot),
            "getEpochInfo": self._epoch_info,
            "getFeeForMessage": self._fee_for_message,
            "getFirstAvailableBlock": lambda _: 0,
            "getGenesisHash": lambda _: GENESIS_HASH,
            "getHealth": lambda _: "ok",
            "getLatestBlockhash": self._latest_blockhash,
            "getMinimumBalanceForRentExemption": self._rent,
            "getMultipleAccounts": self._multiple_accounts,
            "getProgramAccounts": self._program_accounts,
            "getRecentPrioritizationFees": lambda _: [{"slot": self._ledger.slot, "prioritizationFee": 0}],
            "getSlot": lambda given: self._checked(given, self._ledger.slot),
            "getTokenAccountBalance": self._token_account_balance,
            "getTokenAccountsByOwner": self._token_accounts_by_owner,
            "getTokenSupply": self._token_supply,
            "getTransactionCount": lambda given: self._checked(given, self._ledger.count),
            "getVersion": lambda _: {"solana-core": VERSION, "feature-set": 607245837},
            "isBlockhashValid": self._is_blockhash_valid,
        }

    def in_context(self, value: object) -> dict[str, object]:
        """A value with the slot that it is of."""
        return {"context": {"apiVersion": VERSION, "slot": self._ledger.slot}, "value": value}

    @staticmethod
    def _checked(given: Parameters, value: object) -> object:
        given.config(0)
        return value

    def _epoch_info(self, given: Parameters) -> object:
        given.config(0)
        slot = self._ledger.slot
        return {
            "absoluteSlot": slot,
            "blockHeight": slot,
            "epoch": slot // _SLOTS_PER_EPOCH,
            "slotIndex": slot % _SLOTS_PER_EPOCH,
            "slotsInEpoch": _SLOTS_PER_EPOCH,
            "transactionCount": self._ledger.count,
        }

    def _latest_blockhash(self, given: Parameters) -> object:
        given.config(0)
        last = self._ledger.slot + BLOCKHASH_SLOTS
        return self.in_context({"blockhash": str(self._ledger.blockhash), "lastValidBlockHeight": last})

    def _is_blockhash_valid(self, given: Parameters) -> object:
        return self.in_context(self._ledger.is_fresh(blockhash_of(given.text(0, "the blockhash"))))

    def _fee_for_message(self, given: Parameters) -> object:
        try:
            raw = base64.b64decode(given.text(0, "the message"), validate=True)
            message = from_bytes_versioned(raw)
        except (ValueError, binascii.Error) as error:
            raise invalid(f"invalid message: {error}") from error
        if not self._ledger.is_fresh(message.recent_blockhash):
            return self.in_context(None)
        return self.in_context(LAMPORTS_PER_SIGNATURE * message.header.num_required_signatures)

    def _rent(self, given: Parameters) -> object:
        return self._ledger.rent(given.whole(0, "the size", MAX_DATA))

    def _balance(self, given: Parameters) -> object:
        given.config(1)
        account = self._ledger.account(given.key(0))
        return self.in_context(account.lamports if account is not None else 0)

    def _account_info(self, given: Parameters) -> object:
        config = given.config(1)
        encoding = config.choice("encoding", ENCODINGS, "base58")
        return self.in_context(self._account_json(self._ledger.account(given.key(0)), encoding, config))

    def _multiple_accounts(self, given: Parameters) -> object:
        config = given.config(1)
        encoding = config.choice("encoding", ENCODINGS, "base64")
        keys = [key_of(text) for text in given.texts(0, "the addresses", MAX_ACCOUNTS)]
        return self.in_context([self._account_json(self._ledger.account(key), encoding, config) for key in keys])

    def _program_accounts(self, given: Parameters) -> object:
        config = given.config(1)
        encoding = config.choice("encoding", ENCODINGS, "base58")
        filters = [_account_filter(one) for one in config.items("filters")]
        found = [
            {"pubkey": str(key), "account": self._account_json(account, encoding, config)}
            for key, account in self._ledger.accounts(given.key(0))
            if all(passes(account) for passes in filters)
        ]
        return self.in_context(found) if config.flag("withContext") else found

    def _token_accounts_by_owner(self, given: Parameters) -> object:
        owner, wanted, config = given.key(0), given.config(1), given.config(2)
        encoding = config.choice("encoding", ENCODINGS, "base58")
        if wanted.has("mint") == wanted.has("programId"):
            raise invalid("Invalid params: the filter has either mint or programId")
        mint, programs = None, list(TOKEN_PROGRAMS)
        if wanted.has("mint"):
            mint = key_of(wanted.text("mint", ""))
            if mint_of(self._ledger.account(mint)) is None:
                raise invalid("Invalid param: could not find mint")
        else:
            programs = [key_of(wanted.text("programId", ""))]
            if programs[0] not in TOKEN_PROGRAMS:
                raise invalid("Invalid param: unrecognized Token program id")
        found = []
        for program in programs:
            for key, account in self._ledger.accounts(program):
                held = token_account_of(account)
                if held is None or held.owner != str(owner) or (mint is not None and held.mint != str(mint)):
                    continue
                found.append({"pubkey": str(key), "account": self._account_json(account, encoding, config)})
        return self.in_context(found)

    def _token_account_balance(self, given: Parameters) -> object:
        given.config(1)
        amount = holding_amount(self._ledger.account(given.key(0)), self._ledger.account)
        if amount is None:
            raise invalid("Invalid param: not a Token account")
        return self.in_context(amount)

    def _token_supply(self, given: Parameters) -> object:
        given.config(1)
        mint = mint_of(self._ledger.account(given.key(0)))
        if mint is None:
            raise invalid("Invalid param: not a Token mint")
        return self.in_context(ui_amount(mint.supply, mint.decimals))

    def _account_json(self, account: Account | None, encoding: str, config: Config) -> dict[str, object] | None:
        return account_json(account, encoding, config, self._ledger.account)


def _account_filter(given: object) -> Callable[[Account], bool]:
    """A filter of getProgramAccounts. Raises SolanaRpcError: it is none."""
    if isinstance(given, Mapping) and len(given) == 1:
        config = Config(given)
        if "dataSize" in given:
            size = config.whole("dataSize", 0, MAX_DATA)
            return lambda account: len(account.data) == size
        if "memcmp" in given:
            return _same_bytes(config.inner("memcmp"))
        if "tokenAccountState" in given:
            return lambda account: token_account_of(account) is not None
    raise invalid("Invalid params: a filter is one of dataSize, memcmp, tokenAccountState")


def _same_bytes(config: Config) -> Callable[[Account], bool]:
    offset = config.whole("offset", 0, MAX_DATA)
    text, encoding = config.text("bytes", ""), config.choice("encoding", ("base58", "base64"), "base58")
    try:
        wanted = base64.b64decode(text, validate=True) if encoding == "base64" else base58.b58decode(text)
    except (ValueError, binascii.Error) as error:
        raise invalid(f"Invalid params: bytes are no {encoding}") from error
    return lambda account: bytes(account.data)[offset : offset + len(wanted)] == wanted
