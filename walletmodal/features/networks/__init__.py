"""The active network, the list, switching.

Whoever uses its state needs what keeps that state true: what follows the wallets and what the host asks for are registered with it.
"""

from walletmodal.features.networks import following, host

__all__ = ["following", "host"]
