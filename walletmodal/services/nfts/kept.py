"""Serialization of searches and metadata for a cache."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from walletmodal.core.accounts.nfts import NftMetadata
from walletmodal.services.nfts.found import Arrival, Scan

_NUMBERS: Final = ("newest", "oldest", "span", "answered", "refused", "steps", "gap", "told")


def written(scan: Scan) -> str:
    """A search as text."""
    rows = [[one.standard, one.contract, one.token_id, one.transaction] for one in scan.arrivals]
    return json.dumps(
        [rows, *(getattr(scan, name) for name in _NUMBERS), scan.cursor, scan.advertised, scan.begun],
        separators=(",", ":"),
    )


def read_scan(text: str | None) -> Scan | None:
    """What was kept; None where it is nothing, or another version of the product has written it into a shared cache."""
    if text is None:
        return None
    try:
        rows, *numbers, cursor, advertised, begun = json.loads(text)
        named = dict(zip(_NUMBERS, map(int, numbers), strict=True))
        arrivals = [Arrival(*row) for row in rows]
        return Scan(arrivals, **named, cursor=cursor, advertised=dict(advertised), begun=float(begun))
    except (TypeError, ValueError):
        return None


def written_metadata(metadata: NftMetadata) -> str:
    """Metadata as text."""
    return json.dumps(asdict(metadata))


def read_metadata(text: str | None) -> NftMetadata | None:
    """As `read_scan`, of metadata."""
    if text is None:
        return None
    try:
        raw: Mapping[str, str] = json.loads(text)
        return NftMetadata(str(raw["name"]), str(raw["description"]), str(raw["image"]))
    except (KeyError, TypeError, ValueError):
        return None
