"""The RPC methods of Solana's wallets, under the names that pairings use."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import base58

from walletmodal.core.parsing.schema import array, boolean, number, one_of, record, text
from walletmodal.core.requests.answers import solana_signature, solana_signed
from walletmodal.core.requests.method import MethodSpec
from walletmodal.core.requests.readers import read_base58, read_encoded
from walletmodal.core.requests.shapes import any_params
from walletmodal.core.requests.summary_messages import message_summary
from walletmodal.core.requests.summary_solana import solana_summary
from walletmodal.core.sign_in.message import SignInMessage, sign_in_text

_COMMITMENTS: Final = ("processed", "confirmed", "finalized", "recent", "single", "singleGossip", "root", "max")
_SEND_OPTIONS: Final = record(
    optional={
        "skipPreflight": boolean,
        "preflightCommitment": one_of(*_COMMITMENTS),
        "maxRetries": number,
        "minContextSlot": number,
    }
)


def _signer(params: Any, first: str) -> Any:
    """The loader and the pairings' wallets take the one or the other name, so both must say the same."""
    named = {params[name] for name in ("pubkey", "account") if params.get(name) is not None}
    if len(named) > 1:
        raise ValueError("two accounts")
    return named.pop() if named else first


def _sign_in(message: SignInMessage) -> dict[str, str]:
    return {"message": base58.b58encode(sign_in_text(message).encode()).decode(), "pubkey": message.account_id.address}


def _granted(accounts: Sequence[str]) -> list[Any]:
    return [{"pubkey": address} for address in accounts]


METHODS: Final = (
    MethodSpec("solana_requestAccounts", "account", params=any_params, paired=True, granted=_granted),
    MethodSpec(
        "solana_signMessage",
        "wallet",
        params=record({"message": text(), "pubkey": text()}),
        paired=True,
        signer=lambda params, _first: params["pubkey"],
        read=read_base58,
        sign_in=_sign_in,
        summary=message_summary,
    ),
    MethodSpec(
        "solana_signTransaction",
        "wallet",
        params=record({"transaction": text()}),
        paired=True,
        signer=_signer,
        opaque=True,
        read=read_encoded("transaction"),
        summary=solana_summary,
        answer=solana_signed,
    ),
    MethodSpec(
        "solana_signAllTransactions",
        "wallet",
        params=record({"transactions": array(text())}),
        paired=True,
        signer=_signer,
        opaque=True,
        read=read_encoded("transactions"),
        summary=solana_summary,
    ),
    MethodSpec(
        "solana_signAndSendTransaction",
        "wallet",
        params=record({"transaction": text()}, {"options": _SEND_OPTIONS, "sendOptions": _SEND_OPTIONS}),
        paired=True,
        signer=_signer,
        opaque=True,
        read=read_encoded("transaction"),
        summary=partial(solana_summary, sends=True),
        sends=True,
        answer=solana_signature,
        signs="solana_signTransaction",
    ),
)

ONLY_PAIRED: Final = ("solana_getAccounts",)
"""Pairings ask wallets for these, too; a host page cannot use them."""
