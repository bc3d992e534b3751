"""Assets that a wallet itself reports (EIP-5792 capabilities, ERC-7811 assets)."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final
from urllib.parse import urlsplit

from walletmodal.core.accounts.tokens import TokenBalance, asset_balances, parse_wallet_assets
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import ShapeError, WalletModalError

AskWallet = Callable[[str, list[object]], Awaitable[object]]
"""Asks the connected wallet through the browser: method and parameters. Gives its unchecked answer; raises WalletModalError or TimeoutError."""

MAX_CHAINS: Final = 1000
"""Networks that a wallet may speak of in one answer."""

logger = logging.getLogger(__name__)


async def wallet_balances(
    ask: AskWallet, chain: ChainId, address: str, icon_hosts: AbstractSet[str] = frozenset()
) -> tuple[TokenBalance, ...] | None:
    """What the wallet says, or None where it does not discover assets, fails, or answers with what is not valid.

    Args:
        ask: asks the wallet.
        chain: an EVM network.
        address: the account, in its normal spelling.
        icon_hosts: whose pictures it may name. Our server fetches what it is given, so a wallet does not get to choose whom it asks.
    """
    hex_chain = hex(chain.number)
    try:
        if not discovers_assets(await ask("wallet_getCapabilities", [address]), hex_chain):
            return None
        answer = await ask("wallet_getAssets", [{"account": address, "chainFilter": [hex_chain]}])
        assets = parse_wallet_assets(answer)
        if assets is None:
            return None
        return tuple(_trusted(each, icon_hosts) for each in asset_balances(assets.get(hex_chain, ()), chain))
    except (WalletModalError, TimeoutError) as error:
        # Whatever goes wrong with a wallet, the balance service is asked next.
        details = error.details if isinstance(error, ShapeError) else type(error).__name__
        logger.info("a wallet's assets are not used: %s", details)
        return None


def _trusted(balance: TokenBalance, icon_hosts: AbstractSet[str]) -> TokenBalance:
    """The balance without a picture of a host that nobody vouches for."""
    known = not balance.icon_url or urlsplit(balance.icon_url).netloc.lower() in icon_hosts
    return balance if known else balance.model_copy(update={"icon_url": ""})


def discovers_assets(capabilities: object, hex_chain: str) -> bool:
    """Whether a wallet's capabilities (EIP-5792) say that it discovers assets on a network; `0x0` stands for all networks.

    Args:
        capabilities: the answer to `wallet_getCapabilities`, unchecked.
        hex_chain: such as `0x1`.
    """
    if not isinstance(capabilities, Mapping) or len(capabilities) > MAX_CHAINS:
        return False
    named = {key.lower(): value for key, value in capabilities.items() if isinstance(key, str)}
    for chain in (hex_chain, "0x0"):
        of_chain = named.get(chain)
        discovery = of_chain.get("assetDiscovery") if isinstance(of_chain, Mapping) else None
        if isinstance(discovery, Mapping) and "supported" in discovery:
            return discovery["supported"] is True
    return False
