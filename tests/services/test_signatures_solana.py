"""ed25519 signatures of Solana accounts."""

import base64
from collections.abc import Callable

import base58
import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.keypair import Keypair

from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.errors import AddressError
from walletmodal.services.chains.solana import SolanaAdapter
from walletmodal.services.chains.solana.signatures import is_signed_by
from walletmodal.services.rpc import RpcTransport

SOLANA = parse_chain_id("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")
KEY, OTHER = Keypair.from_seed(b"\x01" * 32), Keypair.from_seed(b"\x02" * 32)
TEXT = "app.example.com wants you to sign in with your Solana account: ✓"
ORDER = 2**252 + 27742317777372353535851937790883648493


def never(_chain: ChainId) -> RpcTransport:
    raise AssertionError("no node is to be asked for a key's signature")


ADAPTER = SolanaAdapter(never)


def signed(text: str = TEXT, key: Keypair = KEY) -> bytes:
    return bytes(key.sign_message(text.encode()))


def written(raw: bytes) -> str:
    return base58.b58encode(raw).decode()


async def verified(signature: str, *, text: str | bytes = TEXT, address: str = str(KEY.pubkey())) -> bool:
    return await ADAPTER.verify_message(SOLANA, address, text, signature)


async def test_a_signature_is_verified_in_base58_and_base64() -> None:
    assert await verified(written(signed()))
    assert await verified(base64.b64encode(signed()).decode())


async def test_the_bytes_of_a_message_are_as_good_as_its_text() -> None:
    assert await verified(written(signed()), text=TEXT.encode())


@pytest.mark.parametrize(
    ("secret", "public", "message", "signature"),
    [
        # RFC 8032, section 7.1, tests 1 and 2.
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            (
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                "d25bf5f0595bbe24655141438e7a100b"
            ),
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            (
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
                "387b2eaeb4302aeeb00d291612bb0c00"
            ),
        ),
    ],
)
async def test_what_the_standard_gives_is_verified(secret: str, public: str, message: str, signature: str) -> None:
    address = written(bytes.fromhex(public))
    assert str(Keypair.from_seed(bytes.fromhex(secret)).pubkey()) == address
    assert await verified(written(bytes.fromhex(signature)), text=bytes.fromhex(message), address=address)


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw[:63],
        lambda raw: raw + b"\0",
        lambda raw: bytes(len(raw)),
        lambda raw: b"\xff" * len(raw),
        lambda raw: bytes([raw[0] ^ 1]) + raw[1:],
        # The same number, once around: s + the order of the group.
        lambda raw: raw[:32] + (int.from_bytes(raw[32:], "little") + ORDER).to_bytes(32, "little"),
    ],
)
async def test_any_other_form_is_no_signature(change: Callable[[bytes], bytes]) -> None:
    assert not await verified(written(change(signed())))


@pytest.mark.parametrize("text", ["", "=", "0x00", "l" * 88, "1" * 100_000, "é" * 88, "A" * 87 + "=", " " * 88, "A=A="])
async def test_what_has_no_form_of_a_signature_is_none(text: str) -> None:
    assert not await verified(text)


@pytest.mark.parametrize("point", ["01" + "00" * 31, "00" * 32, "00" * 31 + "80", "ec" + "ff" * 30 + "7f"])
async def test_keys_for_which_one_signature_fits_all_sign_nothing(point: str) -> None:
    forged = bytes.fromhex("01" + "00" * 31) + bytes(32)
    assert not await verified(written(forged), address=written(bytes.fromhex(point)))


async def test_another_account_or_message_was_not_signed() -> None:
    assert not await verified(written(signed()), address=str(OTHER.pubkey()))
    assert not await verified(written(signed()), text=TEXT + " ")


async def test_what_is_no_address_is_told_apart_from_a_wrong_signature() -> None:
    with pytest.raises(AddressError):
        await verified(written(signed()), address="0x1111111111111111111111111111111111111111")


@given(raw=st.binary(min_size=64, max_size=64))
def test_no_random_signature_is_the_accounts(raw: bytes) -> None:
    assert not is_signed_by(str(KEY.pubkey()), TEXT, written(raw))


@given(text=st.text(max_size=100), seed=st.binary(min_size=32, max_size=32))
def test_whoever_signs_is_verified(text: str, seed: bytes) -> None:
    key = Keypair.from_seed(seed)
    assert is_signed_by(str(key.pubkey()), text, written(signed(text, key)))


@given(text=st.text(max_size=120))
def test_no_text_makes_the_reader_fail(text: str) -> None:
    assert not is_signed_by(str(KEY.pubkey()), TEXT, text)
