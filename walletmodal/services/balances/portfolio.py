"""The tokens of an account: from the wallet where it knows them, else from the blockchain service, else from the nodes."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from walletmodal.core.accounts.tokens import TokenBalance, without_zero_decimals
from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.constants import BALANCE_RETRY_GAP
from walletmodal.core.errors import NetworkError, TransportError
from walletmodal.core.errors.services import (
    NotConfiguredError,
    ServiceError,
    TokenBalanceUnavailableError,
    is_asked_too_much,
)
from walletmodal.core.text.texts import UNSUPPORTED_CHAIN
from walletmodal.services.balances.listed import ListedTokens
from walletmodal.services.balances.wallet_assets import AskWallet, wallet_balances
from walletmodal.services.blockchain import Portfolio
from walletmodal.services.http import Caller
from walletmodal.services.retry_gap import RetryGap


class BalanceService(Protocol):
    """The balance call of the blockchain service, such as `BlockchainClient.accounts`."""

    async def balance(
        self, caller: Caller, chain: ChainId, address: str, *, force_update: Sequence[str] | None = None
    ) -> Portfolio:
        """What an account owns.

        Raises:
            NotConfiguredError: there is no service.
            ServiceError: it failed.
            AddressError: the address is none.
        """
        ...


class TokenBalances:
    """Reads what accounts own, for all visitors of a process.

    Args:
        service: the blockchain service; keeps its answers for 30 s itself.
        listed: the way over the nodes, where there is no service; closed by who made it.
        clock: what the gap after a failure is measured with.
        icon_hosts: hosts, with their ports, whose pictures a wallet may name.
    """

    def __init__(
        self,
        service: BalanceService,
        listed: ListedTokens,
        *,
        clock: Clock | None = None,
        icon_hosts: Iterable[str] = (),
    ) -> None:
        self._service, self._listed = service, listed
        self._icon_hosts = frozenset(icon_hosts)
        self._gap: RetryGap[TokenBalanceUnavailableError] = RetryGap(BALANCE_RETRY_GAP, clock or SystemClock())

    async def balances(
        self,
        caller: Caller,
        chain: ChainId,
        address: str,
        *,
        ask: AskWallet | None = None,
        force_update: Sequence[str] | None = None,
    ) -> tuple[TokenBalance, ...]:
        """What an account owns on a network, without tokens of zero decimals.

        Args:
            caller: the embed.
            chain: the active network.
            address: a plain address of its namespace.
            ask: asks the connected wallet; None where there is none to ask. Only wallets of EVM networks are asked.
            force_update: see `AccountCalls.balance`; not None reads anew.

        Raises:
            AddressError: the address is none.
            TokenBalanceUnavailableError: nobody could say; raised again, without asking, for 30 s.
        """
        account = normal_address(chain.namespace, address)
        key = (caller, chain, account)
        self._gap.raise_recent(key)
        if ask is not None and chain.namespace == "eip155":
            told = await wallet_balances(ask, chain, account, self._icon_hosts)
            if told is not None:
                return told
        try:
            return await self._from_outside(caller, chain, account, force_update)
        except (ServiceError, TransportError, NetworkError) as error:
            failure = TokenBalanceUnavailableError(error.details or error.short_message)
            if not is_asked_too_much(error):
                # Whose budget is spent says nothing of the account, about which anybody can ask.
                self._gap.failed(key, failure)
            raise failure from error

    async def _from_outside(
        self, caller: Caller, chain: ChainId, address: str, force_update: Sequence[str] | None
    ) -> tuple[TokenBalance, ...]:
        try:
            portfolio = await self._service.balance(caller, chain, address, force_update=force_update)
        except NotConfiguredError:
            return await self._listed.balances(chain, address, fresh=force_update is not None)
        if not portfolio.supported:
            raise NetworkError(UNSUPPORTED_CHAIN, details=f"the blockchain service does not know {chain}")
        return without_zero_decimals(balance for balance in portfolio.balances if _is_on(chain, balance))


def _is_on(chain: ChainId, balance: TokenBalance) -> bool:
    """Whether a token is of the network that was asked about: another one's coin would pass for this one's."""
    where = balance.chain_id if balance.address is None else balance.address.rpartition(":")[0]
    return where in (None, str(chain)) and balance.chain_id in (None, str(chain))
