"""Accounts of a visitor, per namespace."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field

from walletmodal.core.accounts.tokens import TokenBalance
from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.chains.caip import AccountId, Namespace, parse_chain_id
from walletmodal.core.errors import CaipError, ShapeError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.namespaces.registry import DESCRIPTORS
from walletmodal.core.parsing.schema import check, email
from walletmodal.core.parsing.shapes import Name, Shape, Truth, read_shape
from walletmodal.core.protocol.commands import ConnectionStatus
from walletmodal.core.protocol.options import AccountType, Social

AccountTab = Literal["Tokens", "NFTs", "Activity"]
AccountKind = Literal["eoa", "smartAccount", "payment", "ordinal"]
"""What an address is: an account type, where a Bitcoin wallet has a second address for collectibles."""
ACCOUNT_TABS: Final[tuple[AccountTab, ...]] = ("Tokens", "NFTs", "Activity")


@dataclass(frozen=True, slots=True)
class Account:
    """One address of a visitor and its type."""

    namespace: Namespace
    address: str
    type: AccountType


@dataclass(frozen=True, slots=True)
class WalletInfo:
    """The wallet behind a connection: `type` is the connector's; `identifier` is an embedded wallet's email or user name."""

    name: str
    type: str
    icon: str = ""
    rdns: str = ""
    identifier: str = ""
    social: Social | None = None


def _email_or_none(value: object) -> str | None:
    if value is None:
        return None
    try:
        return check(email, value)
    except PayloadError as error:
        raise ValueError(error.short_message) from error


def _chain(value: object) -> str:
    """A CAIP-2 id, or a bare EVM chain id as number or text."""
    text = f"eip155:{value}" if type(value) is int or (isinstance(value, str) and value.isdecimal()) else value
    try:
        return str(parse_chain_id(text if isinstance(text, str) else ""))
    except CaipError as error:
        raise ValueError("must be a chain id") from error


class UserAccount(Shape):
    """One of the addresses of an embedded wallet."""

    address: Annotated[str, Field(max_length=128)]
    type: Literal["eoa", "smartAccount"]


class User(Shape):
    """The owner of an embedded wallet, as its frame describes them.

    Attributes:
        address: of the account in use, in its normal spelling.
        chain_id: CAIP-2 id.
        accounts: both of a smart account's addresses, where the wallet has them.
        preferred_account_type: None where the frame does not say.
    """

    email: Annotated[str | None, BeforeValidator(_email_or_none)] = None
    address: Annotated[str, Field(max_length=128)]
    chain_id: Annotated[str, BeforeValidator(_chain)]
    accounts: Annotated[
        tuple[UserAccount, ...], BeforeValidator(lambda value: () if value is None else value), Field(max_length=16)
    ] = ()
    user_name: Name | None = None
    smart_account_deployed: Truth = False
    preferred_account_type: Literal["eoa", "smartAccount"] | None = None

    @property
    def account_id(self) -> AccountId:
        """The account in use as CAIP-10."""
        return AccountId(parse_chain_id(self.chain_id), self.address)


def parse_user(raw: object) -> User:
    """Parses the frame's answers to GET_USER and CONNECT_SOCIAL, every address checked for the namespace of its chain.

    Raises:
        ShapeError: names the first field that is wrong.
    """
    user = read_shape(User, raw)
    namespace = parse_chain_id(user.chain_id).namespace
    if not all(is_address(namespace, address) for address in (user.address, *(a.address for a in user.accounts))):
        raise ShapeError(f"User.address: must be an address of {namespace}")
    spelled = tuple(
        account.model_copy(update={"address": normal_address(namespace, account.address)}) for account in user.accounts
    )
    return user.model_copy(update={"address": normal_address(namespace, user.address), "accounts": spelled})


@dataclass(frozen=True, slots=True)
class AccountView:
    """What is known of a visitor's account on one namespace.

    Attributes:
        account_id: CAIP-10 id of the active address, or None.
        balance: of the native coin as it is shown, with `balance_symbol`; "" while unknown.
        profile_name, profile_image: of the identity; "" for none.
        user: of an embedded wallet.
        tokens: balances, those with zero decimals left out.
        smart_account_deployed: whether the smart account has its contract.
        tab: of the Account view.
        preferred_type: the type that is used, by default the namespace's.
        social: the social login, if one was used.
        accounts: every address of the connection.
        wallet: the connected wallet.
        explorer_url: the explorer's page of the address, or "".
        farcaster_url: what a Farcaster login is scanned from, or "".
    """

    namespace: Namespace
    account_id: AccountId | None = None
    status: ConnectionStatus = "disconnected"
    balance: str = ""
    balance_symbol: str = ""
    profile_name: str = ""
    profile_image: str = ""
    user: User | None = None
    tokens: tuple[TokenBalance, ...] = ()
    smart_account_deployed: bool = False
    tab: AccountTab = "Tokens"
    preferred_type: AccountType | None = None
    social: Social | None = None
    accounts: tuple[Account, ...] = ()
    wallet: WalletInfo | None = None
    explorer_url: str = ""
    farcaster_url: str = ""

    @property
    def address(self) -> str:
        """The plain active address, or ""."""
        return self.account_id.address if self.account_id else ""

    @property
    def account_type(self) -> AccountType:
        """The type that is preferred, or the default of the namespace."""
        return self.preferred_type or default_account_type(self.namespace)


def default_account_type(
    namespace: Namespace, configured: Mapping[Namespace, AccountType] | None = None
) -> AccountType:
    """Returns a namespace's account type: the host's, else smartAccount on eip155, eoa on solana and polkadot, payment on bip122."""
    return (configured or {}).get(namespace) or DESCRIPTORS[namespace].default_account_type


def paired_account_type(namespace: Namespace) -> AccountType:
    """Returns the type of an account that came through pairing or a browser wallet: payment on bip122, else eoa."""
    return DESCRIPTORS[namespace].paired_account_type
