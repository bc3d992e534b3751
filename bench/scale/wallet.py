"""The wallet of a visitor: a real key, which signs at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx
from eth_account import Account
from eth_account.messages import encode_defunct
from eth_utils.crypto import keccak


class WalletRefusalError(Exception):
    """It knows no such method."""


class Wallet:
    """An account on eip155:1.

    Args:
        number: of the visitor; the key is made of it.
        node: URL of a node that takes its transactions.
    """

    def __init__(self, number: int, node: str) -> None:
        self._account = Account.from_key(keccak(b"bench-scale %d" % number))
        self.node = node
        self.sent = ""
        """Hash of its last transaction."""

    @property
    def address(self) -> str:
        """Of its account, with checksum."""
        return str(self._account.address)

    def signed(self, method: str, params: list[Any]) -> str:
        """A signature, or a signed transaction: hex.

        Raises:
            WalletRefusalError: it knows no such method.
        """
        if method == "personal_sign":
            made = self._account.sign_message(encode_defunct(hexstr=params[0])).signature
        elif method == "eth_sendTransaction":
            made = self._account.sign_transaction(_transaction(params[0])).raw_transaction
        else:
            raise WalletRefusalError(method)
        return "0x" + bytes(made).hex()

    def answer(self, method: str, params: list[Any]) -> str:
        """What a page gets of it. Waits for the node."""
        made = self.signed(method, params)
        if method != "eth_sendTransaction":
            return made
        answer = httpx.post(self.node, json=self.broadcast(made), trust_env=False).json()
        return str(answer["result"])

    @staticmethod
    def broadcast(raw: str) -> dict[str, Any]:
        """The node's request for a signed transaction."""
        return {"jsonrpc": "2.0", "id": 1, "method": "eth_sendRawTransaction", "params": [raw]}


def _transaction(asked: Mapping[str, str]) -> dict[str, Any]:
    numbers = ("value", "gas", "nonce", "maxFeePerGas", "maxPriorityFeePerGas", "chainId")
    return {"to": asked["to"], "data": asked["data"], **{name: int(asked[name], 16) for name in numbers}}
