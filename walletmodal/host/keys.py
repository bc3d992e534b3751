"""The keys that a modal has published."""

from collections.abc import Iterator, Mapping
from typing import Final

import jwt

from walletmodal.core.sign_in.token_claims import MAX_KEYS, TOKEN_ALGORITHM

_MEMBERS: Final = ("kid", "kty", "crv", "x", "y")


class PublishedKeys:
    """Signing keys of a key set (RFC 7517): all others, and what is no key, are left out.

    Args:
        document: JSON of `/.well-known/jwks.json`.
    """

    def __init__(self, document: object) -> None:
        self._keys = dict(_readable(document))

    def __contains__(self, kid: object) -> bool:
        return kid in self._keys

    def __len__(self) -> int:
        return len(self._keys)

    def get(self, kid: str) -> jwt.PyJWK | None:
        """The key of a name, or None."""
        return self._keys.get(kid)


def _readable(document: object) -> Iterator[tuple[str, jwt.PyJWK]]:
    rows = document.get("keys") if isinstance(document, Mapping) else None
    for row in rows[:MAX_KEYS] if isinstance(rows, list) else ():
        if not isinstance(row, Mapping) or not all(isinstance(row.get(name), str) for name in _MEMBERS):
            continue
        # Only the members of a public key on P-256: whatever else it says, it is used for this alone.
        if row["kty"] != "EC" or row["crv"] != "P-256" or row.get("alg", TOKEN_ALGORITHM) != TOKEN_ALGORITHM:
            continue
        try:
            yield row["kid"], jwt.PyJWK({name: row[name] for name in _MEMBERS}, TOKEN_ALGORITHM)
        except (jwt.PyJWTError, ValueError):
            continue
