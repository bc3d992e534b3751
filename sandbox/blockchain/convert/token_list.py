"""GET /v1/convert/tokens: what can be swapped on a chain."""

from starlette.requests import Request
from starlette.responses import Response

from walletmodal.sandbox.answers import json_answer
from walletmodal.sandbox.blockchain.chains import Chains
from walletmodal.sandbox.blockchain.requests import required
from walletmodal.sandbox.blockchain.tokens import TokenBook
from walletmodal.sandbox.solana.world import CHAIN as SOLANA_CHAIN


class TokenListEndpoint:
    """The tokens of a chain: the native coin, then those with a pool.

    Args:
        chains: the chains.
        tokens: their tokens.
    """

    def __init__(self, chains: Chains, tokens: TokenBook) -> None:
        self._chains = chains
        self._tokens = tokens

    async def list_tokens(self, request: Request) -> Response:
        """Answer with `{tokens}`; nothing is swapped on Solana, so its list is empty."""
        caip2 = required(request, "chainId")
        if caip2 == SOLANA_CHAIN:
            return json_answer({"tokens": []})
        chain = self._chains.require(caip2)
        pooled = {token.lower() for pool in chain.world.pools for token in (pool.token0, pool.token1)}
        native, *others = self._tokens.known(chain)
        listed = [native, *(one for one in others if one.address in pooled)]
        return json_answer(
            {
                "tokens": [
                    {
                        "name": one.name,
                        "symbol": one.symbol,
                        "address": f"{chain.caip2}:{one.address}",
                        "decimals": one.decimals,
                        "logoUri": one.icon_url,
                        "eip2612": False,
                    }
                    for one in listed
                ]
            }
        )
