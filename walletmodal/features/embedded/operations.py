"""User operations whose network fee somebody else pays: worked out, put on record, signed in the frame, handed in by us."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import reflex as rx

from walletmodal.core.errors import WalletModalError
from walletmodal.core.language import _
from walletmodal.core.protocol.commands import Hint
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.smart_accounts.account_state import Implementation
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.passkey_signer import PasskeySigner
from walletmodal.core.transfers.transaction_request import Proposal, TransactionKind
from walletmodal.deployment import deployment
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embedded.payers import TRANSACTION, Offer, payer_of, payer_text
from walletmodal.features.transactions.operations import OperationStep, ask_to_sign, prepare_operation
from walletmodal.features.transactions.records import new_request_id, record_transaction
from walletmodal.features.transactions.state import PendingState
from walletmodal.services.smart_accounts.operations import OperationRequest, Payer, PreparedOperation

PAYER_CHANGED: Final = _("Somebody else would pay the fee now. Check it again.")


class PaidOperation(NamedTuple):
    """An operation that somebody pays for; `height`: of the chain before it, from which on it is looked for."""

    prepared: PreparedOperation
    height: int

    @property
    def payer(self) -> str:
        """Who pays, as the visitor is told."""
        return payer_text(self.prepared.sponsor)

    @property
    def icon(self) -> str:
        """Their picture for an `<img>`: within the URL, or at our server; "" for none."""
        icon = self.prepared.icon
        return icon if icon.startswith("data:") else deployment().services.images.remote_path(icon)

    @property
    def hint(self) -> Hint:
        """What the frame shows beside its own reading."""
        return Hint(title="", lines=[self.payer], facts=[self.payer])

    def is_paid_like(self, other: PaidOperation) -> bool:
        """Whether the same one pays as for another operation."""
        contracts = self.prepared.operation.paymaster, other.prepared.operation.paymaster
        return (contracts[0], self.prepared.sponsor) == (contracts[1], other.prepared.sponsor)


class FeePayment(NamedTuple):
    """Who pays the fee of what the visitor is about to send: the account itself where nothing is `paid`.

    Attributes:
        offer: what the deployment may pay for, None for nothing.
        paid: the operation that it pays for, as the visitor sees it.
        unpaid: why it does not, for the visitor.
    """

    offer: Offer | None = None
    paid: PaidOperation | None = None
    unpaid: str = ""

    @property
    def payer(self) -> str:
        """Who pays, as the visitor is told; "" for the account."""
        return "" if self.paid is None else self.paid.payer

    @property
    def icon(self) -> str:
        """A picture of who pays, or ""."""
        return "" if self.paid is None else self.paid.icon


ACCOUNT_PAYS: Final = FeePayment()


async def prepare_paid(
    found: HostedRequest, browser: str, owner: str = "", passkey: PasskeySigner | None = None
) -> PaidOperation:
    """Works the operation of a request out, and has somebody pay for it; what is promised counts for the account and its browser.

    Args:
        found: one that may be paid for.
        browser: the key of the browser's secret.
        owner: of the Safe that the account is; "" for an account with a key of its own.
        passkey: that signs in its place.

    Raises:
        OperationError: nobody pays for it, or it would fail.
        NotConfiguredError, TransportError: somebody cannot be asked.
    """
    return await _prepare(found, _calls(found), payer_of(found, browser), owner, passkey)


async def prepare_first(found: HostedRequest, browser: str) -> PaidOperation:
    """Works out the operation with which an account becomes a smart account, and that does nothing else, for what it is asked. Raises as `prepare_paid`."""
    return await _prepare(found, (AccountCall(found.account, 0, b""),), payer_of(found, browser))


async def prepare_in_token(
    found: HostedRequest, token: str, owner: str = "", passkey: PasskeySigner | None = None
) -> PaidOperation:
    """Works the operation of a request out whose fee is taken in a token of the account.

    Args:
        found: one that may be paid for in a token.
        token: its contract.
        owner: as of `prepare_paid`.
        passkey: as of `prepare_paid`.

    Raises:
        OperationError: the token is not taken, there is too little of it, or the operation would fail.
        NotConfiguredError, TransportError: somebody cannot be asked.
    """
    payer = deployment().smart_accounts.token_payer(found.chain, token)
    return await _prepare(found, _calls(found), payer, owner, passkey)


def _calls(found: HostedRequest) -> tuple[AccountCall, ...]:
    return tuple(AccountCall(one.to, one.value, one.data) for one in found.calls)


async def _prepare(
    found: HostedRequest,
    calls: tuple[AccountCall, ...],
    payer: Payer,
    owner: str = "",
    passkey: PasskeySigner | None = None,
) -> PaidOperation:
    kind: Implementation = "safe" if owner else "delegator"
    request = OperationRequest(found.chain, kind, owner or found.account, calls, payer, passkey)
    return PaidOperation(*await prepare_operation(request))


async def find_payment(offer: Offer | None, method: str, params: object) -> FeePayment:
    """Has the deployment pay for what the visitor is about to send in the modal itself.

    Args:
        offer: what it may pay for; None where the account pays.
        method: what the wallet would be asked otherwise.
        params: of that.
    """
    if offer is None:
        return ACCOUNT_PAYS
    try:
        found = offer.request(method, params)
        return FeePayment(offer, await prepare_paid(found, offer.browser, offer.owner, offer.passkey))
    except WalletModalError as error:
        return FeePayment(offer, unpaid=error.short_message)


async def renew_payment(shown: FeePayment, method: str, params: object) -> tuple[PaidOperation | None, str]:
    """Prepares once more what the visitor saw paid: promise, nonce and price are of that time.

    Returns:
        The operation that may be signed, or None and why the visitor must look again.
    """
    again = await find_payment(shown.offer, method, params)
    if again.paid is None or shown.paid is None:
        return None, again.unpaid
    return (again.paid, "") if again.paid.is_paid_like(shown.paid) else (None, PAYER_CHANGED)


async def ask_operation(
    state: rx.State,
    paid: PaidOperation,
    *,
    proposal: Proposal,
    kind: TransactionKind,
    hint: Hint,
    then: str = "",
    context: Mapping[str, Any] | None = None,
    call: str = "",
    request_id: str = "",
    calls_id: str = "",
) -> Followups:
    """Records an operation, then has the frame ask its owner. Arguments and errors are those of `ask_transaction`; `calls_id`: of the page's own."""
    request_id = request_id or await new_request_id(state, proposal)
    await record_transaction(state, proposal, kind, request_id, height=paid.height, calls_id=calls_id)
    chain, names = str(paid.prepared.chain), proposal.method == TRANSACTION
    if kind != "host":
        (await state.get_state(PendingState))._watch(request_id)
    step = OperationStep(request_id, chain, call, names, then, dict(context or {}), hint)
    return [*await ask_to_sign(state, paid.prepared, step, calls_id=calls_id), PendingState.poll]
