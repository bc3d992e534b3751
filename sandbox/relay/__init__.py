"""The WalletConnect v2 relay: it keeps sealed mail by topic, and passes it on.

It reads nothing of what it carries; who talks to whom is between the wallet and the application.
"""

from walletmodal.sandbox.relay.service import RelayService

__all__ = ["RelayService"]
