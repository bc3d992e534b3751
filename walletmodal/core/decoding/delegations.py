"""Delegations (EIP-7702) that come with a transaction or a user operation."""

from collections.abc import Sequence

from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.smart_accounts.authorization import Authorization, read_authorization


def read_delegations(given: object) -> tuple[Authorization, ...]:
    """Reads what a list of authorizations delegates accounts to, signed or to be signed; what cannot be read is left out."""
    found = list[Authorization]()
    for one in given if isinstance(given, Sequence) and not isinstance(given, str) else ():
        try:
            found.append(read_authorization(one))
        except PayloadError:
            continue
    return tuple(found)
