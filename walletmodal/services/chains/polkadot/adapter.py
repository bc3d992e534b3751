"""The Polkadot side of `ChainAdapter`."""

from collections.abc import Callable

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId, Namespace
from walletmodal.services.chains.lazily import lazily
from walletmodal.services.chains.message_only import MessageOnlyAdapter


class PolkadotAdapter(MessageOnlyAdapter):
    """Verifies signatures of Polkadot accounts."""

    namespace: Namespace = "polkadot"

    async def verify_message(self, chain: ChainId, address: str, message: str | bytes, signature: str) -> bool:
        """Whether the account signed a message, with whichever of its three schemes.

        Args:
            chain: any of the namespace: an account is its key on all of them.
            address: SS58, of any network prefix.
            message: without the `<Bytes>` that wallets put around it.
            signature: hexadecimal with 0x.

        Raises:
            AddressError: the address is none.
        """
        checked = normal_address("polkadot", address)
        verify: Callable[[str, str | bytes, str], bool] = await lazily(
            "walletmodal.services.chains.polkadot.signatures", "is_signed_by"
        )
        return verify(checked, message, signature)
