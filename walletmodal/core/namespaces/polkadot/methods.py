"""The RPC methods of Polkadot's wallets, under the names that pairings use."""

from typing import Final

from walletmodal.core.parsing.schema import record, text
from walletmodal.core.requests.method import MethodSpec
from walletmodal.core.requests.readers import read_text
from walletmodal.core.requests.summary_messages import message_summary

METHODS: Final = (
    MethodSpec(
        "polkadot_signMessage",
        "wallet",
        params=record({"address": text(), "message": text()}),
        paired=True,
        signer=lambda params, _first: params["address"],
        read=read_text,
        summary=message_summary,
    ),
)

ONLY_PAIRED: Final = ("polkadot_signTransaction",)
"""Pairings ask wallets for these, too; a host page cannot use them."""
