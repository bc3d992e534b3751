"""Preparation of a preview: the receiver examined, the transaction built, and simulated by a node."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field, replace

from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.accounts.tokens import TokenBalance
from walletmodal.core.chains.addresses import is_address
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.nodes import InsufficientFundsError
from walletmodal.core.errors.rules import SendError
from walletmodal.core.errors.services import TokenBalanceUnavailableError
from walletmodal.core.language import _
from walletmodal.core.smart_accounts.account_state import safe_owner
from walletmodal.core.text.texts import BALANCE_UNAVAILABLE
from walletmodal.core.transfers.amount_input import read_amount
from walletmodal.core.transfers.fees import Speed
from walletmodal.core.transfers.receiver_checks import Receiver, in_order
from walletmodal.core.transfers.receiver_input import clean_receiver
from walletmodal.core.transfers.send import Transfer, check_send
from walletmodal.core.transfers.simulation import Simulation, failure_words
from walletmodal.db.engine import describe_failure
from walletmodal.deployment import deployment
from walletmodal.features.account.barring import is_barred
from walletmodal.features.account.holdings import Holder, token_icon
from walletmodal.features.embedded.operations import ACCOUNT_PAYS, find_payment
from walletmodal.features.embedded.payers import Offer
from walletmodal.features.send.frozen import Frozen, substance
from walletmodal.features.send.plan import Plan, build_plan
from walletmodal.features.send.tokens import find_token
from walletmodal.services.chains.adapter import PreparedTransfer

logger = logging.getLogger(__name__)

NOT_OWNED = _("The account does not have this token any more.")
NO_RECEIVER = _("Nothing can be sent to this receiver.")
NO_COIN = _("There is not enough of the network's own coin to pay the fee.")


@dataclass(frozen=True, slots=True)
class Draft:
    """The entered transfer, and its sender.

    Attributes:
        holder: the account; it is `of` that counts when drafts are compared.
        connector: its wallet.
        owner: whose record of what was sent counts.
        own: the visitor's other accounts of this wallet.
        key: of the token.
        amount, receiver: as typed.
        offer: what the deployment may pay for; None where the account pays.
    """

    holder: Holder = field(compare=False)
    owner: str = field(compare=False)
    of: str
    connector: str
    own: tuple[str, ...]
    key: str
    amount: str
    receiver: str
    speed: Speed
    offer: Offer | None = field(default=None, compare=False)


async def prepare_transfer(draft: Draft) -> tuple[Frozen | None, Plan]:
    """Prepares a draft: its preview, and what may be signed, None where the node says that it would fail.

    Raises:
        WalletModalError: it cannot be sent as it is; the short message says why.
    """
    held, holder = deployment(), draft.holder
    try:
        tokens = await holder.tokens()
    except TokenBalanceUnavailableError as error:
        raise SendError(BALANCE_UNAVAILABLE, details=error.details) from error
    token = find_token(tokens, holder.chain, draft.key)
    if token is None:
        raise SendError(NOT_OWNED)
    receiver, transfer, built = await _examine(draft, token)
    payment = ACCOUNT_PAYS
    if not isinstance(built, WalletModalError):
        payment = await find_payment(draft.offer, built.method, substance(built))
    if payment.unpaid:
        built = await _build(replace(draft, offer=None), transfer)
        if isinstance(built, SendError):
            built = SendError(f"{payment.unpaid} {built.short_message}", details=built.details)
    if isinstance(built, WalletModalError):
        if not receiver.warnings:
            raise built
        # What is wrong with the receiver explains it better than the node does.
        simulation = Simulation(ran=False, failure=reason_text(built))
    else:
        simulation = await held.simulations.simulate(built, holder.address, receiver.address)
    shown = build_plan(
        transfer,
        receiver,
        None if isinstance(built, WalletModalError) else built,
        simulation,
        tokens,
        icon=token_icon(token.icon_url) if token.icon_url else "",
        image=held.services.images.remote_path(receiver.image) if receiver.image else "",
        payer=payment.payer,
        payer_icon=payment.icon,
        unpaid=payment.unpaid,
    )
    if safe_owner(holder.address, (holder.address, *draft.own)):
        # What an operation costs is worked out when the owner confirms; the frame's card tells it.
        shown.update({"fee": "", "fee_worth": "", "data_fee": False, "speeds": []})
    if isinstance(built, WalletModalError):
        return None, shown
    made = Frozen(
        sender=holder.address,
        connector=draft.connector,
        transfer=transfer,
        prepared=built,
        receiver=receiver,
        speed=draft.speed,
        needs_acceptance=shown["accepts"],
        payment=payment,
    )
    return made, shown


async def _examine(draft: Draft, token: TokenBalance) -> tuple[Receiver, Transfer, PreparedTransfer | WalletModalError]:
    """Examines the receiver and builds the transaction; both at once where an address was typed, so that the visitor waits for the longer only."""
    meant = clean_receiver(draft.receiver).text
    if is_address(draft.holder.chain.namespace, meant):
        transfer = _transfer(draft, token, meant)
        receiver, built = await asyncio.gather(_receiver(draft), _build(draft, transfer))
        return receiver, transfer, built
    receiver = await _receiver(draft)
    transfer = _transfer(draft, token, receiver.address)
    return receiver, transfer, await _build(draft, transfer)


async def _receiver(draft: Draft) -> Receiver:
    holder = draft.holder
    receiver = await deployment().receivers.examine(
        holder.caller,
        holder.chain,
        holder.address,
        draft.receiver,
        own=draft.own,
        sent_to=await _known_receivers(draft),
        token=None if draft.key == str(holder.chain) else draft.key.rpartition(":")[2],
    )
    if not receiver.usable:
        raise SendError(NO_RECEIVER)
    if is_barred(holder.chain, receiver.address, (holder.address, *draft.own)):
        return replace(receiver, warnings=in_order((*receiver.warnings, "barred")))
    return receiver


async def _known_receivers(draft: Draft) -> tuple[str, ...]:
    """Lists to whom the account has sent from this browser; the chain's own history knows more, and later."""
    holder = draft.holder
    try:
        return await deployment().requests.receivers(draft.owner, holder.address, str(holder.chain))
    except (SQLAlchemyError, OSError) as error:
        logger.warning("the record of what was sent cannot be read: %s", describe_failure(error))
        return ()


def _transfer(draft: Draft, token: TokenBalance, receiver: str) -> Transfer:
    # As the form reads it: a comma may stand in the point's place.
    read = read_amount(draft.amount, token.quantity.decimals)
    return check_send(draft.holder.chain, token, read.base_units, receiver)


async def _build(draft: Draft, transfer: Transfer) -> PreparedTransfer | WalletModalError:
    adapter = deployment().chains.adapter(draft.holder.chain.namespace)
    try:
        return await adapter.build_transfer(
            draft.holder.address, transfer, draft.speed, sponsored=draft.offer is not None
        )
    except InsufficientFundsError as error:
        return SendError(NO_COIN, details=error.details)
    except WalletModalError as error:
        return error


def reason_text(error: WalletModalError) -> str:
    """Explains to the visitor why something cannot be sent."""
    return failure_words(error)
