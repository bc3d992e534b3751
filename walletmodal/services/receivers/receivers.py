"""A receiver examined: what was typed, where it leads, and what speaks against it."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from walletmodal.core.accounts.counterparties import Counterparty
from walletmodal.core.chains.addresses import address_fault, is_address, normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import NetworkError, TransportError, WalletModalError
from walletmodal.core.errors.receivers import (
    HistoryUnknownError,
    NameLookupError,
    ReceiverChangedError,
    ReceiverUncheckedError,
)
from walletmodal.core.namespaces.registry import has_feature
from walletmodal.core.transfers.receiver_checks import (
    RECEIVER_CHECKS,
    Receiver,
    ReceiverCheck,
    ReceiverWarning,
    in_order,
    is_burn_address,
    is_foreign_address,
    lookalikes,
    looks_like_name,
    resembles,
    same_address,
)
from walletmodal.core.transfers.receiver_input import PastedReceiver, clean_receiver
from walletmodal.services.blockchain.accounts import AccountCalls
from walletmodal.services.chains.registry import Chains
from walletmodal.services.http import Caller
from walletmodal.services.names import AccountNames, normal_form
from walletmodal.services.receivers.correspondence import Correspondence

CHECK_SECONDS: Final = 10.0
"""For how long one check may take before it counts as not made: a visitor waits for it."""
PICTURE_SECONDS: Final = 0.4
"""For how long a picture is waited for; one that comes later is kept, and there the next time."""

T = TypeVar("T")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Visit:
    """Who sends, where, and what the visitor's own side knows, as addresses in their normal spelling."""

    caller: Caller
    chain: ChainId
    account: str
    own: Sequence[str]
    sent_to: Sequence[str]


@dataclass(slots=True)
class _Found:
    """What has been found out so far."""

    warnings: set[ReceiverWarning] = field(default_factory=set)
    unchecked: set[ReceiverCheck] = field(default_factory=set)


