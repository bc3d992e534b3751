"""The Bitcoin side of `ChainAdapter`."""

from collections.abc import Callable

from walletmodal.core.chains.bitcoin_scripts import Locked, locked_by
from walletmodal.core.chains.caip import ChainId, Namespace
from walletmodal.services.chains.lazily import lazily
from walletmodal.services.chains.message_only import MessageOnlyAdapter


class Bip122Adapter(MessageOnlyAdapter):
    """Verifies signatures of Bitcoin addresses."""

    namespace: Namespace = "bip122"

    async def verify_message(self, chain: ChainId, address: str, message: str | bytes, signature: str) -> bool:
        """Whether the address signed a message: BIP-322 (simple and full), or the older signatures with a recoverable key (BIP-137).

        Args:
            chain: its addresses are of this network only.
            address: of a key (P2PKH, P2WPKH, P2TR), of several keys (multisig in P2SH or P2WSH), or of a segwit script of these
                in P2SH; other scripts are not verified.
            message: a text is UTF-8.
            signature: base64, of BIP-322 behind its prefix.

        Raises:
            AddressError: the address is none, or one of another network.
            ProofOfFundsError: the signature is one.
        """
        locked = locked_by(address, chain)
        verify: Callable[[Locked, str | bytes, str], bool] = await lazily(
            "walletmodal.services.chains.bip122.signatures", "is_signed_by"
        )
        return verify(locked, message, signature)
