"""Rules for what a host sets and changes."""

from collections.abc import Collection, Iterable
from typing import Final

from walletmodal.core.chains.caip import ChainId, Namespace
from walletmodal.core.errors import NetworkError
from walletmodal.core.errors.rules import HostOptionError
from walletmodal.core.text.texts import CANNOT_REMOVE_LAST_NETWORK

BOTH_SIGN_IN_OPTIONS: Final = "Cannot set both `siweConfig` and `siwx` options"


def check_sign_in_options(*, siwe_config: bool, siwx: bool) -> None:
    """A host may set one of the two names of the sign-in option.

    Raises:
        HostOptionError: both are set.
    """
    if siwe_config and siwx:
        raise HostOptionError(BOTH_SIGN_IN_OPTIONS)


def check_network_addition(namespace: Namespace, adapters: Collection[Namespace]) -> None:
    """A network can be added where an adapter serves its namespace.

    Raises:
        HostOptionError: `Adapter for namespace <ns> doesn't exist`.
    """
    if namespace not in adapters:
        raise HostOptionError(f"Adapter for namespace {namespace} doesn't exist")


def check_network_removal(chain: ChainId, networks: Iterable[ChainId], adapters: Collection[Namespace]) -> None:
    """A network can be removed when another one of its namespace stays.

    Raises:
        HostOptionError: no adapter serves the namespace, or it is the last one.
        NetworkError: `Network with ID <id> not found`.
    """
    check_network_addition(chain.namespace, adapters)
    offered = frozenset(networks)
    if chain not in offered:
        raise NetworkError(f"Network with ID {chain} not found")
    if not any(other.namespace == chain.namespace for other in offered - {chain}):
        raise HostOptionError(CANNOT_REMOVE_LAST_NETWORK)
