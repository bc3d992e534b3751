"""Messages of EIP-712 of which wallets sign the JSON, and we know the digest."""

from eth_account.messages import encode_typed_data
from eth_utils.crypto import keccak
from hypothesis import given
from hypothesis import strategies as st

from tests.core.smart_accounts.operations import addresses, operations
from walletmodal.core.smart_accounts import delegator, safe
from walletmodal.core.smart_accounts.typed_message import TypedMessage
from walletmodal.core.smart_accounts.user_operation import UserOperation


def signed_by_a_wallet(message: TypedMessage) -> bytes:
    found = encode_typed_data(full_message=message.to_json())
    return bytes(keccak(b"\x19" + found.version + found.header + found.body))


@given(operations(delegated=False), st.integers(1, 2**53 - 1))
def test_a_wallet_signs_the_digest_of_a_delegated_accounts_operation(operation: UserOperation, chain_id: int) -> None:
    message = delegator.operation_message(operation, chain_id)
    assert signed_by_a_wallet(message) == message.digest


@given(operations(delegated=False), st.integers(1, 2**53 - 1), st.integers(0, 2**48 - 1))
def test_a_wallet_signs_the_digest_of_a_safes_operation(operation: UserOperation, chain_id: int, until: int) -> None:
    message = safe.operation_message(operation, chain_id, safe.ValidityWindow(until=until))
    assert signed_by_a_wallet(message) == message.digest


@given(addresses, st.binary(min_size=32, max_size=32))
def test_a_wallet_signs_the_digest_of_a_safes_message(account: str, digest: bytes) -> None:
    message = safe.message_of_digest(account, 1, digest)
    assert signed_by_a_wallet(message) == message.digest
