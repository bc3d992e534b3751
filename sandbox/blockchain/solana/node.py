"""What is asked of the Solana node."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from walletmodal.sandbox.blockchain.failures import NodeUnavailableError
from walletmodal.sandbox.blockchain.rpc import Ask, NodeClient, NodeError

TOKEN_PROGRAMS: Final = (
    "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
    "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
)
LAMPORTS_PER_SIGNATURE: Final = 5000
_ACCOUNTS_AT_ONCE: Final = 100
_MICRO: Final = 1_000_000
_UNITS_OF_PAYMENT: Final = 500
"""Compute units that a plain payment uses, rounded up; priority fees are per unit."""


@dataclass(frozen=True, slots=True)
class TokenAccount:
    """One SPL token account: its address, owner and mint, and what it holds in base units."""

    address: str
    owner: str
    mint: str
    amount: int
    decimals: int


class SolanaNode:
    """The Solana node.

    Args:
        client: asks it.
    """

    def __init__(self, client: NodeClient) -> None:
        self._client = client

    async def lamports(self, address: str) -> int:
        """The balance of an account.

        Raises:
            NodeUnavailableError: the node does not answer.
        """
        value = _value(await self._client.call("getBalance", address))
        return value if isinstance(value, int) else 0

    async def token_accounts(self, owner: str) -> list[TokenAccount]:
        """The token accounts of an owner.

        Raises:
            NodeUnavailableError: the node does not answer.
        """
        asks = [
            Ask("getTokenAccountsByOwner", (owner, {"programId": program}, {"encoding": "jsonParsed"}))
            for program in TOKEN_PROGRAMS
        ]
        found: list[TokenAccount] = []
        for answer in await self._client.ask(asks):
            listed = _value(answer)
            for one in listed if isinstance(listed, list) else []:
                parsed = _token_account(str(one.get("pubkey")), one.get("account"))
                if parsed is not None:
                    found.append(parsed)
        return found

    async def token_accounts_at(self, addresses: Sequence[str]) -> dict[str, TokenAccount]:
        """The token accounts at these addresses; others are left out.

        Raises:
            NodeUnavailableError: the node does not answer.
        """
        if not addresses:
            return {}
        (answer,) = await self._client.ask([Ask("getMultipleAccounts", (list(addresses), {"encoding": "jsonParsed"}))])
        listed = _value(answer)
        pairs = zip(addresses, listed if isinstance(listed, list) else [], strict=False)
        return {address: one for address, account in pairs if (one := _token_account(address, account)) is not None}

    async def accounts(self, addresses: Sequence[str]) -> list[bytes | None]:
        """The data of the accounts at some addresses; None where there is none.

        Raises:
            NodeUnavailableError: the node does not answer.
        """
        found: list[bytes | None] = []
        for start in range(0, len(addresses), _ACCOUNTS_AT_ONCE):
            some = list(addresses[start : start + _ACCOUNTS_AT_ONCE])
            listed = _value(await self._client.call("getMultipleAccounts", some, {"encoding": "base64"}))
            found += [_bytes(one) for one in listed] if isinstance(listed, list) else [None] * len(some)
        return found

    async def signatures(self, address: str, limit: int) -> list[dict[str, object]]:
        """The newest transactions that name an address, newest first.

        Raises:
            NodeUnavailableError: the node does not answer.
        """
        answer = await self._client.call("getSignaturesForAddress", address, {"limit": limit})
        return [one for one in answer if isinstance(one, dict)] if isinstance(answer, list) else []

    async def transactions(self, signatures: Sequence[str]) -> list[dict[str, object] | None]:
        """Transactions by signature, as base64; None where the node has none.

        Raises:
            NodeUnavailableError: the node does not answer.
        """
        options = {"encoding": "base64", "maxSupportedTransactionVersion": 0}
        answers = await self._client.ask([Ask("getTransaction", (one, options)) for one in signatures])
        return [answer if isinstance(answer, dict) else None for answer in answers]

    async def transaction_fee(self) -> int:
        """What a payment costs now, in lamports: one signature, and the priority that others paid of late.

        Raises:
            NodeUnavailableError: the node does not answer.
        """
        (answer,) = await self._client.ask([Ask("getRecentPrioritizationFees", ([],))])
        if isinstance(answer, NodeError):
            raise NodeUnavailableError(self._client.chain, answer.message)
        fees = (
            [one.get("prioritizationFee", 0) for one in answer if isinstance(one, dict)]
            if isinstance(answer, list)
            else []
        )
        return LAMPORTS_PER_SIGNATURE + max(fees, default=0) * _UNITS_OF_PAYMENT // _MICRO


def _value(answer: object) -> object:
    return answer.get("value") if isinstance(answer, dict) else None


def _bytes(account: object) -> bytes | None:
    data = account.get("data") if isinstance(account, dict) else None
    return base64.b64decode(data[0]) if isinstance(data, list) and data else None


def _token_account(address: str, account: object) -> TokenAccount | None:
    data = account.get("data") if isinstance(account, dict) else None
    parsed = data.get("parsed") if isinstance(data, dict) else None
    if not isinstance(parsed, dict) or parsed.get("type") != "account":
        return None
    info = parsed.get("info")
    held = info.get("tokenAmount") if isinstance(info, dict) else None
    if not isinstance(info, dict) or not isinstance(held, dict):
        return None
    return TokenAccount(address, str(info["owner"]), str(info["mint"]), int(held["amount"]), int(held["decimals"]))
