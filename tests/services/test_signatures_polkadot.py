"""Signatures of Polkadot accounts."""

from collections.abc import Callable
from hashlib import blake2b

import base58
import pytest
import sr25519
from eth_keys.datatypes import PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from solders.keypair import Keypair

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import AddressError
from walletmodal.services.chains.polkadot import PolkadotAdapter
from walletmodal.services.chains.polkadot.signatures import account_id, is_signed_by
from walletmodal.services.chains.secp256k1 import ORDER

POLKADOT = parse_chain_id("polkadot:91b171bb158e2d3848fa23a9f1c25182")
TEXT = "app.example.com wants you to sign in with your Polkadot account: ✓"
WRAPPED = b"<Bytes>" + TEXT.encode() + b"</Bytes>"
SR_KEYS = sr25519.pair_from_seed(b"\x03" * 32)
ED_KEY = Keypair.from_seed(b"\x04" * 32)
EC_KEY = PrivateKey(b"\x05" * 32)


def ss58(account: bytes, prefix: bytes = b"\x00") -> str:
    """The address of an account on a network."""
    body = prefix + account
    return base58.b58encode(body + blake2b(b"SS58PRE" + body, digest_size=64).digest()[:2]).decode()


def ecdsa(message: bytes, key: PrivateKey = EC_KEY) -> bytes:
    return key.sign_msg_hash(blake2b(message, digest_size=32).digest()).to_bytes()


def ecdsa_account(key: PrivateKey = EC_KEY) -> bytes:
    return blake2b(key.public_key.to_compressed_bytes(), digest_size=32).digest()


SR, ED, EC = ss58(SR_KEYS[0]), ss58(bytes(ED_KEY.pubkey())), ss58(ecdsa_account())
SIGNERS: dict[str, Callable[[bytes], bytes]] = {
    SR: lambda message: bytes(sr25519.sign(SR_KEYS, message)),
    ED: lambda message: bytes(ED_KEY.sign_message(message)),
    EC: ecdsa,
}
SCHEME_BYTES = {ED: b"\x00", SR: b"\x01", EC: b"\x02"}


async def verified(address: str, raw: bytes, text: str | bytes = TEXT) -> bool:
    return await PolkadotAdapter().verify_message(POLKADOT, address, text, "0x" + raw.hex())


@pytest.mark.parametrize("address", [SR, ED, EC], ids=["sr25519", "ed25519", "ecdsa"])
@pytest.mark.parametrize("message", [WRAPPED, TEXT.encode()], ids=["wrapped", "plain"])
@pytest.mark.parametrize("named", [True, False])
async def test_each_scheme_is_verified(address: str, message: bytes, named: bool) -> None:
    raw = SIGNERS[address](message)
    assert await verified(address, SCHEME_BYTES[address] + raw if named else raw)


async def test_what_was_wrapped_before_is_not_wrapped_again() -> None:
    assert await verified(SR, SIGNERS[SR](WRAPPED), text=WRAPPED)


async def test_an_account_is_the_same_on_all_networks() -> None:
    for prefix in (b"\x02", b"\x2a", bytes([0x50, 0x41])):
        assert await verified(ss58(SR_KEYS[0], prefix), SIGNERS[SR](WRAPPED))


async def test_the_known_address_of_the_known_key_is_read() -> None:
    # "Alice" of every development chain, as Substrate documents her.
    alice = "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"
    assert account_id("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY").hex() == alice
    assert account_id("15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5").hex() == alice


@pytest.mark.parametrize("address", [SR, ED, EC], ids=["sr25519", "ed25519", "ecdsa"])
async def test_another_account_or_message_was_not_signed(address: str) -> None:
    raw = SIGNERS[address](WRAPPED)
    other = SR if address != SR else ED
    assert not await verified(other, raw)
    assert not await verified(address, raw, text=TEXT + " ")
    assert not await verified(address, bytes([raw[0] ^ 1]) + raw[1:])


async def test_the_scheme_that_is_named_is_the_one_that_is_tried() -> None:
    assert not await verified(SR, b"\x00" + SIGNERS[SR](WRAPPED))
    assert not await verified(ED, b"\x01" + SIGNERS[ED](WRAPPED))
    assert not await verified(EC, b"\x03" + SIGNERS[EC](WRAPPED))


async def test_the_other_form_of_an_ecdsa_signature_is_refused() -> None:
    raw = ecdsa(WRAPPED)
    s = ORDER - int.from_bytes(raw[32:64], "big")
    assert not await verified(EC, raw[:32] + s.to_bytes(32, "big") + bytes([raw[64] ^ 1]))


@pytest.mark.parametrize(
    "text", ["", "0x", "0x00", "zz", "0x" + "zz" * 64, "0x" + "00" * 63, "0x" + "00" * 67, "00" * 64]
)
async def test_what_has_no_form_of_a_signature_is_none(text: str) -> None:
    assert not await PolkadotAdapter().verify_message(POLKADOT, SR, TEXT, text)


async def test_what_is_no_address_is_told_apart_from_a_wrong_signature() -> None:
    mistyped = SR[:-1] + ("a" if SR[-1] != "a" else "b")
    for address in ("nonsense", mistyped, "0x1111111111111111111111111111111111111111"):
        with pytest.raises(AddressError):
            await verified(address, SIGNERS[SR](WRAPPED))


@pytest.mark.parametrize("named", [b"", b"\x00", b"\x01"])
async def test_nobody_signs_for_the_key_that_is_no_key(named: bytes) -> None:
    # Without a key of anybody's, this one sr25519 signature would be right for every message.
    assert not await verified(ss58(bytes(32)), named + bytes(63) + b"\x80")


@given(
    raw=st.binary(min_size=64, max_size=66), address=st.sampled_from([SR, ED, EC, ss58(bytes(32)), ss58(b"\xff" * 32)])
)
def test_no_random_signature_is_anybodys(raw: bytes, address: str) -> None:
    assert not is_signed_by(address, TEXT, "0x" + raw.hex())


@given(text=st.text(max_size=100), seed=st.binary(min_size=32, max_size=32))
def test_whoever_signs_is_verified(text: str, seed: bytes) -> None:
    keys = sr25519.pair_from_seed(seed)
    raw = sr25519.sign(keys, b"<Bytes>" + text.encode() + b"</Bytes>")
    assert is_signed_by(ss58(keys[0]), text, "0x" + raw.hex())
