"""Token metadata as Metaplex keeps it: where, and in which bytes. Its program is in no registry, so the accounts are put in place as it would."""

import struct
from dataclasses import dataclass

from solders.pubkey import Pubkey

METADATA_PROGRAM = Pubkey.from_string("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s")
MAX_NAME, MAX_SYMBOL, MAX_URI = 32, 10, 200

_METADATA_V1 = 4
_SIZE = 679
_TEXTS_AT = 65
_NON_FUNGIBLE = 0


@dataclass(frozen=True)
class TokenMetadata:
    """What a mint is called, and where the rest of it is told: a JSON document with description and picture."""

    name: str
    symbol: str
    uri: str


def metadata_address(mint: Pubkey) -> Pubkey:
    """Where the metadata of a mint is."""
    return Pubkey.find_program_address([b"metadata", bytes(METADATA_PROGRAM), bytes(mint)], METADATA_PROGRAM)[0]


def packed_metadata(told: TokenMetadata, mint: Pubkey, authority: Pubkey, collection: Pubkey | None) -> bytes:
    """The bytes of the metadata of an NFT.

    Args:
        told: what it says.
        mint: of what.
        authority: who may change it; also its verified creator.
        collection: the mint of the collection that it belongs to, verified.

    Raises:
        ValueError: a text is too long.
    """
    texts = ((told.name, MAX_NAME), (told.symbol, MAX_SYMBOL), (told.uri, MAX_URI))
    creators = struct.pack("<BI32sBB", 1, 1, bytes(authority), 1, 100)
    belongs = b"\0" if collection is None else struct.pack("<BB32s", 1, 1, bytes(collection))
    body = b"".join(
        (
            struct.pack("<B32s32s", _METADATA_V1, bytes(authority), bytes(mint)),
            *(_text(text, size) for text, size in texts),
            struct.pack("<H", 0),
            creators,
            # Sold already, may be changed; no bump of an edition is told; the standard.
            struct.pack("<BBBBB", 1, 1, 0, 1, _NON_FUNGIBLE),
            belongs,
        )
    )
    return body.ljust(_SIZE, b"\0")


def metadata_of(data: bytes, mint: Pubkey) -> TokenMetadata | None:
    """What an account of the program says of a mint; None where it is no metadata of it."""
    if len(data) < _TEXTS_AT or data[0] != _METADATA_V1 or data[33:65] != bytes(mint):
        return None
    found, at = [], _TEXTS_AT
    for _ in range(3):
        if at + 4 > len(data):
            return None
        (size,) = struct.unpack_from("<I", data, at)
        if at + 4 + size > len(data):
            return None
        found.append(data[at + 4 : at + 4 + size].decode("utf-8", "replace").rstrip("\0"))
        at += 4 + size
    return TokenMetadata(*found)


def _text(text: str, size: int) -> bytes:
    raw = text.encode()
    if len(raw) > size:
        raise ValueError(f"{text!r} has more than {size} bytes")
    return struct.pack("<I", size) + raw.ljust(size, b"\0")
