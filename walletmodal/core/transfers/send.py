"""What a visitor is about to send, and the rules that it must keep."""

from dataclasses import dataclass
from decimal import Decimal

from walletmodal.core.accounts.tokens import TokenBalance
from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.chains.caip import ChainId, Namespace
from walletmodal.core.errors import AmountError
from walletmodal.core.errors.flow import UnsupportedChainError
from walletmodal.core.errors.rules import SendError
from walletmodal.core.namespaces.registry import has
from walletmodal.core.protocol.options import AccountType
from walletmodal.core.text.amounts import parse_units
from walletmodal.core.text.texts import AMOUNT_AND_RECEIVER_NEEDED


@dataclass(frozen=True, slots=True)
class SendDraft:
    """The state of the Send views.

    Attributes:
        token: what is sent, or None before it is chosen.
        amount: as typed: decimal text, or "".
        receiver: address, or "".
        receiver_name, receiver_image: of the profile that was typed instead of an address; "" for none.
        gas_price: in wei (lamports on Solana), or None while unknown.
        gas_price_usd: what the transfer costs in US dollars, or None while unknown.
        network_balance_usd: worth of the native coin in US dollars, or None while unknown.
    """

    token: TokenBalance | None = None
    amount: str = ""
    receiver: str = ""
    receiver_name: str = ""
    receiver_image: str = ""
    gas_price: int | None = None
    gas_price_usd: Decimal | None = None
    network_balance_usd: Decimal | None = None

    def after_sending(self) -> "SendDraft":
        """The draft that is left when a transfer was made: empty, but for what is known of gas and the native coin."""
        return SendDraft(
            gas_price=self.gas_price,
            gas_price_usd=self.gas_price_usd,
            network_balance_usd=self.network_balance_usd,
        )


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


def check_send(draft: SendDraft, chain: ChainId) -> Transfer:
    """The transfer of a draft.

    Raises:
        UnsupportedChainError: `Unsupported chain`: transfers are not made on its namespace.
        SendError: `Please enter a valid amount and receiver address`.
    """
    if not has(chain.namespace, "send"):
        raise UnsupportedChainError(str(chain))
    if draft.token is None or not draft.amount or not draft.receiver:
        raise SendError(AMOUNT_AND_RECEIVER_NEEDED, details="token, amount or receiver is missing")
    if not is_address(chain.namespace, draft.receiver):
        raise SendError(AMOUNT_AND_RECEIVER_NEEDED, details="the receiver is no address of the network")
    try:
        base_units = parse_units(draft.amount, draft.token.quantity.decimals)
    except AmountError as error:
        raise SendError(AMOUNT_AND_RECEIVER_NEEDED, details=error.short_message) from error
    if base_units == 0:
        raise SendError(AMOUNT_AND_RECEIVER_NEEDED, details="the amount is zero")
    return Transfer(chain, draft.token, base_units, normal_address(chain.namespace, draft.receiver))


def can_send_on(namespace: Namespace) -> bool:
    """Whether transfers are made on a namespace."""
    return has(namespace, "send")


def gas_is_insufficient(network_balance_usd: Decimal, gas_price_usd: Decimal | None) -> bool:
    """Whether the native coin cannot pay for gas: there is none, or gas costs more. An unknown price is zero."""
    return network_balance_usd == 0 or (gas_price_usd or Decimal(0)) > network_balance_usd


def lacks_gas(account_type: AccountType, network_balance_usd: Decimal | None, gas_price_usd: Decimal | None) -> bool:
    """As `gas_is_insufficient` for an account: never for a smart account, always while the native balance is unknown."""
    if account_type == "smartAccount":
        return False
    return network_balance_usd is None or gas_is_insufficient(network_balance_usd, gas_price_usd)
