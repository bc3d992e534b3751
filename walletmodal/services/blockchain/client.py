"""All calls of the blockchain service, by what they are about."""

from walletmodal.core.constants import NAME_ZONE
from walletmodal.services.blockchain.accounts import AccountCalls
from walletmodal.services.blockchain.api import BlockchainApi
from walletmodal.services.blockchain.names import NameCalls
from walletmodal.services.blockchain.onramp import OnrampCalls
from walletmodal.services.blockchain.smart_sessions import SmartSessionCalls
from walletmodal.services.blockchain.swaps import SwapCalls
from walletmodal.services.http import HttpService
from walletmodal.services.lookups import Lookups


class BlockchainClient:
    """Asks the blockchain service.

    Args:
        http: the way to it.
        lookups: cache of the process.
        name_zone: where names are registered.

    Attributes:
        accounts: identity, history, balance.
        swaps: tokens, quotes, prices, allowance, gas price, transactions to sign.
        names: resolve, reverse, suggestions, registration.
        onramp: purchase page, options, quote.
        smart_sessions: granted permissions, and their revocation.
    """

    def __init__(self, http: HttpService, lookups: Lookups, *, name_zone: str = NAME_ZONE) -> None:
        api = BlockchainApi(http, lookups)
        self._api = api
        self.accounts = AccountCalls(api)
        self.swaps = SwapCalls(api)
        self.names = NameCalls(api, name_zone)
        self.onramp = OnrampCalls(api)
        self.smart_sessions = SmartSessionCalls(api)

    @property
    def configured(self) -> bool:
        """Whether there is a service."""
        return self._api.configured
