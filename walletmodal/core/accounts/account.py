"""Accounts of a visitor, per namespace."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field

from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.chains.caip import AccountId, Namespace, parse_chain_id
from walletmodal.core.errors import CaipError, ShapeError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.namespaces.registry import DESCRIPTORS
from walletmodal.core.parsing.schema import check, email
from walletmodal.core.parsing.shapes import Name, Shape, Truth, read_shape
from walletmodal.core.protocol.options import AccountType

AccountTab = Literal["Tokens", "NFTs", "Activity"]
AccountKind = Literal["eoa", "smartAccount", "payment", "ordinal"]
"""What an address is: an account type, where a Bitcoin wallet has a second address for collectibles."""
ACCOUNT_TABS: Final[tuple[AccountTab, ...]] = ("Tokens", "NFTs", "Activity")
"""In their order; each has its panel in `features/account_views/body.py`."""


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


def default_account_type(
    namespace: Namespace, configured: Mapping[Namespace, AccountType] | None = None
) -> AccountType:
    """Returns a namespace's account type: the host's, else smartAccount on eip155, eoa on solana and polkadot, payment on bip122."""
    return (configured or {}).get(namespace) or DESCRIPTORS[namespace].default_account_type


def paired_account_type(namespace: Namespace) -> AccountType:
    """Returns the type of an account that came through pairing or a browser wallet: payment on bip122, else eoa."""
    return DESCRIPTORS[namespace].paired_account_type
