"""The fake wallet: nobody clicks in it, but what it signs is signed."""

import secrets
from typing import Final, Self

from walletmodal.core.chains.caip import AccountId, ChainId, Namespace, is_namespace, parse_chain_id
from walletmodal.core.errors.rpc import UserRejectedRequestError
from walletmodal.testing.keys import SECRET_SIZE, wallet_key

MAIN_NETWORKS: Final[dict[Namespace, str]] = {
    "eip155": "eip155:1",
    "solana": "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    "bip122": "bip122:000000000019d6689c085ae165831e93",
    "polkadot": "polkadot:91b171bb158e2d3848fa23a9f1c25182",
}


class FakeWallet:
    """A wallet with one account on one network, of any namespace.

    Args:
        chain: CAIP-2 id of the network; a namespace alone stands for its main network.
        secret: the 32 bytes of its key, for a test that wants the same account each time; default: random ones.

    Attributes:
        declines: whether the visitor says no to everything (`UserRejectedRequestError`, 4001).
        signed: the texts that it has signed, the oldest first.

    Raises:
        CaipError: `chain` is no network id. ValueError: `secret` is no key.
    """

    def __init__(self, chain: str = "eip155", *, secret: bytes | None = None) -> None:
        self.chain: ChainId = parse_chain_id(_network(chain))
        self._secret = secret if secret is not None else secrets.token_bytes(SECRET_SIZE)
        self._key = wallet_key(self.chain.namespace, self._secret)
        self.declines = False
        self.signed: list[str] = []

    @property
    def address(self) -> str:
        """Of its account, in the namespace's spelling."""
        return self._key.address

    @property
    def account(self) -> AccountId:
        """The account as CAIP-10."""
        return AccountId(self.chain, self.address)

    def on(self, chain: str) -> Self:
        """The same key on another network.

        Raises:
            CaipError: it is no network id. ValueError: it is one of another namespace.
        """
        moved = type(self)(chain, secret=self._secret)
        if moved.chain.namespace != self.chain.namespace:
            raise ValueError(f"a key of {self.chain.namespace} is none of {moved.chain.namespace}")
        return moved

    def sign_message(self, text: str) -> str:
        """A signature of a text: `personal_sign` on eip155, `signMessage` and its like elsewhere.

        Raises:
            UserRejectedRequestError: it was told to decline.
        """
        if self.declines:
            raise UserRejectedRequestError("the fake wallet was told to decline")
        self.signed.append(text)
        return self._key.sign(text)


def _network(chain: str) -> str:
    return MAIN_NETWORKS[chain] if is_namespace(chain) else chain
