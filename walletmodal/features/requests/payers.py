"""Who pays the network fee of a host page's request in the visitor's place: the deployment, or a paymaster that the page names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.smart_accounts.sponsorship import Beneficiary
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.deployment import deployment
from walletmodal.services.smart_accounts.operations import Payer

_METHOD: Final = "wallet_sendCalls"
"""Whose answer is an id of calls: pages that send one transaction expect it to be their account's own, unless that is a contract."""
_TRANSACTION: Final = "eth_sendTransaction"
_CAPABILITY: Final = "paymasterService"
CAPABILITIES: Final = "wallet_getCapabilities"
_MAX_URL: Final = 2048


class HostPaymaster(NamedTuple):
    """What a page says of its paymaster (EIP-5792); `optional`: the visitor may pay as well."""

    url: str
    context: Mapping[str, Any]
    optional: bool


def may_be_paid_for(found: HostedRequest, *, by_safe: bool) -> bool:
    """Whether somebody else could pay for a request of the embedded wallet's owner. `by_safe`: it goes as an operation in either case."""
    operation = found.method == _METHOD or (by_safe and found.method == _TRANSACTION)
    if not operation or not found.calls or any(not call.to for call in found.calls):
        return False
    chain, clients = str(found.chain), deployment().smart_accounts
    if chain not in clients.bundler_networks:
        return False
    return host_paymaster(found) is not None or _deployment_pays(chain)


def _deployment_pays(chain: str) -> bool:
    return chain in deployment().smart_accounts.paymaster_networks and deployment().sponsorships.is_offered(chain)


def host_paymaster(found: HostedRequest) -> HostPaymaster | None:
    """Reads which paymaster the page names for its calls; None for none."""
    batch = found.params[0] if found.method == _METHOD and isinstance(found.params, list) else {}
    wanted = batch.get("capabilities") if isinstance(batch, Mapping) else None
    service = wanted.get(_CAPABILITY) if isinstance(wanted, Mapping) else None
    if not isinstance(service, Mapping):
        return None
    # Drafts of the standard name one for each network.
    named = service.get(hex(found.chain.number), service)
    url, context = (named.get("url"), named.get("context")) if isinstance(named, Mapping) else (None, None)
    if not isinstance(url, str) or not 0 < len(url) <= _MAX_URL:
        return None
    return HostPaymaster(url, context if isinstance(context, Mapping) else {}, optional=service.get("optional") is True)


def payer_of(found: HostedRequest, *, browser: str, line: str) -> Payer:
    """Returns who pays for a request.

    Args:
        found: one that may be paid for.
        browser: the key of the browser's secret.
        line: the client's address. What is paid is counted for both.

    Raises:
        PaymasterRefusedError: the page's paymaster is none that is asked.
        NotConfiguredError: nobody pays any more.
    """
    clients, named = deployment().smart_accounts, host_paymaster(found)
    if named is not None:
        return clients.host_payer(found.chain, named.url, named.context)
    whose = Beneficiary(str(found.chain), found.account, browser, line)

    async def authorize(operation: UserOperation) -> None:
        await deployment().sponsorships.authorize(operation.nonce, found, whose, operation.max_cost)

    return clients.sponsor(found.chain, authorize)


def with_paymasters(told: object) -> object:
    """Adds to what the wallet says of its networks where a page may name a paymaster: where there is a bundler, and batches."""
    if not isinstance(told, Mapping):
        return told
    bundlers = {hex(parse_chain_id(chain).number) for chain in deployment().smart_accounts.bundler_networks}
    return {
        chain: {**has, _CAPABILITY: {"supported": True}} if chain in bundlers and _makes_batches(has) else has
        for chain, has in told.items()
    }


def _makes_batches(has: object) -> bool:
    atomic = has.get("atomic") if isinstance(has, Mapping) else None
    return isinstance(atomic, Mapping) and atomic.get("status") in ("ready", "supported")
