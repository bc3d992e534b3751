"""Permissions that are taken back (ERC-7715), in words for the visitor."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.decoding.typed_data_values import read_uint
from walletmodal.core.language import _
from walletmodal.core.requests.summary_parts import (
    Limits,
    Part,
    Row,
    Summary,
    Tokens,
    address_row,
    json_rows,
    plain_text,
    short_text,
)
from walletmodal.core.requests.typed_request import HostedRequest

_ACCOUNTS: Final = ("address", "account", "from")
_PERMISSIONS: Final = ("permissionContext", "permissionsContext", "context", "pci")
"""How the drafts of ERC-7715 call the id of what was granted."""


def revocation_summary(request: HostedRequest, limits: Limits, _tokens: Tokens) -> Summary:
    """Permissions (ERC-7715) that end, by the name that the wallet has given them."""
    given = request.params if isinstance(request.params, list) else [request.params]
    parts, hidden = list[Part](), len(given) > limits.parts
    for entry in given[: limits.parts]:
        rows = list(
            islice((row for name, value in entry.items() for row in _ended(name, value, limits)), limits.rows + 1)
        )
        hidden = hidden or len(rows) > limits.rows
        parts.append(Part(_("No longer allowed"), tuple(rows[: limits.rows])))
    return Summary(title=_("Take back permissions"), parts=tuple(parts), warnings=(), hidden=hidden)


def _ended(name: str, value: object, limits: Limits) -> Iterator[Row]:
    network = bundled_networks().get(f"eip155:{read_uint(value)}") if name == "chainId" else None
    if network is not None:
        yield Row(_("Network"), network.name)
    elif name in _ACCOUNTS and isinstance(value, str):
        yield address_row(_("Account"), short_text(plain_text(value), 200))
    elif name in _PERMISSIONS:
        yield from (replace(row, tone="address") for row in json_rows(_("Permission"), value, 0, limits))
    else:
        yield from json_rows(short_text(name, 64), value, 0, limits)
