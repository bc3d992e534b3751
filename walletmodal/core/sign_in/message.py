"""The message of a sign-in with a wallet: its fields, and the text that is signed (EIP-4361, CAIP-122)."""

import re
from datetime import UTC, datetime
from typing import Annotated, Final, Self

from pydantic import AfterValidator, Field, model_validator

from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.chains.caip import AccountId, parse_chain_id
from walletmodal.core.errors import CaipError
from walletmodal.core.namespaces.registry import DESCRIPTORS
from walletmodal.core.parsing.shapes import Instant, Shape, read_shape
from walletmodal.core.parsing.urls import MAX_URL, normal_origin

MAX_RESOURCES: Final = 32
MAX_SIGN_IN_TEXT: Final = 8192
"""Bytes of the text: wallets show all of it, and small ones have little memory for it."""
_NONCE: Final = r"^[a-zA-Z0-9]{8,128}$"
_URI: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{0,31}:[!-~]+")
_REQUEST_ID: Final = r"^[A-Za-z0-9._~!$&'()*+,;=:@%/-]{0,256}$"


def _chain(text: str) -> str:
    try:
        return str(parse_chain_id(text))
    except CaipError as error:
        raise ValueError("must be a CAIP-2 id") from error


def _domain(text: str) -> str:
    # A host with a port, as a browser writes it: anything that could be read as another domain is refused.
    if "/" in text or "@" in text or normal_origin(f"https://{text}") != f"https://{text}":
        raise ValueError("must be a host name, with its port where it is not the usual one")
    return text


def _one_line(text: str) -> str:
    if any(ord(char) < 0x20 or char in "\x7f\u0085\u2028\u2029" or "\ud800" <= char <= "\udfff" for char in text):
        raise ValueError("must be one line")
    return text


def _uri(text: str) -> str:
    if not _URI.fullmatch(text):
        raise ValueError("must be a URI")
    return text


Uri = Annotated[str, Field(max_length=MAX_URL), AfterValidator(_uri)]


class SignInMessage(Shape):
    """What a visitor signs. Frozen: what is verified is the text of exactly these fields.

    Attributes:
        domain: host and port of the page that asks.
        account_address: plain address of the chain's namespace.
        uri: what is signed in to.
        version: always `1`.
        chain_id: CAIP-2 id.
        nonce: at least 8 letters and digits, used once.
        issued_at, expiration_time, not_before: instants; on the wire ISO 8601.
        statement: one line for people, or None.
        request_id: or None. resources: URIs, in their order.
    """

    domain: Annotated[str, Field(max_length=255), AfterValidator(_domain)]
    account_address: Annotated[str, Field(max_length=128)]
    uri: Uri
    version: Annotated[str, Field(pattern="^1$")] = "1"
    chain_id: Annotated[str, AfterValidator(_chain)]
    nonce: Annotated[str, Field(pattern=_NONCE)]
    issued_at: Instant
    expiration_time: Instant | None = None
    not_before: Instant | None = None
    statement: Annotated[str, Field(min_length=1, max_length=500), AfterValidator(_one_line)] | None = None
    request_id: Annotated[str, Field(pattern=_REQUEST_ID)] | None = None
    resources: Annotated[tuple[Uri, ...], Field(max_length=MAX_RESOURCES)] = ()

    @model_validator(mode="after")
    def _address_fits(self) -> Self:
        if not is_address(parse_chain_id(self.chain_id).namespace, self.account_address):
            raise ValueError("accountAddress is no address of the chain's namespace")
        return self

    @property
    def account_id(self) -> AccountId:
        """The account as CAIP-10."""
        return AccountId(parse_chain_id(self.chain_id), self.account_address)

    def holds(self, now: datetime) -> bool:
        """Whether the message is in force: not before its start (`notBefore`, else `issuedAt`), and not after its end."""
        started = (self.not_before or self.issued_at) <= now
        return started and (self.expiration_time is None or now < self.expiration_time)


def parse_sign_in_message(raw: object) -> SignInMessage:
    """The fields of a sign-in message, in camel case.

    Raises:
        ShapeError: names the first field that is wrong.
    """
    return read_shape(SignInMessage, raw)


def sign_in_text(message: SignInMessage) -> str:
    """The text that is signed: EIP-4361 on eip155, the same form with its own account word and CAIP reference elsewhere (CAIP-122).

    The address is in its normal spelling, with the EIP-55 checksum on eip155.
    """
    chain = parse_chain_id(message.chain_id)
    lines = [
        f"{message.domain} wants you to sign in with your {DESCRIPTORS[chain.namespace].account_word} account:",
        normal_address(chain.namespace, message.account_address),
        "",
        *([message.statement, ""] if message.statement else [""]),
        f"URI: {message.uri}",
        f"Version: {message.version}",
        f"Chain ID: {chain.reference}",
        f"Nonce: {message.nonce}",
        f"Issued At: {iso_text(message.issued_at)}",
    ]
    if message.expiration_time is not None:
        lines.append(f"Expiration Time: {iso_text(message.expiration_time)}")
    if message.not_before is not None:
        lines.append(f"Not Before: {iso_text(message.not_before)}")
    if message.request_id is not None:
        lines.append(f"Request ID: {message.request_id}")
    if message.resources:
        lines += ["Resources:", *(f"- {resource}" for resource in message.resources)]
    return "\n".join(lines)


def iso_text(instant: datetime) -> str:
    """An instant as RFC 3339 in UTC with milliseconds, such as `2026-01-01T00:00:00.000Z`."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
