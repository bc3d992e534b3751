"""The transaction with which an account of the embedded wallet becomes a smart account (EIP-7702), because of its first permission."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import reflex as rx

from walletmodal.core.chains.caip import AccountId
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.requests.answers import Answer
from walletmodal.core.transfers.transaction_request import Proposal
from walletmodal.core.transfers.wallet_response import read_answer
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.transactions.records import record_transaction
from walletmodal.features.transactions.wallet_requests import save_answer

SIGN_FIRST: Final = "walletmodal_signDelegation"
"""Signs a delegation as `eth_signTypedData_v4` does, and makes the account a smart account where it is none: gives `{signature, hash}`."""
NOT_NEEDED: Final = "No transaction was needed"
_SENDS: Final = "eth_sendTransaction"


async def record_becoming(state: rx.State, about: AccountId) -> str:
    """Records the account's transaction to itself, before its frame is asked for it; returns the id of the record.

    Raises:
        WalletModalError: it could not be recorded; the frame must not be asked.
    """
    request_id = new_id()
    proposal = Proposal(chain=str(about.chain), sender=about.address, method=_SENDS, to=about.address)
    await record_transaction(state, proposal, "host", request_id)
    return request_id


async def save_transaction(_state: rx.State, reply: Reply, context: dict[str, Any]) -> bool:
    """Saves the hash of a transaction that the frame has sent beside what it has signed. False: it could not be written now."""
    entry = str(context.get("entry", ""))
    if not entry:
        return True
    told = reply.value if isinstance(reply.value, Mapping) else {}
    if reply.error is None and not told.get("hash"):
        # The account has become one meanwhile.
        return await save_answer(entry, Answer("declined", message=NOT_NEEDED))
    return await save_answer(entry, read_answer(_SENDS, reply.model_copy(update={"value": told.get("hash")})))
