"""Ids that pages give their calls (EIP-5792): unique for a page and an account, across restarts where the calls are signed."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.errors.flow import NotRecordedError
from walletmodal.core.errors.rpc import DuplicateIdError
from walletmodal.core.protocol.host_calls import HostRequest
from walletmodal.core.requests.methods import calls_id_of
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.db.engine import describe_failure
from walletmodal.deployment import deployment
from walletmodal.features.requests.checks import Refusal, refusal_of

logger = logging.getLogger(__name__)


def refuse_waiting_id(asked: HostRequest, preparing: Mapping[str, Mapping[str, Any]]) -> Refusal | None:
    """Refuses the id of calls that others have which are being worked out."""
    own = calls_id_of(asked.method, asked.params)
    others = (one["asked"] for one in preparing.values())
    taken = own and any(own == calls_id_of(one["method"], one["params"]) for one in others)
    return refusal_of(DuplicateIdError()) if taken else None


async def refuse_known_id(found: HostedRequest, browser: str) -> Refusal | None:
    """Refuses the id of calls that others have which are signed already."""
    own = calls_id_of(found.method, found.params)
    try:
        known = await deployment().requests.of_bundle(browser, found.origin, found.account, own)
    except (SQLAlchemyError, OSError) as error:
        logger.warning("the ids of calls cannot be read: %s", describe_failure(error))
        return refusal_of(NotRecordedError(type(error).__name__))
    return None if known is None else refusal_of(DuplicateIdError())
