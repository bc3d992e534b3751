"""Signatures of Bitcoin addresses: the standard's own, those that two other implementations make and judge, and hostile ones."""

import base64
from collections.abc import Callable

import pytest
from bip322 import verify_simple_encoded
from embit import ec
from embit.transaction import SIGHASH
from hypothesis import given
from hypothesis import strategies as st

from tests.services.bitcoin_signer import KEY, addresses, in_base64, recoverable, signed_by_hash, signed_by_taproot
from walletmodal.core.chains.bitcoin_scripts import locked_by
from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.errors import AddressError
from walletmodal.services.chains.bip122 import Bip122Adapter
from walletmodal.services.chains.bip122.signatures import is_signed_by
from walletmodal.services.chains.bip122.to_sign import message_hash, read_simple, to_spend_id
from walletmodal.services.chains.secp256k1 import ORDER

MAINNET = parse_chain_id("bip122:000000000019d6689c085ae165831e93")
TESTNET = parse_chain_id("bip122:000000000933ea01ad0ee984209779ba")
REGTEST = parse_chain_id("bip122:0f9188f13cb7b2c71f2a335e3a4fc328")
# The addresses of BIP-322's key.
P2WPKH = "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l"
P2TR = "bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3"
P2SH = "37qyp7jQAzqb2rCBpMvVtLDuuzKAUCVnJb"
P2PKH = "14vV3aCHBeStb5bkenkNHbe2YAFinYdXgc"
HELLO = (
    "AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjg"
    "Gu6EBCPMVPwVIVJqO4XCsMvViHI="
)
TAPROOT_HELLO = "AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ=="
VECTORS = [
    (
        P2WPKH,
        "",
        (
            "AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9"
            "hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI="
        ),
    ),
    (
        P2WPKH,
        "",
        (
            "AkgwRQIhAPkJ1Q4oYS0htvyuSFHLxRQpFAY56b70UvE7Dxazen0ZAiAtZfFz1S6T6I23MWI2lK/pcNTWncuyL8UL+oMdydVgzAEhAsfxIAMZZEKU"
            "PYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy"
        ),
    ),
    (P2WPKH, "Hello World", HELLO),
    (
        P2WPKH,
        "Hello World",
        (
            "AkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR8eGhowEhAsfxIAMZZEKU"
            "PYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy"
        ),
    ),
    (
        "3HSVzEhCFuH9Z3wvoWTexy7BMVVp3PjS6f",
        "Hello World",
        (
            "AkgwRQIhAMd2wZSY3x0V9Kr/NClochoTXcgDaGl3OObOR17yx3QQAiBVWxqNSS+CKen7bmJTG6YfJjsggQ4Fa2RHKgBKrdQQ+gEhAxa5UDdQCHSQ"
            "HfKQv14ybcYm1C9y6b12xAuukWzSnS+w"
        ),
    ),
    (P2TR, "Hello World", TAPROOT_HELLO),
]
ADAPTER = Bip122Adapter()


async def verified(address: str, text: str | bytes, signature: str) -> bool:
    return await ADAPTER.verify_message(MAINNET, address, text, signature)


@pytest.mark.parametrize(
    ("message", "digest"),
    [
        (b"", "c90c269c4f8fcbe6880f72a721ddfbf1914268a794cbb21cfafee13770ae19f1"),
        (b"Hello World", "f0eb03b1a75ac6d9847f55c624a99169b5dccba2a31f5b23bea77ba270de0a7a"),
    ],
)
def test_the_hash_of_a_message_is_the_standards(message: bytes, digest: str) -> None:
    assert message_hash(message).hex() == digest


@pytest.mark.parametrize(
    ("message", "transaction"),
    [
        (b"", "c5680aa69bb8d860bf82d4e9cd3504b55dde018de765a91bb566283c545a99a7"),
        (b"Hello World", "b79d196740ad5217771c1098fc4a4b51e0535c32236c71f1ea4d61a2d603352b"),
    ],
)
def test_the_transaction_that_is_spent_is_the_standards(message: bytes, transaction: str) -> None:
    assert to_spend_id(locked_by(P2WPKH, MAINNET).script, message)[::-1].hex() == transaction


