"""Outcomes of Solana transactions: a transaction's status, or which of the account's transactions it is."""

from collections.abc import Collection, Mapping
from typing import Final

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.decoding.solana_message import SolanaMessage, read_transaction
from walletmodal.core.errors import MalformedResponseError, RpcRequestError
from walletmodal.core.errors.nodes import classify_node_error
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.transfers.transaction_request import Mined, TransactionRequest, is_same
from walletmodal.services.chains.adapter import Finding
from walletmodal.services.chains.solana.reads import SolanaReads
from walletmodal.services.rpc.transport import RpcTransport

MAX_LOOKED_AT: Final = 16
"""Transactions of the account that are compared with one whose answer never came."""
SEARCH_MARGIN: Final = 64
"""Slots before the one that we knew of when the wallet was asked: nodes behind one URL are not equally far."""

_MAX_REASON: Final = 300
_ALREADY_THERE: Final = "already been processed"
_TOKENS: Final = ("preTokenBalances", "postTokenBalances")
_COINS: Final = ("preBalances", "postBalances")


class SolanaOutcomes:
    """Looks for transactions on one network.

    Args:
        transport: the way to its nodes.
        chain: its id.
    """

    def __init__(self, transport: RpcTransport, chain: ChainId) -> None:
        self._reads, self._chain = SolanaReads(transport, chain), chain

    async def height(self) -> int:
        """The current slot. Raises TransportError."""
        return self._reads.whole(await self._reads.ask("getSlot", [{"commitment": "confirmed"}]), "getSlot")

    async def find(self, asked: TransactionRequest, taken: Collection[str]) -> Finding:
        """As `ChainAdapter.find_transaction`.

        Raises:
            TransportError: the node cannot be asked, or answers with what cannot be understood.
        """
        if not asked.hash:
            return await self._by_content(asked, taken)
        found = await self._by_hash(asked, asked.hash)
        if found is not None:
            return found
        alive = not asked.proposal.anchor or await self._is_alive(asked.proposal.anchor)
        return Finding("missing") if alive else Finding("gone")

    async def broadcast(self, signed: str) -> str:
        """`sendTransaction`, checked by the node beforehand.

        Raises:
            NodeError: the node refuses it.
            TransportError: the node cannot be asked.
        """
        config = {"encoding": "base64", "preflightCommitment": "confirmed"}
        try:
            answer = await self._reads.ask("sendTransaction", [signed, config])
        except RpcRequestError as error:
            if _ALREADY_THERE in error.details:
                return read_transaction(signed).signature
            raise classify_node_error(clean_text(error.details, limit=_MAX_REASON)) from error
        if not isinstance(answer, str):
            raise self._nonsense("sendTransaction")
        return answer

    async def _by_hash(self, asked: TransactionRequest, signature: str) -> Finding | None:
        method = "getSignatureStatuses"
        rows = self._reads.value(
            await self._reads.ask(method, [[signature], {"searchTransactionHistory": True}]), method
        )
        status = rows[0] if isinstance(rows, list) and rows else None
        if not isinstance(status, Mapping):
            return None
        level, error = status.get("confirmationStatus"), status.get("err")
        if level not in ("confirmed", "finalized"):
            return Finding("waiting", signature)
        mined, own = await self._mined(asked, signature)
        final = level == "finalized"
        # Any page can name any transaction of an account.
        proven = own and mined is not None and is_same(asked.proposal, mined)
        if error is None:
            return Finding("confirmed", signature, final, mined, proven=proven)
        reason = clean_text(str(error), limit=_MAX_REASON)
        return Finding("reverted", signature, final, mined, proven=proven, reason=reason)

    async def _mined(self, asked: TransactionRequest, signature: str) -> tuple[Mined | None, bool]:
        """What the chain has of it, and whether the account has signed it."""
        config = {"encoding": "base64", "maxSupportedTransactionVersion": 0, "commitment": "confirmed"}
        answer = await self._reads.ask("getTransaction", [signature, config])
        if answer is None:
            return None, False
        if not isinstance(answer, Mapping):
            raise self._nonsense("getTransaction")
        raw, meta = answer.get("transaction"), answer.get("meta")
        if not isinstance(raw, list) or not raw or not isinstance(meta, Mapping):
            raise self._nonsense("getTransaction")
        try:
            message = read_transaction(raw[0])
        except PayloadError as error:
            raise self._nonsense("getTransaction") from error
        own = asked.proposal.sender in message.signers
        mined = Mined(
            chain=str(self._chain),
            hash=signature,
            sender=asked.proposal.sender if own else message.payer,
            data=" ".join(message.instructions),
            gained=_gained(asked, message, meta),
            height=self._reads.whole(answer.get("slot"), "getTransaction"),
        )
        return mined, own

    async def _by_content(self, asked: TransactionRequest, taken: Collection[str]) -> Finding:
        """Finds the account's transaction that does the same as one whose signature nobody has told us."""
        method = "getSignaturesForAddress"
        config = {"limit": MAX_LOOKED_AT, "commitment": "confirmed"}
        rows = await self._reads.ask(method, [asked.proposal.sender, config])
        if not isinstance(rows, list):
            raise self._nonsense(method)
        first = 0 if asked.height is None else asked.height - SEARCH_MARGIN
        wanted = [
            row["signature"]
            for row in rows[:MAX_LOOKED_AT]
            if isinstance(row, Mapping)
            and isinstance(row.get("signature"), str)
            and row["signature"] not in taken
            and self._reads.whole(row.get("slot"), method) >= first
        ]
        # The oldest first: of two that do the same, the earlier one was the answer to the earlier question.
        for signature in reversed(wanted):
            found = await self._by_hash(asked, signature)
            if found is not None and found.proven:
                return found
        return Finding("missing")

    async def _is_alive(self, blockhash: str) -> bool:
        method = "isBlockhashValid"
        return (
            self._reads.value(await self._reads.ask(method, [blockhash, {"commitment": "confirmed"}]), method)
            is not False
        )

    def _nonsense(self, method: str) -> MalformedResponseError:
        return MalformedResponseError(url=str(self._chain), details=f"{method} answered with something else")


def _gained(asked: TransactionRequest, message: SolanaMessage, meta: Mapping[str, object]) -> int | None:
    """How much the proposed receiver got, by the balances before and after; None where that cannot be told."""
    proposal = asked.proposal
    if not proposal.receiver or proposal.receiver == proposal.sender or meta.get("err") is not None:
        return None
    place = _place(message, proposal.receiver)
    try:
        if proposal.token:
            before, after = (_tokens(meta[name], proposal.receiver, place, proposal.token) for name in _TOKENS)
        else:
            before, after = (_coins(meta[name], place) for name in _COINS)
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    return max(0, after - before)


def _place(message: SolanaMessage, account: str) -> int | None:
    return message.accounts.index(account) if account in message.accounts else None


def _tokens(rows: object, owner: str, place: int | None, mint: str) -> int:
    """What an owner has of a mint, or a token account that was named itself."""
    if not isinstance(rows, list):
        raise TypeError("no list of balances")
    own = [row for row in rows if row["mint"] == mint and (row.get("owner") == owner or row["accountIndex"] == place)]
    return sum(int(row["uiTokenAmount"]["amount"]) for row in own)


def _coins(row: object, place: int | None) -> int:
    if not isinstance(row, list):
        raise TypeError("no list of balances")
    return 0 if place is None else int(row[place])
