"""What accounts own: native balances, and the tokens that wallets, the blockchain service or the nodes know of."""

from walletmodal.services.balances.listed import ListedTokens
from walletmodal.services.balances.native import NativeBalances
from walletmodal.services.balances.portfolio import BalanceService, TokenBalances
from walletmodal.services.balances.wallet_assets import AskWallet, discovers_assets

__all__ = [
    "AskWallet",
    "BalanceService",
    "ListedTokens",
    "NativeBalances",
    "TokenBalances",
    "discovers_assets",
]
