"""Calls of accounts: what is encoded for each kind of account is read again as the same calls."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.smart_accounts.operations import addresses, contents, words
from walletmodal.core.decoding.decoded_call import decode_call
from walletmodal.core.decoding.delegate_calls import runs_foreign_code
from walletmodal.core.decoding.inner_calls import MAX_INNER, calls_within
from walletmodal.core.requests.typed_request import Call
from walletmodal.core.smart_accounts import delegator, safe
from walletmodal.core.smart_accounts.call_encoding import AccountCall

ACCOUNT = "0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B"
KINDS = [delegator.execute_call_data, safe.operation_call_data]
Encode = Callable[[Sequence[AccountCall]], bytes]

# Call data that calls others by itself is opened further, and what calls the zero address is not opened at all: both are told apart elsewhere.
called = addresses.filter(lambda address: int(address, 16) > 0)
account_calls = st.lists(st.builds(AccountCall, called, words, contents), min_size=1, max_size=10)


def flat(data: bytes) -> list[AccountCall]:
    found = calls_within(ACCOUNT, data)
    if len(found) == 1 and found[0].inner:
        found = found[0].inner
    return [AccountCall(one.to, one.value, one.data) for one in found]


@pytest.mark.parametrize("encode", KINDS)
@given(calls=account_calls)
def test_calls_are_read_as_they_are_encoded(encode: Encode, calls: list[AccountCall]) -> None:
    assert flat(encode(calls)) == calls


@pytest.mark.parametrize("encode", KINDS)
@pytest.mark.parametrize("count", [1, 2, MAX_INNER - 1])
def test_no_call_of_ours_runs_foreign_code(encode: Encode, count: int) -> None:
    data = encode([AccountCall(ACCOUNT, 1, b"\1\2\3\4")] * count)
    assert not runs_foreign_code(Call(ACCOUNT, 0, data, decode_call(data), calls_within(ACCOUNT, data)))


@pytest.mark.parametrize("encode", KINDS)
def test_no_calls_are_refused(encode: Encode) -> None:
    with pytest.raises(ValueError, match="no calls"):
        encode([])