class Receivers:
    """Examines receivers, for all visitors of a process.

    Args:
        chains: asked what an address is.
        accounts: asked for the pictures of names.
        names: asked where names lead.
        correspondence: asked whom the visitor has dealt with.
    """

    def __init__(
        self,
        chains: Chains,
        accounts: AccountCalls,
        names: AccountNames,
        correspondence: Correspondence,
    ) -> None:
        self._chains, self._accounts = chains, accounts
        self._names, self._correspondence = names, correspondence

    async def examine(
        self,
        caller: Caller,
        chain: ChainId,
        sender: str,
        text: str,
        *,
        own: Sequence[str] = (),
        sent_to: Sequence[str] = (),
        token: str | None = None,
    ) -> Receiver:
        """What is known of the receiver that a text means. Never raises for the text; what cannot be checked is said to be so.

        Args:
            caller: the embed.
            chain: the network on which something is sent.
            sender: the account that sends, a plain address.
            text: as typed or pasted.
            own: further accounts of the visitor, plain addresses; those of other namespaces are left out.
            sent_to: receivers of what was sent from here before, likewise.
            token: the contract or mint of what is sent; None for the native coin.

        Raises:
            AddressError: the sender is none of the network.
        """
        account = normal_address(chain.namespace, sender)
        pasted, found = clean_receiver(text), _Found()
        receiver = await self._lead(caller, chain, pasted, found)
        if receiver.usable:
            # An address that was meant for another network may be another's there, or nobody's.
            if pasted.chain is not None and pasted.chain != chain:
                found.warnings.add("namespace")
            if is_burn_address(chain.namespace, receiver.address):
                found.warnings.add("burn")
            visit = _Visit(caller, chain, account, _normal(chain, (account, *own)), _normal(chain, sent_to))
            receiver, _, image = await asyncio.gather(
                self._compared(visit, receiver, found),
                self._looked_at(chain, receiver.address, token, found),
                self._picture(caller, chain, receiver),
            )
            receiver = replace(receiver, image=image)
        unchecked = tuple(one for one in RECEIVER_CHECKS if one in found.unchecked)
        return replace(receiver, warnings=in_order(found.warnings), unchecked=unchecked)

    async def check_unchanged(self, caller: Caller, chain: ChainId, receiver: Receiver) -> None:
        """Returns where the receiver's name, asked for anew, still leads to the address that the visitor saw; at once without a name.

        Args:
            caller: the embed.
            chain: the network on which something is sent.
            receiver: as `examine` gave it.

        Raises:
            ReceiverChangedError: it leads elsewhere, or nowhere.
            ReceiverUncheckedError: it cannot be said now.
        """
        if not receiver.name:
            return
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                found = await self._names.resolve(caller, chain, receiver.name, fresh=True)
        except (NameLookupError, TimeoutError) as error:
            raise ReceiverUncheckedError(str(error) or "too slow") from error
        if found is None or not same_address(chain.namespace, found, receiver.address):
            raise ReceiverChangedError(found or "")

    async def _lead(self, caller: Caller, chain: ChainId, pasted: PastedReceiver, found: _Found) -> Receiver:
        """To which address a text leads."""
        text, namespace = pasted.text, chain.namespace
        if pasted.namespace not in (None, namespace):
            found.warnings.add("namespace")
            return Receiver()
        fault = address_fault(namespace, text)
        if fault is None:
            return Receiver(normal_address(namespace, text))
        if fault == "checksum":
            found.warnings.add("checksum")
            # On eip155 the digits are an address in any case; elsewhere the checksum is a part of it.
            return Receiver(normal_address(namespace, text.lower()) if namespace == "eip155" else "")
        if is_foreign_address(namespace, text):
            found.warnings.add("namespace")
            return Receiver()
        if has_feature(namespace, "names") and looks_like_name(text):
            return await self._named(caller, chain, text, found)
        return Receiver()

    async def _named(self, caller: Caller, chain: ChainId, text: str, found: _Found) -> Receiver:
        form = await normal_form(text)
        if form.confusable:
            found.warnings.add("confusable")
        if not form.text:
            return Receiver()
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                address = await self._names.resolve(caller, chain, form.text)
        except (NameLookupError, TimeoutError):
            found.unchecked.add("name")
            return Receiver(name=form.text)
        return Receiver(address or "", form.text)

    async def _compared(self, visit: _Visit, receiver: Receiver, found: _Found) -> Receiver:
        """The receiver with what the visitor's past says of it."""
        address, namespace = receiver.address, visit.chain.namespace
        sent_to, met = await self._dealt_with(visit, address, found)
        alike = lookalikes(namespace, address, trusted=(*visit.own, *sent_to), met=met)
        if alike:
            found.warnings.add("lookalike")
        known = any(same_address(namespace, address, one) for one in sent_to)
        own = any(same_address(namespace, address, one) for one in visit.own)
        first_time = False if known or own else None if "history" in found.unchecked else True
        return replace(receiver, first_time=first_time, own=own, resembles=alike[0] if alike else "")

    async def _dealt_with(self, visit: _Visit, address: str, found: _Found) -> tuple[Sequence[str], Sequence[str]]:
        """To whom the visitor has sent something, as far as that matters for an address, and whom else the history tells of."""
        chain, everyone = visit.chain, tuple[Counterparty, ...]()
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                everyone = await self._correspondence.of(visit.caller, chain, visit.account)
                concerned = [one for one in everyone if one.sent and _concerns(chain, address, one)]
                judged = [(one, await self._correspondence.confirmed(chain, visit.account, one)) for one in concerned]
        except (HistoryUnknownError, TimeoutError):
            found.unchecked.add("history")
            # Unconfirmed they make nobody known, but are reason enough for doubt.
            return visit.sent_to, [one.address for one in everyone]
        confirmed = [one.address for one, is_so in judged if is_so]
        return (*visit.sent_to, *confirmed), [one.address for one in everyone if one.received]

    async def _looked_at(self, chain: ChainId, address: str, token: str | None, found: _Found) -> None:
        """Warns of what is no account."""
        if token is not None and is_address(chain.namespace, token) and same_address(chain.namespace, token, address):
            found.warnings.add("contract")
            return
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                if await self._chains.adapter(chain.namespace).is_token(chain, address):
                    found.warnings.add("contract")
        except (TransportError, NetworkError, TimeoutError):
            found.unchecked.add("contract")

    async def _picture(self, caller: Caller, chain: ChainId, receiver: Receiver) -> str:
        """The picture of a named receiver; a missing one is no reason to wait."""
        if not receiver.name:
            return ""
        try:
            async with asyncio.timeout(PICTURE_SECONDS):
                return (await self._accounts.identity(caller, chain, receiver.address)).avatar
        except (WalletModalError, TimeoutError) as error:
            logger.info("no picture of a receiver: %s", error)
            return ""


def _concerns(chain: ChainId, address: str, one: Counterparty) -> bool:
    namespace = chain.namespace
    return same_address(namespace, address, one.address) or resembles(namespace, address, one.address)


def _normal(chain: ChainId, addresses: Sequence[str]) -> tuple[str, ...]:
    namespace = chain.namespace
    return tuple(dict.fromkeys(normal_address(namespace, one) for one in addresses if is_address(namespace, one)))
