"""eth_account for hosts, imported here and nowhere else in `walletmodal.host`.

One of its dependencies sets Python's recursion limit to 100,000; with that, nested brackets of a stranger's JSON end a process. The limit
is put back: what the dependency needs it for, pairings on BLS curves, is not used here.
"""

import sys

_limit = sys.getrecursionlimit()
try:
    from eth_account import Account
    from eth_account.signers.local import LocalAccount
    from eth_keys.datatypes import Signature as _Signature
    from eth_keys.exceptions import BadSignature as _BadSignature
    from eth_utils.exceptions import ValidationError as _ValidationError
finally:
    sys.setrecursionlimit(_limit)

__all__ = ["Account", "LocalAccount", "signer"]


def signer(digest: bytes, signature: bytes) -> str:
    """The account whose key has signed 32 bytes; "" where the signature is none that contracts take."""
    try:
        made = _Signature(signature[:64] + bytes([signature[64] - 27])) if len(signature) == 65 else None
        return "" if made is None else str(made.recover_public_key_from_msg_hash(digest).to_checksum_address())
    except (_BadSignature, _ValidationError, ValueError):
        return ""
