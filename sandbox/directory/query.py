"""What a directory call may ask for, and what is wrong with one that asks for something else."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from walletmodal.sandbox.directory.wallets import Badge, Wanted

MAX_PAGE: Final = 1_000_000
MAX_ENTRIES: Final = 1000
DEFAULT_ENTRIES: Final = 40
BADGES: Final = ("none", "certified")
CHAIN: Final = r"[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}"
"""The form of a CAIP-2 id."""

_WHOLE: Final = re.compile(r"[0-9]{1,9}", re.ASCII)


class WrongQueryError(Exception):
    """A query parameter has a value that it cannot have.

    Args:
        field: the parameter.
        description: what it may have.
    """

    def __init__(self, field: str, description: str) -> None:
        super().__init__(f"{field}: {description}")
        self.field = field
        self.description = description


@dataclass(frozen=True)
class WalletQuery:
    """One page of the wallets that are asked for.

    Attributes:
        wanted: which wallets.
        page: which page, from 1.
        entries: wallets on a page.
    """

    wanted: Wanted
    page: int
    entries: int


def read_wallet_query(query: Mapping[str, str]) -> WalletQuery:
    """Read the query of `getWallets`. Parameters that it does not know are passed over.

    Raises:
        WrongQueryError: one has a value that it cannot have.
    """
    badge = query.get("badge_type", "")
    if badge and badge not in BADGES:
        raise WrongQueryError("badge_type", f"One of {', '.join(BADGES)}")
    chains = query["chains"].split(",") if query.get("chains") else []
    for chain in chains:
        if not re.fullmatch(CHAIN, chain):
            raise WrongQueryError("chains", f"CAIP-2 ids with commas between them; {chain[:60]!r} is none")
    wanted = Wanted(
        include=frozenset(one.lower() for one in _listed(query, "include")),
        exclude=frozenset(one.lower() for one in _listed(query, "exclude")),
        chains=frozenset(chains),
        search=query.get("search", "").strip(),
        badge=cast("Badge", badge) if badge else None,
    )
    return WalletQuery(
        wanted, _whole(query, "page", 1, MAX_PAGE), _whole(query, "entries", DEFAULT_ENTRIES, MAX_ENTRIES)
    )


def _whole(query: Mapping[str, str], field: str, default: int, most: int) -> int:
    text = query.get(field)
    if text is None:
        return default
    if not _WHOLE.fullmatch(text) or not 1 <= int(text) <= most:
        raise WrongQueryError(field, f"A whole number from 1 to {most}")
    return int(text)


def _listed(query: Mapping[str, str], field: str) -> list[str]:
    text = query.get(field, "")
    return [one.strip() for one in text.split(",") if one.strip()]
