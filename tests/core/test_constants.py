"""The constants, and the same ones where the options of a host have them as defaults."""

import pytest

from tests.cases import every_case
from walletmodal.core import constants
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.namespaces.descriptor import NamespaceFeature
from walletmodal.core.namespaces.registry import DESCRIPTORS, with_feature
from walletmodal.core.protocol.options import AccountTypes, Features

TABLE = {
    "BALANCE_RETRY_GAP": 30,
    "EMAIL_LOGIN_COOLDOWN": 30,
    "PORTFOLIO_TTL": 30,
    "NATIVE_BALANCE_TTL": 30,
    "ENS_TTL": 300,
    "IDENTITY_TTL": 300,
    "SEARCH_MINIMUM_MILLISECONDS": 300,
    "PENDING_TRANSACTIONS_LIMIT": 99,
    "RECOMMENDED_ENTRIES": 4,
    "LIST_ENTRIES": 40,
    "SEARCH_ENTRIES": 100,
    "RECENT_WALLETS": 2,
    "SWAP_SLIPPAGE_PERCENT": 1,
    "SHOWN_BALANCE_DECIMALS": 3,
    "SHOWN_NUMBER_DECIMALS": 2,
    "SHOWN_QUANTITY_DECIMALS": 3,
    "ADDRESS_START": 4,
    "ADDRESS_END": 6,
    "FRAME_Z_INDEX": 999_999,
    "FRAME_TIMEOUT_MILLISECONDS": 30_000,
    "RPC_RETRIES": 3,
    "RPC_RETRY_DELAY_MILLISECONDS": 150,
    "RETRYABLE_STATUSES": {403, 408, 413, 429, 500, 502, 503, 504},
    "RETRYABLE_CODES": {-1, -32005, -32603},
    "HTTP_TIMEOUT": 10,
    "BATCH_SIZE": 1000,
    "CACHE_SIZE": 8192,
    "RANK_INTERVAL": 4,
    "RANK_SAMPLES": 10,
    "RANK_STABILITY_WEIGHT": 0.7,
    "RANK_LATENCY_WEIGHT": 0.3,
}


@every_case(("name", "value"), TABLE.items())
def test_a_constant_is_the_specifications(name: str, value: object) -> None:
    assert getattr(constants, name) == value


def test_the_swap_networks_are_the_twelve() -> None:
    ids = (1, 42161, 10, 324, 8453, 56, 137, 100, 43114, 250, 8217, 1313161554)
    assert tuple(f"eip155:{chain}" for chain in ids) == constants.SWAP_NETWORKS


def test_the_swap_networks_are_flagged_in_the_bundled_table() -> None:
    flagged = {chain for chain, network in bundled_networks().items() if network.swap}
    assert flagged == set(constants.SWAP_NETWORKS) & bundled_networks().keys()


def test_the_pay_chains_are_the_eight() -> None:
    assert " ".join(constants.COINBASE_PAY_CHAINS) == (
        "ethereum arbitrum polygon berachain avalanche-c-chain optimism celo base"
    )


def test_the_default_features_are_those_of_the_options() -> None:
    defaults = Features().model_dump(by_alias=True)
    assert {name: value for name, value in defaults.items() if isinstance(value, bool)} == constants.DEFAULT_FEATURES


def test_the_features_that_are_off_are_three() -> None:
    off = {name for name, on in constants.DEFAULT_FEATURES.items() if not on}
    assert off == {"legalCheckbox", "smartSessions", "collapseWallets"}


def test_the_orders_are_those_of_the_options() -> None:
    features = Features()
    assert (
        features.connector_type_order,
        features.wallet_features_order,
        features.socials,
    ) == (constants.CONNECTOR_TYPE_ORDER, constants.WALLET_FEATURES_ORDER, constants.SOCIAL_PROVIDERS)


def test_the_account_types_are_those_of_the_options() -> None:
    assert AccountTypes().model_dump() == {name: one.default_account_type for name, one in DESCRIPTORS.items()}


def test_the_frame_serves_all_social_logins_but_farcaster() -> None:
    assert set(constants.SOCIAL_PROVIDERS) - set(constants.FRAME_SOCIAL_PROVIDERS) == {"farcaster"}


def test_the_native_address_of_solana_is_not_wrapped_sol() -> None:
    assert DESCRIPTORS["solana"].native_address == "So1" + "1" * 40


@pytest.mark.parametrize("feature", ["onramp", "balance", "activity", "send"])
def test_on_evm_and_solana_accounts_more_can_be_done_than_elsewhere(feature: NamespaceFeature) -> None:
    assert with_feature(feature) == ("eip155", "solana")


def test_names_are_of_evm_accounts_alone() -> None:
    assert with_feature("names") == ("eip155",)
