"""What a host may set and change."""

import pytest

from walletmodal.core.chains.caip import Namespace, parse_chain_id
from walletmodal.core.errors import NetworkError
from walletmodal.core.errors.rules import HostOptionError
from walletmodal.core.protocol.host_rules import check_network_addition, check_network_removal, check_sign_in_options

ETHEREUM, POLYGON, SOLANA = map(parse_chain_id, ("eip155:1", "eip155:137", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"))

BOTH: tuple[Namespace, ...] = ("eip155", "solana")


@pytest.mark.parametrize(("siwe_config", "siwx"), [(False, False), (True, False), (False, True)])
def test_one_sign_in_option_may_be_set(*, siwe_config: bool, siwx: bool) -> None:
    check_sign_in_options(siwe_config=siwe_config, siwx=siwx)


def test_two_sign_in_options_are_refused() -> None:
    with pytest.raises(HostOptionError) as caught:
        check_sign_in_options(siwe_config=True, siwx=True)
    assert caught.value.short_message == "Cannot set both `siweConfig` and `siwx` options"


def test_a_network_is_added_where_an_adapter_serves_it() -> None:
    check_network_addition("solana", BOTH)


def test_a_network_without_an_adapter_is_refused() -> None:
    with pytest.raises(HostOptionError) as caught:
        check_network_addition("bip122", BOTH)
    assert caught.value.short_message == "Adapter for namespace bip122 doesn't exist"


def test_a_network_is_removed_when_another_one_stays() -> None:
    check_network_removal(ETHEREUM, [ETHEREUM, POLYGON, SOLANA], BOTH)


def test_the_last_network_of_a_namespace_stays() -> None:
    with pytest.raises(HostOptionError) as caught:
        check_network_removal(SOLANA, [ETHEREUM, POLYGON, SOLANA], BOTH)
    assert caught.value.short_message == "Cannot remove last network for a namespace"


def test_a_network_that_is_not_offered_is_named() -> None:
    with pytest.raises(NetworkError) as caught:
        check_network_removal(POLYGON, [ETHEREUM, SOLANA], BOTH)
    assert caught.value.short_message == "Network with ID eip155:137 not found"
