"""The Bitcoin side of `ChainAdapter`."""

from collections.abc import Callable

from walletmodal.core.bitcoin_scripts import Locked, locked_by
from walletmodal.core.caip import ChainId, Namespace
from walletmodal.services.chains.lazily import lazily
from walletmodal.services.chains.message_only import MessageOnlyAdapter


class Bip122Adapter(MessageOnlyAdapter):
    """Verifies signatures of Bitcoin addresses."""

    namespace: Namespace = "bip122"

    async def verify_message(self, chain: ChainId, address: str, message: str | bytes, signature: str) -> bool:
        """Whether the address signed a message: BIP-322 (simple), or the older signatures with a recoverable key (BIP-137).

        Args:
            chain: its addresses are of this network only.
            address: P2PKH, P2SH-P2WPKH, P2WPKH or P2TR; other scripts are not verified.
            message: a text is UTF-8.
            signature: base64.

        Raises:
            AddressError: the address is none, or one of another network.
        """
        locked = locked_by(address, chain)
        verify: Callable[[Locked, str | bytes, str], bool] = await lazily(
            "walletmodal.services.chains.bip122.signatures", "is_signed_by"
        )
        return verify(locked, message, signature)
