"""Who signed on EVM networks: keys, contract accounts, accounts that are not there yet; against real contracts and hostile ones."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from hypothesis import given
from hypothesis import strategies as st

from tests.eip712_example import COW, MAIL
from tests.services import node as nodes
from tests.services.contract_accounts import (
    KEY,
    OWNER,
    SUFFIX,
    ZERO,
    coming_safe,
    on_node,
    signed_for_safe,
    wrap,
)
from tests.services.node import Node
from tests.services.real_chains import ethereum
from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.errors import AddressError, RpcRequestError, ShapeError, TransportError
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.evm.world import worlds
from walletmodal.services.chains.eip155 import Eip155Adapter
from walletmodal.services.chains.eip155.answers import is_halt
from walletmodal.services.chains.eip155.signatures import personal_digest, signer
from walletmodal.services.chains.secp256k1 import ORDER
from walletmodal.services.rpc import HttpRpcTransport, RpcEndpoints, RpcTransport
from walletmodal.services.rpc.web3_library import AsyncWeb3

__all__ = ["ethereum"]

MAINNET = parse_chain_id("eip155:1")
OTHER_KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"
OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
TEXT = "app.example.com wants you to sign in with your Ethereum account: ✓"
MAIL_SIGNATURE = (
    "0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d"
    "07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c"
)
ECHO_CODE = "0x366000600037366000f3"
SPIN_CODE = "0x5b600056"
INVALID_CODE = "0xfe"
REVERT_MAGIC_CODE = "0x7f1626ba7e" + "00" * 28 + "60005260206000fd"
SHORT_MAGIC_CODE = "0x7f1626ba7e" + "00" * 28 + "60005260046000f3"
ALWAYS_CODE = "0x7f1626ba7e" + "00" * 28 + "60005260206000f3"


def never(_chain: ChainId) -> RpcTransport:
    raise AssertionError("no node is to be asked for a key's signature")


@pytest.fixture
def adapter(client: httpx.AsyncClient, ethereum: AnvilNode) -> Eip155Adapter:
    return Eip155Adapter(RpcEndpoints(client, overrides={str(MAINNET): ethereum.url}).transport)


def signed(text: str = TEXT, key: str = KEY) -> bytes:
    return bytes(Account.sign_message(encode_defunct(text=text), key).signature)


def hexed(raw: bytes) -> str:
    return "0x" + raw.hex()


async def by_key(signature: str, text: str | bytes = TEXT, address: str = OWNER) -> bool:
    return await Eip155Adapter(never).verify_message(MAINNET, address, text, signature)


async def test_a_keys_signature_is_verified_without_a_node() -> None:
    assert await by_key(hexed(signed()))


async def test_the_address_may_be_in_any_valid_spelling() -> None:
    assert await by_key(hexed(signed()), address=OWNER.lower())


async def test_the_bytes_of_a_message_are_as_good_as_its_text() -> None:
    assert await by_key(hexed(signed()), text=TEXT.encode())


async def test_the_last_byte_may_count_from_zero() -> None:
    raw = signed()
    assert await by_key(hexed(raw[:64] + bytes([raw[64] - 27])))


async def test_what_eip_712_itself_gives_is_verified() -> None:
    assert await Eip155Adapter(never).verify_typed_data(MAINNET, COW, MAIL, MAIL_SIGNATURE)


async def test_typed_data_is_signed_by_nobody_else(adapter: Eip155Adapter) -> None:
    assert not await adapter.verify_typed_data(MAINNET, OWNER, MAIL, MAIL_SIGNATURE)
    changed = {**MAIL, "message": {**MAIL["message"], "contents": "Hello, Eve!"}}
    assert not await adapter.verify_typed_data(MAINNET, COW, changed, MAIL_SIGNATURE)


async def test_a_signature_of_typed_data_made_by_the_library_is_verified() -> None:
    made = Account.sign_message(encode_typed_data(full_message=MAIL), KEY).signature
    assert await Eip155Adapter(never).verify_typed_data(MAINNET, OWNER, MAIL, hexed(bytes(made)))


@pytest.mark.parametrize(
    "typed_data",
    [
        {},
        {"types": 5},
        {**MAIL, "primaryType": "Nobody"},
        {**MAIL, "message": {"from": 1}},
        {**MAIL, "types": {**MAIL["types"], "Mail": [{"name": "x", "type": "uint8"}]}},
    ],
)
async def test_what_is_no_typed_data_is_said_to_be_none(typed_data: dict[str, Any]) -> None:
    with pytest.raises(ShapeError):
        await Eip155Adapter(never).verify_typed_data(MAINNET, OWNER, typed_data, MAIL_SIGNATURE)


def upper_half(raw: bytes) -> bytes:
    """The same signature in its other form."""
    s = ORDER - int.from_bytes(raw[32:64], "big")
    return raw[:32] + s.to_bytes(32, "big") + bytes([55 - raw[64]])


def test_the_two_forms_of_a_signature_recover_the_same_key() -> None:
    other = upper_half(signed())
    assert Account.recover_message(encode_defunct(text=TEXT), signature=other) == OWNER


@pytest.mark.parametrize(
    "change",
    [
        upper_half,
        lambda raw: raw[:64],
        lambda raw: raw + b"\0",
        lambda raw: raw[:64] + b"\x1d",
        lambda raw: raw[:64] + b"\x02",
        lambda raw: raw[:64] + b"\x25",
        lambda raw: raw[:64] + b"\xff",
        lambda raw: bytes(32) + raw[32:],
        lambda raw: raw[:32] + bytes(32) + raw[64:],
        lambda raw: ORDER.to_bytes(32, "big") + raw[32:],
        lambda raw: bytes(len(raw)),
        lambda raw: b"\xff" * len(raw),
        lambda raw: bytes([raw[0] ^ 1]) + raw[1:],
    ],
)
def test_any_other_form_is_no_signature_of_the_account(change: Callable[[bytes], bytes]) -> None:
    assert signer(personal_digest(TEXT), change(signed())) != OWNER


@pytest.mark.parametrize(
    "text", ["", "0x", "0x1", "zz", "0xzz", "x" * 100_000, "0x" + "00" * 20_000, " 0x00", "0x00\n"]
)
async def test_what_is_no_hexadecimal_is_no_signature(text: str) -> None:
    assert not await by_key(text)


@given(raw=st.binary(min_size=65, max_size=65))
def test_no_random_signature_is_the_accounts(raw: bytes) -> None:
    assert signer(personal_digest(TEXT), raw) != OWNER


@given(text=st.text(max_size=200), seed=st.integers(min_value=1, max_value=ORDER - 1))
def test_whoever_signs_is_recovered(text: str, seed: int) -> None:
    account = Account.from_key(seed.to_bytes(32, "big"))
    made = account.sign_message(encode_defunct(text=text)).signature
    assert signer(personal_digest(text), bytes(made)) == account.address


async def test_another_account_did_not_sign(adapter: Eip155Adapter) -> None:
    assert not await adapter.verify_message(MAINNET, OTHER, TEXT, hexed(signed()))


async def test_another_message_was_not_signed(adapter: Eip155Adapter) -> None:
    assert not await adapter.verify_message(MAINNET, OWNER, TEXT + " ", hexed(signed()))


async def test_what_is_no_address_is_told_apart_from_a_wrong_signature() -> None:
    with pytest.raises(AddressError):
        await by_key(hexed(signed()), address="0x1234")


async def test_when_the_node_is_away_nothing_is_known(client: httpx.AsyncClient, node: Node) -> None:
    node.behaviour = nodes.send(nodes.http(b"", status="401 Unauthorized"))
    transport = HttpRpcTransport(client, node.url)
    adapter = Eip155Adapter(lambda _chain: transport)
    with pytest.raises(TransportError):
        await adapter.verify_message(MAINNET, OTHER, TEXT, hexed(signed()))


@pytest.mark.parametrize("result", [None, 5, "", "zz", "0x1", ["0x"], {"a": 1}])
async def test_a_nonsensical_answer_is_no_proof(client: httpx.AsyncClient, node: Node, result: object) -> None:
    node.behaviour = nodes.answer(result=result)
    transport = HttpRpcTransport(client, node.url)
    adapter = Eip155Adapter(lambda _chain: transport)
    with pytest.raises(TransportError):
        await adapter.verify_message(MAINNET, OTHER, TEXT, hexed(signed()))


@pytest.fixture(scope="module")
def safe() -> str:
    account = worlds()["eip155:1"].contract_account
    assert account is not None
    return account.address


async def test_a_contract_account_says_that_its_owner_signed(adapter: Eip155Adapter, safe: str) -> None:
    assert await adapter.verify_message(MAINNET, safe, TEXT, hexed(signed_for_safe(safe, TEXT)))


async def test_a_contract_account_refuses_everyone_else(adapter: Eip155Adapter, safe: str) -> None:
    assert not await adapter.verify_message(MAINNET, safe, TEXT, hexed(signed_for_safe(safe, TEXT, OTHER_KEY)))
    assert not await adapter.verify_message(MAINNET, safe, "else", hexed(signed_for_safe(safe, TEXT)))
    assert not await adapter.verify_message(MAINNET, safe, TEXT, hexed(signed()))


async def test_a_contract_that_says_yes_to_all_is_believed_for_itself(
    adapter: Eip155Adapter, ethereum: AnvilNode
) -> None:
    always = AsyncWeb3.to_checksum_address("0x" + "fd" * 20)
    await on_node(ethereum, "anvil_setCode", always, ALWAYS_CODE)
    assert await adapter.verify_message(MAINNET, always, TEXT, "0x00")
    assert await adapter.verify_message(MAINNET, always, TEXT, wrap(ZERO, b"", b""))


@pytest.mark.parametrize("code", [ECHO_CODE, REVERT_MAGIC_CODE, SHORT_MAGIC_CODE])
@pytest.mark.parametrize("wrapped", [False, True])
async def test_contracts_that_only_look_like_accounts_sign_nothing(
    adapter: Eip155Adapter, ethereum: AnvilNode, code: str, wrapped: bool
) -> None:
    fake = AsyncWeb3.to_checksum_address("0x" + "fa" * 20)
    await on_node(ethereum, "anvil_setCode", fake, code)
    signature = hexed(signed()) if not wrapped else wrap(ZERO, b"", signed())
    assert not await adapter.verify_message(MAINNET, fake, TEXT, signature)


@pytest.mark.parametrize("wrapped", [False, True])
async def test_the_precompile_that_gives_back_its_input_signs_nothing(adapter: Eip155Adapter, wrapped: bool) -> None:
    identity = "0x" + "0" * 39 + "4"
    signature = wrap(ZERO, b"", b"") if wrapped else "0x00"
    assert not await adapter.verify_message(MAINNET, identity, TEXT, signature)


@pytest.mark.parametrize("code", [SPIN_CODE, INVALID_CODE])
async def test_an_account_that_burns_all_gas_ends_in_no_proof(
    adapter: Eip155Adapter, ethereum: AnvilNode, code: str
) -> None:
    greedy = AsyncWeb3.to_checksum_address("0x" + "fb" * 20)
    await on_node(ethereum, "anvil_setCode", greedy, code)
    assert not await adapter.verify_message(MAINNET, greedy, TEXT, wrap(ZERO, b"", signed()))


async def test_an_account_that_is_not_there_yet_signs(adapter: Eip155Adapter, ethereum: AnvilNode) -> None:
    address, factory, call = coming_safe()
    assert await on_node(ethereum, "eth_getCode", address, "latest") == "0x"
    assert await adapter.verify_message(MAINNET, address, TEXT, wrap(factory, call, signed_for_safe(address, TEXT)))
    assert await on_node(ethereum, "eth_getCode", address, "latest") == "0x"


async def test_nobody_signs_for_an_account_that_is_not_there_yet(adapter: Eip155Adapter) -> None:
    address, factory, call = coming_safe()
    for signature in (
        wrap(factory, call, signed_for_safe(address, TEXT, OTHER_KEY)),
        wrap(factory, call, signed_for_safe(address, "else")),
        wrap(factory, b"", signed_for_safe(address, TEXT)),
        wrap(ZERO, call, signed_for_safe(address, TEXT)),
        hexed(signed_for_safe(address, TEXT)),
    ):
        assert not await adapter.verify_message(MAINNET, address, TEXT, signature)


async def test_a_wrapped_signature_is_good_once_the_account_is_there(adapter: Eip155Adapter, safe: str) -> None:
    _, factory, call = coming_safe()
    assert await adapter.verify_message(MAINNET, safe, TEXT, wrap(factory, call, signed_for_safe(safe, TEXT)))


async def test_a_factory_makes_nobody_elses_account_sign(adapter: Eip155Adapter, ethereum: AnvilNode) -> None:
    always = AsyncWeb3.to_checksum_address("0x" + "fc" * 20)
    await on_node(ethereum, "anvil_setCode", always, ALWAYS_CODE)
    for signature in (wrap(always, b"\x01", signed()), wrap(always, b"", b"")):
        assert not await adapter.verify_message(MAINNET, OTHER, TEXT, signature)


@given(raw=st.binary(max_size=400))
def test_any_bytes_before_the_suffix_are_only_a_wrong_signature(raw: bytes) -> None:
    class Nobody:
        async def request(self, _method: str, _params: object = ()) -> object:
            return "0x"

    adapter = Eip155Adapter(lambda _chain: Nobody())
    assert not asyncio.run(adapter.verify_message(MAINNET, OTHER, TEXT, hexed(raw) + SUFFIX))


@pytest.mark.parametrize(
    ("words", "halted"),
    [
        ("out of gas", True),
        ("EVM error OutOfGas", True),
        ("gas required exceeds allowance (12000000)", True),
        ("invalid opcode: INVALID", True),
        ("EVM error InvalidFEOpcode", True),
        ("invalid jump destination", True),
        ("stack underflow (0 <=> 1)", True),
        ("BadInstruction", True),
        ("header not found", False),
        ("rate limit exceeded", False),
        ("unauthorized", False),
    ],
)
def test_code_that_breaks_off_is_told_from_a_node_that_cannot_answer(words: str, halted: bool) -> None:
    assert is_halt(RpcRequestError(code=-32000, details=words, url="https://a.example")) is halted
