"""How an account of the embedded wallet becomes a smart account (EIP-7702) with its first permission: by an operation, or a transaction of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import reflex as rx

from walletmodal.core.chains.caip import AccountId
from walletmodal.core.language import _
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.requests.answers import Answer
from walletmodal.core.transfers.transaction_request import Proposal
from walletmodal.core.transfers.wallet_response import read_answer
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.operations import PaidOperation
from walletmodal.features.transactions.operations import save_operation
from walletmodal.features.transactions.records import new_request_id, record_transaction
from walletmodal.features.transactions.state import PendingState
from walletmodal.features.transactions.wallet_requests import save_answer
from walletmodal.services.smart_accounts.signing import params_of, to_record

SIGN_FIRST: Final = "walletmodal_signDelegation"
"""Signs a delegation as `eth_signTypedData_v4` does, and makes the account a smart account where it is none: gives `{signature, hash}`.

With an operation and its entry point behind, it signs that in the place of a transaction, and gives it as `operation`.
"""
OWN_FEE: Final = _("You pay the network fee for becoming a smart account")
NOT_NEEDED: Final = "No transaction was needed"
_SENDS: Final = "eth_sendTransaction"


class Becoming(NamedTuple):
    """How an account that is none yet becomes a smart account.

    Attributes:
        paid: the operation that somebody pays for; None for a transaction, whose fee is the account's.
        entry: of the one or the other on record.
    """

    paid: PaidOperation | None
    entry: str

    @property
    def payer(self) -> str:
        """Who pays, as the visitor is told."""
        return OWN_FEE if self.paid is None else self.paid.payer

    @property
    def params(self) -> list[Any]:
        """What the frame is given besides."""
        return [] if self.paid is None else params_of(self.paid.prepared)

    @property
    def context(self) -> dict[str, Any]:
        """What the reply needs; `awaited`: the entry of an operation, "" for a transaction, which the frame waits for."""
        if self.paid is None:
            return {"entry": self.entry, "prepared": None, "awaited": ""}
        return {"entry": self.entry, "prepared": to_record(self.paid.prepared), "awaited": self.entry}


async def record_becoming(state: rx.State, about: AccountId, paid: PaidOperation | None) -> Becoming:
    """Records what the account calls itself with, before its frame is asked for it.

    Raises:
        WalletModalError: it could not be recorded; the frame must not be asked.
    """
    proposal = Proposal(chain=str(about.chain), sender=about.address, method=_SENDS, to=about.address)
    request_id = await new_request_id(state, proposal)
    await record_transaction(state, proposal, "host", request_id, height=None if paid is None else paid.height)
    return Becoming(paid, request_id)


async def save_transaction(_state: rx.State, reply: Reply, context: dict[str, Any]) -> bool:
    """Saves the transaction that the frame has sent beside what it has signed, or the operation that it has signed. False: it could not be written now."""
    entry = str(context.get("entry", ""))
    if not entry:
        return True
    told = reply.value if isinstance(reply.value, Mapping) else {}
    if context.get("prepared") and (reply.error is not None or told.get("operation")):
        signed = reply.model_copy(update={"value": told.get("operation")})
        return await save_operation(entry, signed, context["prepared"])
    if reply.error is None and not told.get("hash"):
        # The account has become one meanwhile.
        return await save_answer(entry, Answer("declined", message=NOT_NEEDED))
    return await save_answer(entry, read_answer(_SENDS, reply.model_copy(update={"value": told.get("hash")})))


async def answer_page(state: rx.State, call: str, value: object, awaited: str) -> None:
    """Answers a page with what the account has granted; where an operation gives it its limits (`awaited`: its entry), once the network has that."""
    if awaited:
        (await state.get_state(PendingState))._await_transaction(awaited, call, value)
    else:
        await (await state.get_state(BridgeState))._settle(call, value)
