"""The adapters of a deployment, found by the names of their folders."""

from collections.abc import Iterator
from importlib import import_module
from typing import Protocol, cast

from walletmodal.core.chains.caip import NAMESPACES, Namespace
from walletmodal.services.chains.adapter import ChainAdapter, TransportOf


class _AdapterFolder(Protocol):
    @staticmethod
    def open_adapter(transport: TransportOf) -> ChainAdapter: ...


class Chains:
    """One adapter per namespace.

    Args:
        transport: gives the way to a network's nodes, such as `RpcEndpoints.transport`.
    """

    def __init__(self, transport: TransportOf) -> None:
        self._adapters = {namespace: _open(namespace, transport) for namespace in NAMESPACES}

    def adapter(self, namespace: Namespace) -> ChainAdapter:
        """The adapter of a namespace."""
        return self._adapters[namespace]

    def __iter__(self) -> Iterator[ChainAdapter]:
        """All of them."""
        return iter(self._adapters.values())


def _open(namespace: Namespace, transport: TransportOf) -> ChainAdapter:
    folder = cast("_AdapterFolder", import_module(f"{__package__}.{namespace}"))
    return folder.open_adapter(transport)
