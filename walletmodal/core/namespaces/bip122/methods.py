"""The RPC methods of Bitcoin's wallets, under the names that pairings use."""

import re
from functools import partial
from typing import Final

from walletmodal.core.language import _
from walletmodal.core.parsing.schema import anything, array, boolean, one_of, record, text
from walletmodal.core.requests.method import MethodSpec
from walletmodal.core.requests.readers import read_payment, read_text
from walletmodal.core.requests.shapes import any_params
from walletmodal.core.requests.summary_bitcoin import payment_summary
from walletmodal.core.requests.summary_messages import message_summary
from walletmodal.core.requests.summary_other import other_summary
from walletmodal.core.requests.summary_psbt import psbt_summary
from walletmodal.core.sign_in.message import SignInMessage, sign_in_text

_SATOSHIS: Final = re.compile(r"[1-9][0-9]{0,15}")

_TAPROOT: Final = ("bc1p", "tb1p", "bcrt1p")


def _sign_in(message: SignInMessage) -> dict[str, str]:
    """Only BIP-322 covers the outputs of Taproot; of the others each wallet has a form that it prefers."""
    address = message.account_id.address
    protocol = {"protocol": "bip322"} if address.startswith(_TAPROOT) else {}
    return {"message": sign_in_text(message), "address": address, **protocol}


METHODS: Final = (
    MethodSpec(
        "getAccountAddresses",
        "wallet",
        params=any_params,
        paired=True,
        summary=partial(other_summary, title=_("Share your addresses"), warning=""),
    ),
    MethodSpec(
        "sendTransfer",
        "wallet",
        params=record({"recipientAddress": text(), "amount": text(pattern=_SATOSHIS), "account": text()}),
        paired=True,
        signer=lambda params, _first: params["account"],
        read=read_payment,
        summary=payment_summary,
    ),
    MethodSpec(
        "signMessage",
        "wallet",
        params=record({"message": text(), "address": text()}, {"protocol": one_of("ecdsa", "bip322")}),
        paired=True,
        sign_in=_sign_in,
        signer=lambda params, _first: params["address"],
        read=read_text,
        summary=message_summary,
    ),
    MethodSpec(
        "signPsbt",
        "wallet",
        params=record({"psbt": text()}, {"signInputs": array(anything), "broadcast": boolean}),
        paired=True,
        opaque=True,
        summary=psbt_summary,
    ),
)

ONLY_PAIRED: Final = ()
"""Pairings ask wallets for these, too; a host page cannot use them."""
