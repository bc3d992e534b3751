"""eth_account for hosts, imported here and nowhere else in `walletmodal.host`.

One of its dependencies sets Python's recursion limit to 100,000; with that, nested brackets of a stranger's JSON end a process. The limit
is put back: what the dependency needs it for, pairings on BLS curves, is not used here.
"""

import sys

_limit = sys.getrecursionlimit()
try:
    from eth_account import Account
    from eth_account.signers.local import LocalAccount
finally:
    sys.setrecursionlimit(_limit)

__all__ = ["Account", "LocalAccount"]
