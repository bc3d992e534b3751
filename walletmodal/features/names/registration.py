"""What the service is asked about names: whether one is free, and to register it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from walletmodal.config import network_table, settings
from walletmodal.core.accounts.names import NAME_ALREADY_OWNED, free_labels, is_registered
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.rules import AccountNameError
from walletmodal.core.errors.services import NameServiceError
from walletmodal.core.language import _, ngettext
from walletmodal.core.namespaces.registry import has_feature
from walletmodal.core.transfers.receiver_checks import same_address
from walletmodal.deployment import deployment
from walletmodal.features.account.holdings import Holder, holder
from walletmodal.services.blockchain.names import NameCalls

NOT_OFFERED: Final = _("Names cannot be registered on this site.")
NOT_HERE: Final = _("Names cannot be registered on this network.")
_COUNTS_SECONDS: Final = 10
"""So long a signed message counts at the service."""


class SignatureRequest(NamedTuple):
    """What a wallet was asked to sign.

    Attributes:
        about: the account (CAIP-10) that the name will be of.
        name: the full name.
        message: the text that is signed.
        at: when it was asked, Unix seconds.
    """

    about: str
    name: str
    message: str
    at: float


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a name can be had; `note`: why no name can, `suggestions`: labels of other names."""

    check: Literal["", "available", "registered"]
    note: str = ""
    suggestions: tuple[str, ...] = ()


async def owner(state: Any) -> Holder | None:
    """Returns the active account; None where there is none that can have a name."""
    found = await holder(state)
    if found is None or not has_feature(found.chain.namespace, "names"):
        return None
    network = network_table().get(str(found.chain))
    offered = network is not None and not network.testnet and str(found.chain) in settings().networks
    return found if offered else None


async def look_up(whose: Holder, name: str) -> Availability:
    """Asks whether an account can have a full name.

    Raises:
        WalletModalError: the service cannot say.
    """
    names, caller, chain, address = _calls(), whose.caller, whose.chain, whose.address
    if not deployment().services.blockchain.configured:
        return Availability("", note=NOT_OFFERED)
    if not await names.serves(caller, chain):
        return Availability("", note=NOT_HERE)
    label = name.removesuffix(f".{names.zone}")
    suggested, owned = await asyncio.gather(
        names.suggestions(caller, chain, label), names.names_of(caller, chain, address, sender=address)
    )
    if owned:
        return Availability("", note=NAME_ALREADY_OWNED)
    taken = is_registered(name, suggested)
    if taken is None:
        taken = await names.resolve(caller, chain, name, fresh=True) is not None
    return Availability(
        "registered" if taken else "available", suggestions=free_labels(name, suggested, names.zone) if taken else ()
    )


async def register(whose: Holder, asked: SignatureRequest, signature: str, took: float) -> None:
    """Has a name registered that an account has signed for; one that it has already is no failure: an answer may have been lost.

    Args:
        whose: the account.
        asked: what it has signed.
        signature: its signature, unchecked.
        took: for how many seconds it signed.

    Raises:
        WalletModalError: it is not registered; the short message is the service's reason.
    """
    names, caller, chain, address = _calls(), whose.caller, whose.chain, whose.address
    owned = await names.names_of(caller, chain, address, sender=address, fresh=True)
    if any(record.name.lower() == asked.name for record in owned):
        return
    if owned:
        raise AccountNameError(NAME_ALREADY_OWNED)
    try:
        done = await names.register(
            caller, chain, asked.name, address=address, message=asked.message, signature=signature
        )
        if not done:
            raise AccountNameError(NOT_HERE)
    except NameServiceError as error:
        leads_to = await _leads_to(whose, asked.name)
        if leads_to and same_address(chain.namespace, leads_to, address):
            return
        if took <= _COUNTS_SECONDS or leads_to or not error.reason:
            raise
        raise AccountNameError(too_slow(error.reason, round(took)), details=error.details) from error


def too_slow(reason: str, seconds: int) -> str:
    """Says why a signature was refused that came late; `reason`: the service's own sentence."""
    # Translators: {reason} is a sentence of a service, in its words
    return ngettext(
        "{reason}. The signature took {count} second and counts for 10. Have your wallet ready, then register again.",
        "{reason}. The signature took {count} seconds and counts for 10. Have your wallet ready, then register again.",
        seconds,
        reason=reason.rstrip("."),
    )


async def _leads_to(whose: Holder, name: str) -> str:
    """Returns whose a name is by now; "" where it is nobody's, or nobody can say."""
    try:
        record = await _calls().resolve(whose.caller, whose.chain, name, fresh=True)
        return (record.address_on(whose.chain) or "") if record is not None else ""
    except WalletModalError:
        return ""


def _calls() -> NameCalls:
    return deployment().services.blockchain.names
