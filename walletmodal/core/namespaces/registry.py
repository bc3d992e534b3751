"""The descriptors of all namespaces, found by the names of their folders."""

from collections.abc import Mapping
from importlib import import_module
from typing import Final, Protocol, cast

from walletmodal.core.chains.caip import NAMESPACES, Namespace
from walletmodal.core.namespaces.descriptor import NamespaceDescriptor, NamespaceFeature


class _Folder(Protocol):
    DESCRIPTOR: NamespaceDescriptor


def _read(namespace: Namespace) -> NamespaceDescriptor:
    return cast("_Folder", import_module(f"{__package__}.{namespace}.descriptor")).DESCRIPTOR


DESCRIPTORS: Final[Mapping[Namespace, NamespaceDescriptor]] = {namespace: _read(namespace) for namespace in NAMESPACES}
"""By namespace, in the order of `NAMESPACES`."""


def has_feature(namespace: Namespace, feature: NamespaceFeature) -> bool:
    """Whether accounts of a namespace have a feature."""
    return feature in DESCRIPTORS[namespace].features


def with_feature(feature: NamespaceFeature) -> tuple[Namespace, ...]:
    """Lists the namespaces whose accounts have a feature."""
    return tuple(namespace for namespace in NAMESPACES if has_feature(namespace, feature))
