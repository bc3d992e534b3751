"""Decision about who is sponsored: the operator's policy, then the limits of the day, before a paymaster is asked to sign."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from copy import deepcopy

from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.errors.operations import SponsorshipError
from walletmodal.core.requests.policy import Deny
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.smart_accounts.sponsorship import Beneficiary, SponsorLimits, Sponsorship
from walletmodal.db.engine import describe_failure
from walletmodal.db.sponsorships import SponsorshipStore, Totals
from walletmodal.services.policy import Policy

logger = logging.getLogger(__name__)


class Sponsorships:
    """Says who is sponsored.

    Args:
        policy: the operator's.
        store: counts what is paid.
        limits: by CAIP-2 id; nothing is paid on other networks.
    """

    def __init__(self, policy: Policy, store: SponsorshipStore, limits: Mapping[str, SponsorLimits]) -> None:
        self._policy, self._store, self._limits = policy, store, limits

    def is_offered(self, chain: str) -> bool:
        """Whether anything is paid on a network, by its CAIP-2 id."""
        return chain in self._limits

    async def totals(self) -> dict[str, Totals]:
        """Tells what counts now for all together, on each network on which something is paid. Raises as `SponsorshipStore.totals`."""
        if not self._limits:
            return {}
        found = await self._store.totals()
        return {chain: found.get(chain, Totals(0, 0)) for chain in self._limits}

    async def authorize(self, nonce: int, request: HostedRequest, whose: Beneficiary, cost: int) -> None:
        """Promises to pay for a request; returns once that is on record.

        Args:
            nonce: of the operation.
            request: what is asked for.
            whose: for whom.
            cost: what it can cost at most, in base units.

        Raises:
            SponsorshipError: it is not paid for.
        """
        limits = self._limits.get(whose.chain)
        if limits is None:
            raise SponsorshipError("nothing is paid on this network")
        try:
            spent = await self._store.spent(whose)
        except (SQLAlchemyError, OSError) as error:
            logger.warning("what was paid cannot be read: %s", describe_failure(error))
            raise SponsorshipError from error
        # A copy: what the operator's code does to it must not be what the visitor signs and the record says.
        asked = Sponsorship(deepcopy(request), cost, spent.visitor, spent.everybody)
        decision = await self._policy.sponsor(asked)
        if isinstance(decision, Deny):
            raise SponsorshipError(decision.reason)
        await self._store.promise(nonce, whose, cost, limits)

    async def settle(self, chain: str, account: str, nonce: int, cost: int) -> None:
        """Writes what an operation has cost, as the chain says. Where that cannot be written, what counted before counts on.

        Args:
            chain: CAIP-2 id.
            account: its address.
            nonce: of the operation.
            cost: in base units of the native coin.
        """
        limits = self._limits.get(chain)
        if limits is None:
            return
        try:
            # Nothing dearer is ever promised, so a chain that says more is not believed.
            await self._store.settle(chain, account, nonce, min(cost, limits.visitor))
        except (SQLAlchemyError, OSError) as error:
            logger.warning("what an operation has cost could not be written: %s", describe_failure(error))
