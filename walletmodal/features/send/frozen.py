"""Frozen transfer: what the visitor has seen is what gets signed, if it still holds when the wallet is about to be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from walletmodal.core.chains.caip import AccountId, ChainId
from walletmodal.core.transfers.fees import Speed
from walletmodal.core.transfers.receiver_checks import Receiver
from walletmodal.core.transfers.send import Transfer
from walletmodal.features.embedded.operations import ACCOUNT_PAYS, FeePayment
from walletmodal.services.chains.adapter import PreparedTransfer

_SUBSTANCE: Final = ("from", "to", "value", "data", "chainId")
"""Of an EVM transaction: what it does. Gas, fees and nonce are how it gets there."""
_FEES: Final = ("gasPrice", "maxFeePerGas", "maxPriorityFeePerGas")


@dataclass(frozen=True, slots=True)
class Frozen:
    """Everything that a preview stands for.

    Attributes:
        sender: the account that sends.
        connector: the wallet that is to sign.
        receiver: as it was examined.
        needs_acceptance: whether the visitor must have accepted warnings before the wallet may be asked.
        payment: who pays the fee, as the visitor saw it.
    """

    sender: str
    connector: str
    transfer: Transfer
    prepared: PreparedTransfer
    receiver: Receiver
    speed: Speed
    needs_acceptance: bool
    payment: FeePayment = ACCOUNT_PAYS

    @property
    def chain(self) -> ChainId:
        """The network."""
        return self.transfer.chain

    @property
    def account(self) -> AccountId:
        """Who sends."""
        return AccountId(self.chain, self.sender)


def to_sign(
    shown: PreparedTransfer, now: PreparedTransfer, *, more_gas_percent: int = 0, sponsored: bool = False
) -> PreparedTransfer | None:
    """Returns what the wallet is asked to sign, or None where the visitor must look again.

    Args:
        shown: what the preview was made of.
        now: the same transfer, prepared again a moment ago: another tab may have used the nonce meanwhile, and a Solana transaction is
            good for a minute only.
        more_gas_percent: how much more gas it may need by now, where the one that was shown leaves room for that.
        sponsored: somebody else pays, so gas, fees and nonce are those of a user operation.
    """
    if (shown.chain, shown.method) != (now.chain, now.method):
        return None
    if shown.chain.namespace != "eip155":
        # Both were built from one transfer, and only what is newer can still be executed.
        return now if now.fee <= shown.fee else None
    before, after = _request(shown), _request(now)
    if before is None or after is None or any(before.get(field) != after.get(field) for field in _SUBSTANCE):
        return None
    if sponsored:
        return shown
    more_gas = 100 * _number(after["gas"]) > (100 + more_gas_percent) * _number(before["gas"])
    if more_gas or set(before) != set(after) or _fees_rose(before, after):
        return None
    return replace(shown, params=[{**before, "nonce": after["nonce"]}])


def substance(prepared: PreparedTransfer) -> list[dict[str, str]]:
    """Returns the parameters of an EVM transaction without gas, fees and nonce."""
    request = _request(prepared) or {}
    return [{field: request[field] for field in _SUBSTANCE if field in request}]


def _request(prepared: PreparedTransfer) -> Mapping[str, str] | None:
    params = prepared.params
    first = params[0] if isinstance(params, Sequence) and params else None
    return first if isinstance(first, Mapping) else None


def _number(text: object) -> int:
    return int(str(text), 16)


def _fees_rose(before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    """Whether fees rose so far that the transaction could hang with those that were shown: by more than a quarter."""
    price = next(field for field in _FEES if field in before)
    return 4 * _number(after[price]) > 5 * _number(before[price])