@pytest.mark.parametrize(("address", "text", "signature"), VECTORS)
async def test_what_is_known_to_be_signed_is_verified(address: str, text: str, signature: str) -> None:
    assert await verified(address, text, signature)
    assert not await verified(address, text + " ", signature)


async def test_an_address_in_capitals_is_the_same() -> None:
    assert await verified(P2WPKH.upper(), "Hello World", HELLO)


async def test_a_signature_of_one_kind_of_address_is_none_of_another() -> None:
    for address in (P2TR, P2PKH, P2SH, "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3"):
        assert not await verified(address, "Hello World", HELLO)
    for address in (P2WPKH, P2PKH, P2SH):
        assert not await verified(address, "Hello World", TAPROOT_HELLO)


@given(seed=st.integers(min_value=1, max_value=ORDER - 1), text=st.text(max_size=100))
def test_what_another_implementation_signs_is_verified_as_a_third_one_does(seed: int, text: str) -> None:
    key = ec.PrivateKey(seed.to_bytes(32, "big"))
    owned = addresses(key)
    for kind, address in owned.items():
        made = (signed_by_taproot if kind == "p2tr" else signed_by_hash)(key, address, text)
        assert is_signed_by(locked_by(address, MAINNET), text, made), kind
        verify_simple_encoded(address, text, made)


def test_the_two_usual_hash_types_of_taproot_are_verified() -> None:
    for sighash in (SIGHASH.DEFAULT, SIGHASH.ALL):
        assert is_signed_by(locked_by(P2TR, MAINNET), "x", signed_by_taproot(KEY, P2TR, "x", sighash))


@pytest.mark.parametrize("sighash", [SIGHASH.NONE, SIGHASH.SINGLE, SIGHASH.ALL | SIGHASH.ANYONECANPAY])
def test_no_other_hash_type_of_taproot_is_verified(sighash: int) -> None:
    assert not is_signed_by(locked_by(P2TR, MAINNET), "x", signed_by_taproot(KEY, P2TR, "x", sighash))


def witness(signature: str) -> tuple[bytes, ...]:
    read = read_simple(locked_by(P2WPKH, MAINNET), b"", base64.b64decode(signature))
    assert read is not None
    return read.witness


def with_upper_half(der: bytes) -> bytes:
    """The same signature in its other form, in DER."""
    r_size = der[3]
    r, s = der[4 : 4 + r_size], int.from_bytes(der[6 + r_size : -1], "big")
    other = (ORDER - s).to_bytes(33, "big")
    body = b"\x02" + bytes([r_size]) + r + b"\x02\x21" + other
    return b"\x30" + bytes([len(body)]) + body + der[-1:]


@pytest.mark.parametrize(
    "change",
    [
        lambda sig, key: (with_upper_half(sig), key),
        lambda sig, key: (sig[:-1] + b"\x02", key),
        lambda sig, key: (sig[:-1] + b"\x81", key),
        lambda sig, key: (sig[:-1], key),
        lambda sig, key: (sig[-1:], key),
        lambda sig, key: (sig[:0], key),
        lambda sig, key: (sig[:-1] + b"\x00\x01", key),
        lambda sig, key: (sig, key[:-1]),
        lambda sig, key: (sig, bytes([key[0] ^ 1]) + key[1:]),
        lambda sig, key: (sig, key[:1] + bytes(32)),
        lambda sig, key: (sig, key, b""),
        lambda sig, key: (sig + key,),
        lambda sig, key: (key, sig),
    ],
)
async def test_any_other_form_is_no_signature(change: Callable[[bytes, bytes], tuple[bytes, ...]]) -> None:
    assert not await verified(P2WPKH, "Hello World", in_base64(*change(*witness(HELLO))))


@pytest.mark.parametrize(
    "raw", ["", "00", "01", "0141", "fe", "02fdffff", "05" + "00" * 5, "0100", "ff" * 65, "00" * 65]
)
async def test_what_is_no_witness_is_no_signature(raw: str) -> None:
    text = base64.b64encode(bytes.fromhex(raw)).decode()
    assert not await verified(P2WPKH, "Hello World", text)
    assert not await verified(P2TR, "Hello World", text)


