"""One-click sign-in (CACAO, CAIP-74): what a pairing asks a wallet to sign while it connects, and what the wallet made of it.

The wallet puts in its own address, chooses networks, and grants some of the methods; everything else stands as it was proposed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.chains.caip import AccountId, parse_chain_id
from walletmodal.core.errors import CaipError
from walletmodal.core.errors.sign_in import SignInRefusedError
from walletmodal.core.namespaces.registry import DESCRIPTORS
from walletmodal.core.parsing.shapes import Shape, read_shape
from walletmodal.core.protocol.commands import ProposedSignIn
from walletmodal.core.sign_in.message import SignInMessage, iso_text, parse_sign_in_message
from walletmodal.core.sign_in.recap import granted_methods, recap_of, recap_statements

MAX_PAIRED_CHAINS: Final = 32
"""Networks of one proposal, each of which the wallet may sign for."""
MAX_CACAO_TEXT: Final = 65_536
"""Bytes of a text, most of which are the recap."""
_ISSUER: Final = re.compile(r"did:pkh:(eip155:[0-9]{1,16}):(0x[0-9a-fA-F]{40})")
_HEADERS: Final = frozenset({"caip122", "eip4361"})
_SIGNATURES: Final = frozenset({"eip191", "eip1271", "eip6492"})
_FIELDS: Final = frozenset(
    {"iss", "domain", "aud", "version", "nonce", "iat", "exp", "statement", "requestId", "resources", "nbf"}
)


class PairingSignIn(Shape):
    """What a visitor is asked to sign while pairing, on eip155.

    Attributes:
        message: the fields of the message, whose account and network are nobody's yet: those of the first network, and the zero address.
        chains: CAIP-2 ids; the wallet signs for one or more of them.
        methods: what the session is to be for.
    """

    message: SignInMessage
    chains: Annotated[tuple[str, ...], Field(min_length=1, max_length=MAX_PAIRED_CHAINS)]
    methods: Annotated[tuple[str, ...], Field(min_length=1, max_length=64)]


@dataclass(frozen=True, slots=True)
class SignedCacao:
    """What a wallet says that an account signed; unverified.

    Attributes:
        message: the message, with the account.
        text: what was signed, with the account as the wallet spelled it.
        signature: as the wallet wrote it.
    """

    message: SignInMessage
    text: str
    signature: str


def parse_pairing_sign_in(raw: object) -> PairingSignIn:
    """What was proposed, as it was kept.

    Raises:
        ShapeError: it was not; names the first field that is wrong.
    """
    return read_shape(PairingSignIn, raw)


def proposed_sign_in(asked: PairingSignIn) -> ProposedSignIn:
    """The fields as they are sent to the browser, and from there to the wallet."""
    message = asked.message
    return ProposedSignIn(
        domain=message.domain,
        uri=message.uri,
        nonce=message.nonce,
        iat=iso_text(message.issued_at),
        exp="" if message.expiration_time is None else iso_text(message.expiration_time),
        statement=message.statement or "",
        requestId=message.request_id or "",
        resources=[*message.resources, recap_of(asked.methods)],
        chains=list(asked.chains),
    )


def cacao_nonce(raw: object) -> str:
    """Reads the nonce of the proposal that a CACAO answers; "" where it says nothing."""
    payload = raw.get("p") if isinstance(raw, Mapping) else None
    nonce = payload.get("nonce") if isinstance(payload, Mapping) else None
    return nonce if isinstance(nonce, str) else ""


def read_cacao(raw: object, asked: PairingSignIn) -> SignedCacao:
    """A CACAO `{h, p, s}` that answers a proposal; whether the account signed it remains to be verified.

    Raises:
        SignInRefusedError: it says anything else than what was asked.
    """
    header, payload, signed = _parts(raw)
    wire = proposed_sign_in(asked)
    if payload.get("domain") != wire["domain"] or payload.get("aud") != wire["uri"]:
        raise SignInRefusedError("another_page")
    account, spelled = _account(payload.get("iss"))
    if str(account.chain) not in asked.chains:
        raise SignInRefusedError("another_account")
    same = payload.get("version") == "1" and all(payload.get(name) == wire[name] for name in ("nonce", "iat"))
    optional = all((payload.get(name) or "") == wire[name] for name in ("exp", "requestId"))
    if (
        header.get("t") not in _HEADERS
        or not same
        or not optional
        or payload.get("nbf")
        or not payload.keys() <= _FIELDS
    ):
        raise SignInRefusedError("another_text")
    resources = _resources(payload.get("resources"))
    text = _text(wire, account, spelled, _statement(payload.get("statement"), resources, asked), resources)
    if len(text.encode()) > MAX_CACAO_TEXT:
        raise SignInRefusedError("another_text")
    signature = signed.get("s")
    if signed.get("t") not in _SIGNATURES or not isinstance(signature, str):
        raise SignInRefusedError("not_signed")
    return SignedCacao(_message(asked, account), text, signature)


def _parts(raw: object) -> tuple[Mapping[str, object], Mapping[str, object], Mapping[str, object]]:
    if not isinstance(raw, Mapping):
        raise SignInRefusedError("another_text")
    parts = [raw.get(name) for name in ("h", "p", "s")]
    header, payload, signed = (part if isinstance(part, Mapping) else None for part in parts)
    if header is None or payload is None or signed is None:
        raise SignInRefusedError("another_text")
    return header, payload, signed


def _account(issuer: object) -> tuple[AccountId, str]:
    """The account in its normal spelling, and its address as it is written there."""
    found = _ISSUER.fullmatch(issuer) if isinstance(issuer, str) else None
    if found is None or not is_address("eip155", found[2]):
        raise SignInRefusedError("another_account")
    try:
        chain = parse_chain_id(found[1])
    except CaipError as error:
        raise SignInRefusedError("another_account") from error
    return AccountId(chain, normal_address("eip155", found[2])), found[2]


def _resources(given: object) -> list[str]:
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise SignInRefusedError("another_text")
    return given


def _statement(given: object, resources: list[str], asked: PairingSignIn) -> str:
    """The statement as it stands in the text: with the sentence of the recap, which wallets do or do not put into the payload too."""
    own = list(asked.message.resources)
    granted = (
        granted_methods(resources[-1], methods=asked.methods, chains=asked.chains)
        if resources and resources[:-1] == own
        else None
    )
    if granted is None:
        raise SignInRefusedError("another_text")
    plain = asked.message.statement or ""
    written = recap_statements(plain, granted)
    if (given or "") == plain:
        return written[0]
    if given not in written:
        raise SignInRefusedError("another_text")
    return str(given)


def _text(wire: ProposedSignIn, account: AccountId, spelled: str, statement: str, resources: list[str]) -> str:
    """The text as the SDK of JavaScript formats it (EIP-4361)."""
    return "\n".join(
        [
            f"{wire['domain']} wants you to sign in with your {DESCRIPTORS['eip155'].account_word} account:",
            spelled,
            "",
            statement,
            "",
            f"URI: {wire['uri']}",
            "Version: 1",
            f"Chain ID: {account.chain.reference}",
            f"Nonce: {wire['nonce']}",
            f"Issued At: {wire['iat']}",
            *([f"Expiration Time: {wire['exp']}"] if wire["exp"] else []),
            *([f"Request ID: {wire['requestId']}"] if wire["requestId"] else []),
            "Resources:",
            *(f"- {resource}" for resource in resources),
        ]
    )


def _message(asked: PairingSignIn, account: AccountId) -> SignInMessage:
    fields = asked.message.model_dump(mode="json", by_alias=True)
    return parse_sign_in_message({**fields, "accountAddress": account.address, "chainId": str(account.chain)})
