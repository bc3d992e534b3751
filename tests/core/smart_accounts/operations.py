"""User operations and authorizations of any kind, for property tests."""

from typing import Final

from eth_utils.address import to_checksum_address
from hypothesis import strategies as st

from walletmodal.core.smart_accounts.authorization import Authorization, SignedAuthorization
from walletmodal.core.smart_accounts.user_operation import DELEGATED, UserOperation

_ORDER: Final = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141

addresses: Final = st.binary(min_size=20, max_size=20).map(to_checksum_address)
words: Final = st.integers(0, 2**256 - 1)
halves: Final = st.integers(0, 2**128 - 1)
contents: Final = st.binary(max_size=100)

authorizations: Final = st.builds(
    SignedAuthorization,
    st.builds(Authorization, words, addresses, st.integers(0, 2**64 - 2)),
    st.integers(0, 1),
    st.integers(1, _ORDER - 1),
    st.integers(1, _ORDER // 2),
)


@st.composite
def operations(draw: st.DrawFn, *, delegated: bool = True) -> UserOperation:
    """A user operation; `delegated`: also of the kind that entry point 0.8 alone knows."""
    factory = draw(st.one_of(st.just(""), addresses, *([st.just(DELEGATED)] if delegated else [])))
    paymaster = draw(st.one_of(st.just(""), addresses))
    return UserOperation(
        sender=draw(addresses),
        nonce=draw(words),
        call_data=draw(contents),
        factory=factory,
        factory_data=draw(contents) if factory else b"",
        call_gas_limit=draw(halves),
        verification_gas_limit=draw(halves),
        pre_verification_gas=draw(words),
        max_fee_per_gas=draw(halves),
        max_priority_fee_per_gas=draw(halves),
        paymaster=paymaster,
        paymaster_verification_gas_limit=draw(halves) if paymaster else 0,
        paymaster_post_op_gas_limit=draw(halves) if paymaster else 0,
        paymaster_data=draw(contents) if paymaster else b"",
        signature=draw(contents),
        authorization=draw(st.none() | authorizations),
    )
