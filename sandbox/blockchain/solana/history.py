"""The history of a Solana account: payments of SOL and of SPL tokens in the instructions of its transactions."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from solders.transaction import VersionedTransaction

from walletmodal.core.chains.addresses import is_address
from walletmodal.sandbox.blockchain.history.cursors import Place
from walletmodal.sandbox.blockchain.history.entries import entry_id, iso_time, nft_transfer
from walletmodal.sandbox.blockchain.metadata import NftInfo
from walletmodal.sandbox.blockchain.prices import json_number, units_text, whole_units
from walletmodal.sandbox.blockchain.solana.balance import SOL_DECIMALS
from walletmodal.sandbox.blockchain.solana.nfts import SolanaNfts
from walletmodal.sandbox.blockchain.solana.node import TOKEN_PROGRAMS, SolanaNode, TokenAccount
from walletmodal.sandbox.blockchain.solana.tokens import SolanaTokens
from walletmodal.sandbox.solana.world import CHAIN as SOLANA_CHAIN

LOOKED_AT: Final = 1000
"""The newest transactions of an account that are looked at."""

MAX_TOKEN_ACCOUNTS: Final = 30

_SYSTEM: Final = "11111111111111111111111111111111"
_SYSTEM_TRANSFER: Final = 2
_TOKEN_TRANSFER: Final = 3
_TOKEN_MINT_TO: Final = 7
_TOKEN_TRANSFER_CHECKED: Final = 12

Direction = Literal["in", "out", "self"]


@dataclass(frozen=True, slots=True)
class _Payment:
    """`mint` None is SOL; of a token, the parties are token accounts until they are resolved to owners."""

    mint: str | None
    sender: str | None
    recipient: str
    amount: int


class SolanaHistory:
    """Histories of Solana accounts.

    Args:
        node: the node.
        tokens, nfts: what mints are called.
    """

    def __init__(self, node: SolanaNode, tokens: SolanaTokens, nfts: SolanaNfts) -> None:
        self._node, self._tokens, self._nfts = node, tokens, nfts

    async def page(self, address: str, before: Place | None, size: int) -> tuple[list[dict[str, object]], Place | None]:
        """The entries of an account that are older than a place, and the place to go on from; None at the end.

        A text that only looks like an address has none.

        Raises:
            NodeUnavailableError: the node does not answer.
        """
        if not is_address("solana", address):
            return [], None
        newest_first = sorted(await self._signatures(address), key=_slot, reverse=True)
        placed = [(_place(one, len(newest_first) - number), one) for number, one in enumerate(newest_first)]
        placed = [(place, one) for place, one in placed if before is None or place < before]
        page = placed[:size]
        transactions = await self._node.transactions([str(one["signature"]) for _, one in page])
        payments = [_payments(transaction) for transaction in transactions]
        parties = sorted(
            {
                party
                for some in payments
                for one in some
                if one.mint == ""
                for party in (one.sender, one.recipient)
                if party
            }
        )
        accounts = await self._node.token_accounts_at(parties)
        resolved = [[_resolved(one, accounts) for one in some] for some in payments]
        nfts = await self._nfts.of(
            one.mint for some in resolved for one, decimals in some if one.mint and (one.amount, decimals) == (1, 0)
        )
        entries = [
            self._entry(address, signature, transaction, some, nfts)
            for (_, signature), transaction, some in zip(page, transactions, resolved, strict=True)
        ]
        return entries, page[-1][0] if len(placed) > size else None

    async def _signatures(self, address: str) -> list[dict[str, object]]:
        """Those that name the account, and those that name a token account of it, as payments to it do."""
        owned = [one.address for one in await self._node.token_accounts(address)][:MAX_TOKEN_ACCOUNTS]
        found = {
            str(one["signature"]): one
            for account in (address, *owned)
            for one in await self._node.signatures(account, LOOKED_AT)
        }
        return list(found.values())

    def _entry(
        self,
        address: str,
        signature: dict[str, object],
        transaction: dict[str, object] | None,
        payments: list[tuple[_Payment, int]],
        nfts: Mapping[str, NftInfo],
    ) -> dict[str, object]:
        own = [(one, decimals) for one, decimals in payments if address in (one.sender, one.recipient)]
        failed = signature.get("err") is not None
        directions = {_direction(one, address) for one, _ in own}
        kind = "execute"
        if directions:
            kind = "trade" if {"in", "out"} <= directions else "receive" if directions == {"in"} else "send"
        elif transaction is None:
            kind = "receive"
        sent_from, sent_to = (own[0][0].sender or "", own[0][0].recipient) if own else (_fee_payer(transaction), "")
        return {
            "id": entry_id(SOLANA_CHAIN, signature["signature"], address),
            "metadata": {
                "operationType": kind,
                "hash": signature["signature"],
                "minedAt": iso_time(_number(signature.get("blockTime"))),
                "sentFrom": sent_from,
                "sentTo": sent_to,
                "status": "failed" if failed else "confirmed",
                "nonce": 0,
                "application": None,
                "chain": SOLANA_CHAIN,
            },
            "transfers": [] if failed else [self._transfer(one, decimals, address, nfts) for one, decimals in own],
        }

    def _transfer(
        self, payment: _Payment, decimals: int, address: str, nfts: Mapping[str, NftInfo]
    ) -> dict[str, object]:
        nft = nfts.get(payment.mint or "")
        if nft is not None:
            return nft_transfer(nft, _direction(payment, address), payment.amount)
        named = self._tokens.of(payment.mint)
        return {
            "fungible_info": {
                "name": named.name,
                "symbol": named.symbol,
                "icon": {"url": named.icon_url} if named.icon_url else None,
            },
            "nft_info": None,
            "direction": _direction(payment, address),
            "quantity": {"numeric": units_text(payment.amount, decimals)},
            "value": json_number(named.dollars * whole_units(payment.amount, decimals)),
            "price": json_number(named.dollars),
        }


def _place(signature: dict[str, object], position: int) -> Place:
    return (_number(signature.get("blockTime")), SOLANA_CHAIN, _number(signature.get("slot")), position)


def _slot(signature: dict[str, object]) -> int:
    return _number(signature.get("slot"))


def _number(value: object) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def _decoded(transaction: dict[str, object] | None) -> VersionedTransaction | None:
    written = transaction.get("transaction") if transaction else None
    if not isinstance(written, list) or not written or not isinstance(written[0], str):
        return None
    try:
        return VersionedTransaction.from_bytes(base64.b64decode(written[0]))
    except ValueError:
        return None


def _fee_payer(transaction: dict[str, object] | None) -> str:
    decoded = _decoded(transaction)
    return str(decoded.message.account_keys[0]) if decoded else ""


def _payments(transaction: dict[str, object] | None) -> list[_Payment]:
    decoded = _decoded(transaction)
    if decoded is None:
        return []
    keys = [str(key) for key in decoded.message.account_keys]
    found: list[_Payment] = []
    for instruction in decoded.message.instructions:
        # An index beyond the keys points into a lookup table, which the sandbox's programs do not need.
        used = [keys[index] for index in instruction.accounts if index < len(keys)]
        if len(used) == len(instruction.accounts) and instruction.program_id_index < len(keys):
            payment = _payment(keys[instruction.program_id_index], used, bytes(instruction.data))
            if payment is not None:
                found.append(payment)
    return found


def _payment(program: str, used: list[str], data: bytes) -> _Payment | None:
    if (
        program == _SYSTEM
        and len(data) == 12
        and len(used) >= 2
        and int.from_bytes(data[:4], "little") == _SYSTEM_TRANSFER
    ):
        return _Payment(None, used[0], used[1], int.from_bytes(data[4:], "little"))
    if program not in TOKEN_PROGRAMS or len(data) < 9 or len(used) < 3:
        return None
    amount = int.from_bytes(data[1:9], "little")
    if data[0] == _TOKEN_TRANSFER:
        return _Payment("", used[0], used[1], amount)
    if data[0] == _TOKEN_TRANSFER_CHECKED:
        return _Payment("", used[0], used[2], amount)
    if data[0] == _TOKEN_MINT_TO:
        return _Payment("", None, used[1], amount)
    return None


def _resolved(payment: _Payment, accounts: dict[str, TokenAccount]) -> tuple[_Payment, int]:
    """The payment between owners, and its decimals; a token account that was closed since goes by its own address."""
    if payment.mint is None:
        return payment, SOL_DECIMALS
    recipient, sender = accounts.get(payment.recipient), accounts.get(payment.sender or "")
    known = recipient or sender
    if known is None:
        return payment, 0
    return (
        _Payment(
            known.mint,
            sender.owner if sender else payment.sender,
            recipient.owner if recipient else payment.recipient,
            payment.amount,
        ),
        known.decimals,
    )


def _direction(payment: _Payment, address: str) -> Direction:
    if payment.sender == payment.recipient:
        return "self"
    return "in" if payment.recipient == address else "out"
