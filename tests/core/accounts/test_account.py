"""Accounts of a visitor."""

import pytest

from tests.core.json_values import replaced, without
from tests.core.samples import SAMPLES
from walletmodal.core.accounts.account import default_account_type, paired_account_type, parse_user
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.errors import ShapeError
from walletmodal.core.protocol.options import AccountType

USER = SAMPLES["user"]
SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
DEFAULTS: list[tuple[Namespace, AccountType]] = [
    ("eip155", "smartAccount"),
    ("solana", "eoa"),
    ("polkadot", "eoa"),
    ("bip122", "payment"),
]


def test_a_user_has_every_field_of_the_frame() -> None:
    user = parse_user(USER)
    assert (user.email, user.user_name, user.smart_account_deployed, user.preferred_account_type) == (
        "kim@example.org",
        "kim",
        True,
        "smartAccount",
    )
    assert (str(user.account_id), [account.type for account in user.accounts]) == (
        "eip155:1:0x" + "7" * 40,
        ["eoa", "smartAccount"],
    )


@pytest.mark.parametrize(("chain", "read"), [(137, "eip155:137"), ("137", "eip155:137"), ("eip155:10", "eip155:10")])
def test_a_chain_is_a_number_or_a_caip_2_id(chain: object, read: str) -> None:
    assert parse_user(replaced(USER, chain, "chainId")).chain_id == read


def test_a_user_of_solana_has_an_address_of_solana() -> None:
    user = {"address": "So11111111111111111111111111111111111111112", "chainId": SOLANA}
    assert str(parse_user(user).account_id) == f"{SOLANA}:So11111111111111111111111111111111111111112"


@pytest.mark.parametrize("field", ["email", "accounts", "userName"])
def test_what_may_be_null_may_be_missing(field: str) -> None:
    assert parse_user(without(USER, field)) == parse_user(replaced(USER, None, field))


@pytest.mark.parametrize(
    ("value", "path"),
    [("not an email", ("email",)), ("0x77", ("address",)), (True, ("chainId",)), ("cosmos:hub", ("chainId",)), (SOLANA, ("chainId",)),
     ("0x1", ("accounts", 1, "address")), ("payment", ("accounts", 0, "type")), ("yes", ("smartAccountDeployed",)), ("EOA", ("preferredAccountType",))],
)  # fmt: skip
def test_a_wrong_field_is_refused(value: object, path: tuple[str | int, ...]) -> None:
    with pytest.raises(ShapeError):
        parse_user(replaced(USER, value, *path))


@pytest.mark.parametrize(("namespace", "account_type"), DEFAULTS)
def test_a_namespace_has_its_default_type(namespace: Namespace, account_type: AccountType) -> None:
    assert default_account_type(namespace) == account_type


def test_a_host_may_prefer_another_type() -> None:
    assert default_account_type("eip155", {"eip155": "eoa"}) == "eoa"


@pytest.mark.parametrize(("namespace", "account_type"), [("eip155", "eoa"), ("solana", "eoa"), ("bip122", "payment")])
def test_an_account_of_another_wallet_is_no_smart_account(namespace: Namespace, account_type: AccountType) -> None:
    assert paired_account_type(namespace) == account_type
