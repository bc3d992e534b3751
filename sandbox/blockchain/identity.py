"""GET /v1/identity/{address}: the ENS name and picture of an account."""

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from walletmodal.core.clock import Clock
from walletmodal.sandbox.answers import json_answer
from walletmodal.sandbox.blockchain.chains import Chain, Chains
from walletmodal.sandbox.blockchain.ens import EnsProfile, profile
from walletmodal.sandbox.blockchain.failures import RefusedError
from walletmodal.sandbox.blockchain.history.nfts import NftBook
from walletmodal.sandbox.blockchain.requests import evm_address, optional, plain_address

CACHE_SECONDS: Final = 86_400.0
_REMEMBERED: Final = 2000


@dataclass(frozen=True, slots=True)
class _Remembered:
    until: float
    head: object
    profile: EnsProfile
    resolved_at: str


class IdentityEndpoint:
    """Answers who an account is.

    Args:
        chains: the chains; the first one with ENS is asked.
        nfts: pictures of NFTs that serve as avatars.
        clock: for the day that an answer is kept.
    """

    def __init__(self, chains: Chains, nfts: NftBook, clock: Clock) -> None:
        self._chain: Chain | None = next((chain for chain in chains if chain.world.ens is not None), None)
        self._nfts = nfts
        self._clock = clock
        self._kept: dict[str, _Remembered] = {}

    async def identity(self, request: Request) -> Response:
        """Answer with `{name, avatar, resolvedAt}`; null where nothing is known, as for every Solana account."""
        namespace, address = plain_address(request.path_params["address"])
        if (sender := optional(request, "sender")) is not None:
            plain_address(sender, "sender")
        use_cache = optional(request, "useCache")
        if use_cache not in (None, "true", "false"):
            raise RefusedError(400, "useCache", "One of true, false")
        if namespace == "solana" or self._chain is None:
            return json_answer({"name": None, "avatar": None, "resolvedAt": self._now()})
        found = await self._resolved(self._chain, evm_address(address), use_cache=use_cache != "false")
        return json_answer(
            {"name": found.profile.name, "avatar": found.profile.avatar, "resolvedAt": found.resolved_at}
        )

    async def _resolved(self, chain: Chain, address: str, *, use_cache: bool) -> _Remembered:
        # Records change with a transaction only, so what was found holds while the chain stands still; a test sees its own at once.
        block = await chain.node.call("eth_getBlockByNumber", "latest", False)
        head = block.get("hash") if isinstance(block, dict) else None
        kept = self._kept.get(address)
        if use_cache and kept and kept.head == head and kept.until > self._clock.monotonic():
            return kept
        found = _Remembered(
            self._clock.monotonic() + CACHE_SECONDS, head, await profile(chain, self._nfts, address), self._now()
        )
        if len(self._kept) >= _REMEMBERED:
            self._kept.clear()
        self._kept[address] = found
        return found

    def _now(self) -> str:
        return self._clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