@pytest.mark.parametrize(
    "text", ["", "=", "*", "é", HELLO[:-1], HELLO + "=", HELLO + "AAAA", "A" * 100_000, " " + HELLO]
)
async def test_what_is_no_base64_is_no_signature(text: str) -> None:
    assert not await verified(P2WPKH, "Hello World", text)


@pytest.mark.parametrize("header", [31, 35, 39])
@pytest.mark.parametrize("address", [P2PKH, P2WPKH, P2SH])
async def test_the_older_signatures_are_verified(address: str, header: int) -> None:
    assert await verified(address, "Hello", recoverable("Hello", header))
    assert not await verified(address, "hello", recoverable("Hello", header))
    assert not await verified(address, "Hello", recoverable("Hello", header, b"\x09" * 32))


async def test_long_messages_are_verified() -> None:
    for size in (252, 253, 70_000):
        assert await verified(P2PKH, "x" * size, recoverable("x" * size, 31))


async def test_a_key_that_is_not_compressed_opens_its_own_address_only() -> None:
    whole = "1JwSSubhmg6iPtRjtyqhUYYH7bZg3Lfy1T"
    key = bytes.fromhex("c4bbcb1fbec99d65bf59d85c8cb62ee2db963f0fe106f483d9afa73bd4e39a8a")
    assert await verified(whole, "Hello", recoverable("Hello", 27, key))
    assert not await verified(whole, "Hello", recoverable("Hello", 31, key))
    assert not await verified(P2PKH, "Hello", recoverable("Hello", 27))


async def test_taproot_has_no_older_signatures() -> None:
    assert not any([await verified(P2TR, "Hello", recoverable("Hello", header)) for header in (27, 31, 35, 39)])


async def test_the_other_form_of_an_older_signature_is_refused() -> None:
    raw = base64.b64decode(recoverable("Hello", 31))
    s = ORDER - int.from_bytes(raw[33:], "big")
    other = bytes([31 + (raw[0] - 31 ^ 1)]) + raw[1:33] + s.to_bytes(32, "big")
    assert not await verified(P2PKH, "Hello", base64.b64encode(other).decode())


@given(raw=st.binary(max_size=200), address=st.sampled_from([P2WPKH, P2TR, P2SH, P2PKH]))
def test_no_random_bytes_are_anybodys_signature(raw: bytes, address: str) -> None:
    assert not is_signed_by(locked_by(address, MAINNET), "Hello", base64.b64encode(raw).decode())


@pytest.mark.parametrize(
    ("address", "kind"),
    # BIP-173 and BIP-350.
    [
        ("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "p2wpkh"),
        ("bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y", "other"),
        ("BC1SW50QGDZ25J", "other"),
        ("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", "p2tr"),
    ],
)
def test_what_the_standard_calls_an_address_is_read(address: str, kind: str) -> None:
    assert locked_by(address, MAINNET).kind == kind


@pytest.mark.parametrize("address", [P2WPKH[:-1] + "q", P2TR[:-1] + "q", P2PKH[:-1] + "1", ""])
def test_what_is_no_address_locks_nothing(address: str) -> None:
    assert ADAPTER.address_fault(address) is not None
    with pytest.raises(AddressError):
        locked_by(address, MAINNET)


@pytest.mark.parametrize(
    ("address", "chain"),
    [
        (P2WPKH, TESTNET),
        (P2PKH, TESTNET),
        (P2SH, REGTEST),
        ("tb1q9vza2e8x573nczrlzms0wvx3gsqjx7vaxwd45v", MAINNET),
        ("tb1q9vza2e8x573nczrlzms0wvx3gsqjx7vaxwd45v", REGTEST),
        ("mjSSLdHFzft9NC5NNMik7WrMQ9rRhMhNpT", MAINNET),
    ],
)
async def test_an_address_of_another_network_signs_nothing(address: str, chain: ChainId) -> None:
    with pytest.raises(AddressError):
        await ADAPTER.verify_message(chain, address, "Hello", HELLO)


async def test_addresses_of_test_networks_sign() -> None:
    assert await ADAPTER.verify_message(
        TESTNET, "mjSSLdHFzft9NC5NNMik7WrMQ9rRhMhNpT", "Hello", recoverable("Hello", 31)
    )
