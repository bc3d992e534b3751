"""What one process holds for smart accounts: made together, for they ask the same bundlers and nodes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import httpx

from walletmodal.core.chains.caip import AccountId, ChainId
from walletmodal.core.clock import Clock
from walletmodal.core.smart_accounts import delegator
from walletmodal.services.chains.adapter import TransportOf
from walletmodal.services.smart_accounts.bundler import Bundler
from walletmodal.services.smart_accounts.endpoints import ServiceEndpoints
from walletmodal.services.smart_accounts.host_paymasters import HostPaymasters
from walletmodal.services.smart_accounts.networks import SmartAccountNetworks
from walletmodal.services.smart_accounts.operations import Authorize, Payer, UserOperations
from walletmodal.services.smart_accounts.outcomes import OperationOutcomes
from walletmodal.services.smart_accounts.paymaster import Context, Paymaster


class SmartAccountClients:
    """The clients.

    Args:
        client: the pooled HTTP client of the process; not closed here.
        nodes: gives the way to a network's nodes.
        bundlers, paymasters: URLs by CAIP-2 id.
        context: what the paymasters of the deployment are told with each question.
        gas_tokens: contracts that accounts may pay fees in by the deployment's paymasters.
        counted: counts each question for whoever it is asked for, such as `OutsideBudget.counted`.
        loopback_paymasters: whether host pages may name paymasters on this machine, as in the sandbox.
        clock: what delays are measured with.

    Attributes:
        bundler, networks, operations, outcomes, host_paymasters: one for all networks.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        nodes: TransportOf,
        *,
        bundlers: Mapping[str, str],
        paymasters: Mapping[str, str],
        context: Mapping[str, Any] | None = None,
        counted: Callable[[TransportOf], TransportOf] = lambda way: way,
        gas_tokens: Iterable[AccountId] = (),
        loopback_paymasters: bool = False,
        clock: Clock | None = None,
    ) -> None:
        self._bundlers = ServiceEndpoints(client, bundlers, setting="BUNDLER_URL", clock=clock)
        self._paymasters = ServiceEndpoints(client, paymasters, setting="PAYMASTER_URL", clock=clock)
        self._context: Context = dict(context or {})
        self._gas_tokens = tuple(gas_tokens)
        self._counted = counted
        self.bundler = Bundler(counted(self._bundlers.transport), nodes)
        self.networks = SmartAccountNetworks(nodes)
        self.operations = UserOperations(self.bundler, self.networks, clock=clock)
        self.outcomes = OperationOutcomes(self.bundler, nodes)
        self.host_paymasters = HostPaymasters(allow_loopback=loopback_paymasters)

    @property
    def bundler_networks(self) -> frozenset[str]:
        """Networks that have a bundler, as CAIP-2 ids."""
        return self._bundlers.networks

    @property
    def paymaster_networks(self) -> frozenset[str]:
        """Networks that have a paymaster of the deployment, as CAIP-2 ids."""
        return self._paymasters.networks

    def gas_tokens(self, chain: ChainId) -> tuple[str, ...]:
        """Contracts of a network that its accounts may be able to pay fees in, in the operator's order."""
        if str(chain) not in self.bundler_networks & self.paymaster_networks:
            return ()
        return tuple(one.address for one in self._gas_tokens if one.chain == chain)

    async def accepted(self, chain: ChainId, tokens: Sequence[str]) -> tuple[str, ...]:
        """Asks the deployment's paymaster which tokens it takes now.

        Raises:
            NotConfiguredError: the network has no paymaster.
            OperationError: it refuses to say.
            TransportError: it cannot be asked, or answers with what cannot be understood.
        """
        quotes = await self._paymaster(chain).token_quotes(tokens, delegator.ENTRY_POINT)
        return tuple(token for token in tokens if token in quotes)

    def sponsor(self, chain: ChainId, authorize: Authorize) -> Payer:
        """Returns the deployment as the one who pays.

        Args:
            chain: the network.
            authorize: decides, and puts on record what is promised.

        Raises:
            NotConfiguredError: the network has no paymaster.
        """
        return Payer(self._paymaster(chain), self._context, authorize=authorize)

    def token_payer(self, chain: ChainId, token: str) -> Payer:
        """Returns the paymaster that takes a token of the account for the fee. Raises as `sponsor`."""
        return Payer(self._paymaster(chain), {**self._context, "token": token}, token=token)

    def host_payer(self, chain: ChainId, url: str, context: Context) -> Payer:
        """Returns the paymaster that a host page has named (`paymasterService`).

        Raises:
            PaymasterRefusedError: its URL is none that is asked.
        """
        way = self.host_paymasters.transport(url)
        return Payer(Paymaster(self._counted(lambda _chain: way)(chain), chain), context)

    async def close(self) -> None:
        """Closes the connections to paymasters of host pages."""
        await self.host_paymasters.close()

    def _paymaster(self, chain: ChainId) -> Paymaster:
        return Paymaster(self._counted(self._paymasters.transport)(chain), chain)
