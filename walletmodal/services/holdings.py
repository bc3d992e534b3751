"""Holdings of the tokens that a request would let others take: asked of nodes before the policy decides."""

import asyncio
from dataclasses import replace
from typing import Final

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import WalletModalError
from walletmodal.core.requests.typed_request import Holding, HostedRequest
from walletmodal.services.chains.adapter import Token
from walletmodal.services.chains.registry import Chains

MAX_TOKENS: Final = 8
"""Contracts that are asked for one request; grants of others are judged by their size alone."""
HOLDINGS_SECONDS: Final = 2.0
"""For how long: a visitor's state is held meanwhile."""


async def with_holdings(request: HostedRequest, chains: Chains) -> HostedRequest:
    """The request with what nodes say of the tokens that it lets others take; without where they cannot be asked in time."""
    tokens = dict.fromkeys(approval.token for approval in request.approvals if approval.amount is not None)
    wanted = [token for token in tokens if token][:MAX_TOKENS]
    if not wanted:
        return request
    found = await asyncio.gather(*(_holding(chains, request.chain, request.account, token) for token in wanted))
    known = {token: holding for token, holding in zip(wanted, found, strict=True) if holding is not None}
    return replace(request, holdings=known)


async def _holding(chains: Chains, chain: ChainId, account: str, token: str) -> Holding | None:
    adapter = chains.adapter(chain.namespace)
    try:
        async with asyncio.timeout(HOLDINGS_SECONDS):
            supply, balances = await asyncio.gather(
                adapter.token_supply(chain, token), adapter.token_balances(chain, account, [Token(token, "", "", 0)])
            )
    except (WalletModalError, TimeoutError):
        return None
    return Holding(supply, balances.get(token))
