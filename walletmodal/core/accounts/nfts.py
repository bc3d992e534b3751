"""NFTs: their ids (CAIP-19), their metadata, and spam. All of it is made by strangers."""

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Final, Literal, cast
from urllib.parse import unquote_to_bytes

from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.errors import CaipError
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.core.parsing.urls import is_secure_url
from walletmodal.core.text.display_text import clean_text

NftStandard = Literal["erc721", "erc1155", "nft"]
"""The CAIP-19 names: of ERC-721, of ERC-1155, and of Solana, whose mint is the NFT itself."""

MAX_NAME: Final = 80
MAX_COLLECTION: Final = 64
MAX_DESCRIPTION: Final = 600
MAX_METADATA: Final = 256 * 1024
"""Bytes of metadata that are read."""
MAX_URI: Final = 2048
"""Characters of a URI that leads elsewhere; one that carries its content may be as long as metadata."""

_MAX_TOKEN_ID: Final = 2**256 - 1
_ASSET: Final = re.compile(
    r"([-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32})/(erc721|erc1155|nft):([a-zA-Z0-9]{1,64})(?:/([0-9]{1,78}))?"
)
_DATA_URI: Final = re.compile(r"data:([a-zA-Z0-9.+-]+/[a-zA-Z0-9.+-]+)?((?:;[a-zA-Z0-9=_.-]+)*),(.*)", re.DOTALL)
_IPFS: Final = re.compile(r"ipfs://(?:ipfs/)?([A-Za-z0-9][A-Za-z0-9._~!$&'()*+,;=:@%/ -]*)")
_BAIT: Final = re.compile(
    r"https?:|www\.|\b(?:claim|reward|airdrop|voucher|visit|redeem|giveaway|bonus)|[a-z0-9]\.(?:com|org|net|xyz|io|app|site|online|top|vip|me|cc|gg|fi)\b"
    r"|\bt\.me\b|\$\s?[0-9]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NftId:
    """Id of an NFT (CAIP-19).

    Attributes:
        chain: its network.
        standard: what its contract follows.
        contract: address of the contract (EIP-55), or the mint.
        token_id: decimal; "" where the mint says it all.
    """

    chain: ChainId
    standard: NftStandard
    contract: str
    token_id: str = ""

    def __str__(self) -> str:
        token = f"/{self.token_id}" if self.token_id else ""
        return f"{self.chain}/{self.standard}:{self.contract}{token}"


@dataclass(frozen=True, slots=True)
class NftMetadata:
    """What an NFT says of itself: cleaned texts, and the URI of its picture, `data:` with its content or one that leads elsewhere."""

    name: str = ""
    description: str = ""
    image: str = ""


@dataclass(frozen=True, slots=True)
class Nft:
    """An NFT that an account has.

    Attributes:
        id: which.
        name: never empty.
        collection: the name of the contract, or "".
        description: on one line, or "".
        amount: how many of them; more than one only of ERC-1155.
        picture: where our server has its picture, or "".
    """

    id: NftId
    name: str
    collection: str
    description: str
    amount: int
    picture: str


def parse_nft_id(text: str) -> NftId:
    """A CAIP-19 id of an NFT.

    Raises:
        CaipError: it is none, or of no network that has NFTs.
    """
    match = _ASSET.fullmatch(text)
    if match is None:
        raise CaipError("Invalid CAIP-19 asset id", details=text[:64])
    chain, standard = parse_chain_id(match[1]), match[2]
    fits = {"eip155": standard != "nft" and bool(match[4]), "solana": standard == "nft" and not match[4]}
    if not fits.get(chain.namespace) or not is_address(chain.namespace, match[3]) or int(match[4] or 0) > _MAX_TOKEN_ID:
        raise CaipError("Invalid CAIP-19 asset id", details=text[:64])
    token_id = str(int(match[4])) if match[4] else ""
    return NftId(chain, cast("NftStandard", standard), normal_address(chain.namespace, match[3]), token_id)


def is_nft_id(text: str) -> bool:
    """Whether a text is a CAIP-19 id of an NFT."""
    try:
        parse_nft_id(text)
    except CaipError:
        return False
    return True


def data_content(uri: str) -> bytes | None:
    """Decodes a `data:` URI; None for what is none."""
    match = _DATA_URI.fullmatch(uri)
    if match is None:
        return None
    content = match[3]
    if ";base64" not in match[2].lower():
        return unquote_to_bytes(content)
    try:
        return base64.b64decode(unquote_to_bytes(content), validate=True)
    except (binascii.Error, ValueError):
        return None


def parse_metadata(body: bytes) -> NftMetadata:
    """Metadata as ERC-721, ERC-1155 and Metaplex describe it; what is missing, wrong or too large is empty."""
    try:
        raw = read_json(body) if len(body) <= MAX_METADATA else None
    except ValueError:
        raw = None
    if not isinstance(raw, dict):
        return NftMetadata()
    name, described = raw.get("name"), raw.get("description")
    named = (raw.get("image"), raw.get("image_url"), raw.get("image_data"))
    image: str = next((one for one in named if isinstance(one, str) and one), "")
    if image.lstrip().startswith("<svg"):
        image = f"data:image/svg+xml;base64,{base64.b64encode(image.strip().encode('utf-8', 'replace')).decode()}"
    return NftMetadata(
        clean_text(name, limit=MAX_NAME) if isinstance(name, str) else "",
        clean_text(described, limit=MAX_DESCRIPTION) if isinstance(described, str) else "",
        image if usable_uri(image) else "",
    )


def usable_uri(uri: str) -> bool:
    """Whether a URI has a form that is followed: https (http on loopback), ipfs, or `data:`."""
    if uri.startswith("data:"):
        return len(uri) <= MAX_METADATA
    return len(uri) <= MAX_URI and (is_secure_url(uri) or _IPFS.fullmatch(uri) is not None)


def web_url(uri: str, gateway: str | None) -> str:
    """Returns where a URI is fetched: itself, or at the IPFS gateway; "" for one that is not fetched.

    Args:
        uri: of metadata or of a picture.
        gateway: base URL of an IPFS gateway, without a slash at the end; None: there is none.
    """
    if is_secure_url(uri):
        return uri
    match = _IPFS.fullmatch(uri) if len(uri) <= MAX_URI else None
    if match is None or gateway is None or ".." in match[1].split("/"):
        return ""
    url = f"{gateway}/{match[1].replace(' ', '%20')}"
    return url if is_secure_url(url) else ""


def token_uri(uri: str, token_id: int) -> str:
    """Fills the token id into a metadata URI (ERC-1155: 64 hexadecimal digits, lower case)."""
    return uri.replace("{id}", f"{token_id:064x}")


def is_spam_name(*texts: str) -> bool:
    """Whether a name is an advertisement or leads elsewhere, as the names of NFTs do that are sent to everybody."""
    return any(_BAIT.search(text) is not None for text in texts)


def nft_name(metadata: NftMetadata, collection: str, token_id: str) -> str:
    """Returns the name that is shown: its own, else that of its collection and its number."""
    number = f"#{token_id}" if len(token_id) <= 12 else f"#{token_id[:6]}…"
    return metadata.name or " ".join(part for part in (collection or "NFT", number if token_id else "") if part)
