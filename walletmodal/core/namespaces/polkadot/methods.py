"""The RPC methods of Polkadot's wallets, under the names that pairings use."""

from typing import Final

from walletmodal.core.parsing.schema import record, text
from walletmodal.core.requests.method import MethodSpec
from walletmodal.core.requests.readers import read_text
from walletmodal.core.requests.summary_messages import message_summary
from walletmodal.core.sign_in.message import sign_in_text

METHODS: Final = (
    MethodSpec(
        "polkadot_signMessage",
        "wallet",
        params=record({"address": text(), "message": text()}),
        paired=True,
        signer=lambda params, _first: params["address"],
        read=read_text,
        sign_in=lambda message: {"address": message.account_id.address, "message": sign_in_text(message)},
        summary=message_summary,
    ),
)

ONLY_PAIRED: Final = ("polkadot_signTransaction",)
"""Pairings ask wallets for these, too; a host page cannot use them."""
