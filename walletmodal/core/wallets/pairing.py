"""Pairing with a wallet elsewhere over WalletConnect: what is proposed to it, and what an error means."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from walletmodal.core.chains.caip import Namespace, parse_chain_id
from walletmodal.core.errors.codes import RESOURCE_UNAVAILABLE, UNKNOWN
from walletmodal.core.errors.rpc import is_user_rejection
from walletmodal.core.parsing.urls import is_secure_url
from walletmodal.core.protocol.commands import Proposal, ProposedMetadata, ProposedNamespace
from walletmodal.core.protocol.options import ProviderOverride
from walletmodal.core.requests.methods import PAIRED_METHODS
from walletmodal.core.text.texts import (
    PAIRING_EXPIRED,
    PAIRING_FAILED,
    PAIRING_INTERRUPTED,
    PAIRING_UNSUITED,
    RELAY_REFUSED,
    RELAY_WRONG_TIME,
    WALLET_DECLINED,
    AlertKey,
    alert_for_provider_message,
)

PAIRING_TIMEOUT_MS: Final = 30 * 60_000
"""How long an open pane is kept supplied with fresh codes; each of them lives for four minutes."""

PAIRED_PLATFORMS: Final = frozenset({"qrcode", "mobile", "web", "desktop"})
"""Those that need a relay."""

_EVENTS: Final = ("accountsChanged", "chainChanged")
ORPHANED: Final = UNKNOWN
"""The code of a pairing that went with its frame."""

_SILENT: Final = RESOURCE_UNAVAILABLE
_DECLINED: Final = range(5000, 5004)
"""The pairing protocol: declined as a whole, or its chains, methods or events."""

_UNSUITED: Final = range(5100, 5200)
"""The pairing protocol: the wallet does not serve a chain, method, event, account or namespace that was asked for."""


@dataclass(frozen=True, slots=True)
class Host:
    """The host application as the wallet shall show it; `icons`: URLs, of which those that a phone can fetch are passed on."""

    name: str
    description: str
    origin: str
    icons: Sequence[str]


def proposal(
    networks: Iterable[str], host: Host, *, override: ProviderOverride | None = None, preferred: str = ""
) -> Proposal:
    """What a pairing proposes.

    Args:
        networks: CAIP-2 ids of all networks that are offered.
        host: who asks.
        override: the host's own lists, each in the place of the default one of its namespace.
        preferred: the CAIP-2 id that is active; the first of its namespace unless the override names another.
    """
    own = override or ProviderOverride()
    first = [chain for chain in (own.default_chain, preferred) if chain]
    chains: dict[Namespace, list[str]] = {}
    for network in networks:
        chains.setdefault(parse_chain_id(network).namespace, []).append(network)
    return Proposal(
        namespaces={
            namespace: ProposedNamespace(
                chains=_in_order(own.chains.get(namespace) or offered, first),
                methods=list(own.methods.get(namespace, PAIRED_METHODS[namespace])),
                events=list(own.events.get(namespace, _EVENTS)),
            )
            for namespace, offered in chains.items()
        },
        metadata=ProposedMetadata(
            name=host.name or host.origin,
            description=host.description,
            url=host.origin,
            icons=[icon for icon in host.icons if is_secure_url(icon)],
        ),
    )


def _in_order(chains: Iterable[str], first: Sequence[str]) -> list[str]:
    return sorted(chains, key=lambda chain: first.index(chain) if chain in first else len(first))


@dataclass(frozen=True, slots=True)
class Failure:
    """Why no connection came about: `text` for the visitor, `alert` for the host's developer."""

    text: str
    alert: AlertKey | None = None


def pairing_failure(code: int, message: str) -> Failure:
    """What an error of a pairing means; a relay's refusal comes as its message, whatever the code."""
    refusal = alert_for_provider_message(message)
    if refusal is not None:
        return Failure(RELAY_WRONG_TIME if refusal == "JWT_TOKEN_NOT_VALID" else RELAY_REFUSED, refusal)
    if code in _UNSUITED:
        return Failure(PAIRING_UNSUITED)
    if code in _DECLINED or is_user_rejection(code, message):
        return Failure(WALLET_DECLINED)
    if code == _SILENT or "expired" in message.casefold():
        return Failure(PAIRING_EXPIRED)
    return Failure(PAIRING_INTERRUPTED if code == ORPHANED else PAIRING_FAILED)
