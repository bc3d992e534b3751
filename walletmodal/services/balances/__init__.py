"""What accounts own: native balances, and the tokens that wallets, the blockchain service or the nodes know of (specification §7, §9)."""

from walletmodal.services.balances.listed import ListedTokens
from walletmodal.services.balances.native import BALANCE_TTL_SECONDS, RETRY_GAP_SECONDS, NativeBalances
from walletmodal.services.balances.portfolio import BalanceService, TokenBalances, TokenBalanceUnavailableError
from walletmodal.services.balances.wallet_assets import AskWallet

__all__ = [
    "BALANCE_TTL_SECONDS",
    "RETRY_GAP_SECONDS",
    "AskWallet",
    "BalanceService",
    "ListedTokens",
    "NativeBalances",
    "TokenBalanceUnavailableError",
    "TokenBalances",
]
