"""A sign-in within a pairing: its terms, and the proof of what the wallet signed for its networks at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from walletmodal.core.chains.caip import AccountId
from walletmodal.core.errors import ShapeError
from walletmodal.core.errors.sign_in import SignInRefusedError
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.core.sign_in.cacao import (
    MAX_PAIRED_CHAINS,
    PairingSignIn,
    SignedCacao,
    parse_pairing_sign_in,
    read_cacao,
)
from walletmodal.core.sign_in.recap import RECAP, RECAP_SENTENCE

PAIRING_NONCE_LIFETIME: Final = timedelta(minutes=60)
"""So long a code may be shown and answered; the codes of one wish have one nonce."""
PAIRING_VISITOR: Final = "pairing "
"""Before a visitor's id: a message that is meant for one wallet is none of those that a pairing may answer, and the other way round."""
NOBODY: Final = "0x" + "0" * 40
"""In the place of the account, which only the wallet knows."""


@dataclass(frozen=True, slots=True)
class PairingTerms:
    """What a visitor is to sign while pairing.

    Attributes:
        chains: CAIP-2 ids of eip155, at most 32, the preferred one first. methods: what the wallet will be asked for.
        origin, page, statement, request_id, resources: as in `SignInTerms`.
    """

    chains: tuple[str, ...]
    methods: tuple[str, ...]
    origin: str
    page: str = ""
    statement: str | None = None
    request_id: str | None = None
    resources: tuple[str, ...] = ()

    def check(self) -> None:
        """Whether a wallet could sign it as it stands.

        Raises:
            ShapeError: no network, or one of another namespace; a recap that is not ours.
        """
        if not self.chains or not all(chain.startswith("eip155:") for chain in self.chains):
            raise ShapeError("PairingTerms.chains: only eip155 signs in while pairing")
        if RECAP_SENTENCE in (self.statement or "") or any(one.startswith(RECAP) for one in self.resources):
            raise ShapeError("PairingTerms: the recap is not the host's to write")


def load_proposal(kept: str | None) -> PairingSignIn:
    """Loads what was proposed under a nonce.

    Raises:
        SignInRefusedError: nothing that still counts.
    """
    if kept is None:
        raise SignInRefusedError("unknown")
    return parse_pairing_sign_in(read_json(kept.encode()))


def answers(
    cacaos: object, asked: PairingSignIn, origin: str, now: datetime, *, max_signature: int
) -> list[SignedCacao]:
    """What a wallet signed, as far as it answers a proposal: at most once for each of its networks.

    Raises:
        SignInRefusedError: one of them does not.
    """
    if not isinstance(cacaos, list) or not 0 < len(cacaos) <= MAX_PAIRED_CHAINS:
        raise SignInRefusedError("not_signed")
    uri = asked.message.uri
    if asked.message.domain != origin.partition("://")[2] or not (uri == origin or uri.startswith(f"{origin}/")):
        raise SignInRefusedError("another_page")
    if not asked.message.holds(now):
        raise SignInRefusedError("expired" if asked.message.issued_at <= now else "too_early")
    signed = [read_cacao(raw, asked) for raw in cacaos]
    if len({one.message.chain_id for one in signed}) < len(signed):
        raise SignInRefusedError("another_account")
    if any(len(one.signature) > max_signature for one in signed):
        raise SignInRefusedError("not_signed")
    return signed


async def verify_all(
    signed: Sequence[SignedCacao], is_signed: Callable[[AccountId, str, str], Awaitable[bool]]
) -> None:
    """Verifies all of them.

    Raises:
        SignInRefusedError: somebody else signed one.
        SignInUncheckedError: only a contract could tell about one, and it could not be asked.
    """
    checks = [is_signed(one.message.account_id, one.text, one.signature) for one in signed]
    if not all(await asyncio.gather(*checks)):
        raise SignInRefusedError("not_signed")
