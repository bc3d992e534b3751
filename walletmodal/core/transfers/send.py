"""Transfer that a visitor is about to send, and its rules."""

from dataclasses import dataclass
from decimal import Decimal

from walletmodal.core.accounts.tokens import TokenBalance
from walletmodal.core.chains.addresses import is_address, is_native_token, normal_address
from walletmodal.core.chains.caip import ChainId, parse_account_id
from walletmodal.core.errors import AddressError, CaipError
from walletmodal.core.errors.flow import UnsupportedChainError
from walletmodal.core.errors.rules import SendError
from walletmodal.core.namespaces.registry import has_feature
from walletmodal.core.protocol.options import AccountType
from walletmodal.core.text.texts import AMOUNT_AND_RECEIVER_NEEDED


@dataclass(frozen=True, slots=True)
class Transfer:
    """A transfer that may be handed to a wallet.

    Attributes:
        base_units: how much, more than zero.
        receiver: a valid address of the chain's namespace in its normal spelling.
    """

    chain: ChainId
    token: TokenBalance
    base_units: int
    receiver: str

    @property
    def contract(self) -> str | None:
        """The address of the token in its normal spelling, or None for the native coin.

        Raises:
            AddressError: it is none, or the token is of another network.
        """
        if self.token.address is None:
            return None
        try:
            account = parse_account_id(self.token.address)
        except CaipError as error:
            raise AddressError("Invalid address", details="the token's") from error
        if account.chain != self.chain:
            raise AddressError("Invalid address", details="the token is of another network")
        if is_native_token(account.namespace, account.address):
            return None
        return normal_address(account.namespace, account.address)


def check_send(chain: ChainId, token: TokenBalance, base_units: int, receiver: str) -> Transfer:
    """The transfer of what was entered.

    Args:
        chain: the network.
        token: what is sent.
        base_units: how much; 0 for what cannot be read.
        receiver: an address, or "".

    Raises:
        UnsupportedChainError: `Unsupported chain`: transfers are not made on its namespace.
        SendError: `Please enter a valid amount and receiver address`.
    """
    if not has_feature(chain.namespace, "send"):
        raise UnsupportedChainError(str(chain))
    if base_units <= 0:
        raise SendError(AMOUNT_AND_RECEIVER_NEEDED, details="the amount is missing")
    if not is_address(chain.namespace, receiver):
        raise SendError(AMOUNT_AND_RECEIVER_NEEDED, details="the receiver is no address of the network")
    return Transfer(chain, token, base_units, normal_address(chain.namespace, receiver))


def gas_is_insufficient(network_balance_usd: Decimal, gas_price_usd: Decimal | None) -> bool:
    """Whether the native coin cannot pay for gas: there is none, or gas costs more. An unknown price is zero."""
    return network_balance_usd == 0 or (gas_price_usd or Decimal(0)) > network_balance_usd


def lacks_gas(account_type: AccountType, network_balance_usd: Decimal | None, gas_price_usd: Decimal | None) -> bool:
    """As `gas_is_insufficient` for an account: never for a smart account, always while the native balance is unknown."""
    if account_type == "smartAccount":
        return False
    return network_balance_usd is None or gas_is_insufficient(network_balance_usd, gas_price_usd)
