"""What an attacker may try: each attack takes a message that the visitor was given, and makes of it what is handed in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from tests.services.sign_in_terms import ANN, EVE, VISITOR, clock, proofs, prove, terms
from tests.services.signers import silent, solana
from walletmodal.core.chains.caip import parse_account_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import SignInRefusedError
from walletmodal.core.sign_in.message import sign_in_text
from walletmodal.core.sign_in.solana import solana_sign_in_text
from walletmodal.services.chains.registry import Chains
from walletmodal.services.chains.secp256k1 import ORDER
from walletmodal.services.sign_in import SignInProofs

__all__ = ["clock", "proofs"]


@dataclass(frozen=True)
class Attempt:
    """What is handed in for a message."""

    nonce: object
    signature: object
    changes: dict[str, Any]


Attack = Callable[[SignInProofs, MovableClock], Awaitable[Attempt]]


def attack(**changes: Any) -> Attack:
    """A right answer to a message, handed in with something changed: `nonce`, `signature`, or what `prove` is told besides.

    `signs` makes the signature from the text; `about` are the terms of the message.
    """

    async def make(proofs: SignInProofs, _clock: MovableClock) -> Attempt:
        rest = dict(changes)
        message = await proofs.propose(VISITOR, terms(ANN, **rest.pop("about", {})))
        sign = rest.pop("signs", ANN.sign)
        signature = rest.pop("signature", None) or sign(sign_in_text(message))
        return Attempt(rest.pop("nonce", message.nonce), signature, rest)

    return make


async def replayed(proofs: SignInProofs, _clock: MovableClock) -> Attempt:
    message = await proofs.propose(VISITOR, terms(ANN))
    signature = ANN.sign(sign_in_text(message))
    await prove(proofs, message.nonce, signature)
    return Attempt(message.nonce, signature, {})


async def tried_before(proofs: SignInProofs, _clock: MovableClock) -> Attempt:
    message = await proofs.propose(VISITOR, terms(ANN))
    with pytest.raises(SignInRefusedError):
        await prove(proofs, message.nonce, "0x00")
    return Attempt(message.nonce, ANN.sign(sign_in_text(message)), {})


async def swapped(proofs: SignInProofs, _clock: MovableClock) -> Attempt:
    first = await proofs.propose(VISITOR, terms(ANN))
    second = await proofs.propose(VISITOR, terms(ANN))
    return Attempt(second.nonce, ANN.sign(sign_in_text(first)), {})


async def stale(proofs: SignInProofs, clock: MovableClock) -> Attempt:
    made = await attack()(proofs, clock)
    clock.advance(601)
    return made


async def expired(proofs: SignInProofs, clock: MovableClock) -> Attempt:
    made = await attack()(SignInProofs(Chains(silent), proofs._nonces, clock=clock, session_lifetime=SHORT), clock)
    clock.advance(SHORT.total_seconds())
    return made


async def from_a_clock_ahead(proofs: SignInProofs, clock: MovableClock) -> Attempt:
    ahead = MovableClock(clock.now() + SHORT)
    return await attack()(SignInProofs(Chains(silent), proofs._nonces, clock=ahead), clock)


def malleable(signature: str) -> str:
    """The same signature in its other form."""
    raw = bytes.fromhex(signature[2:])
    s = ORDER - int.from_bytes(raw[32:64], "big")
    return "0x" + (raw[:32] + s.to_bytes(32, "big") + bytes([55 - raw[64]])).hex()


SHORT = timedelta(minutes=2)
SOLANA = solana(7)


def with_text(of: str, into: str) -> Attack:
    """The wallet says that it signed another text than it was given."""

    async def make(proofs: SignInProofs, _clock: MovableClock) -> Attempt:
        message = await proofs.propose(VISITOR, terms(SOLANA))
        text = solana_sign_in_text(message).replace(of, into)
        return Attempt(message.nonce, SOLANA.sign(text), {"account": SOLANA.account, "text": text})

    return make


ATTACKS: dict[str, tuple[Attack, str]] = {
    "a nonce that is replayed": (replayed, "unknown"),
    "a nonce after a failed attempt": (tried_before, "unknown"),
    "a nonce that is swapped for another of the visitor": (swapped, "not_signed"),
    "a nonce that is stale": (stale, "unknown"),
    "a nonce of another visitor": (attack(visitor="visitor-2"), "unknown"),
    "a nonce of nobody": (attack(visitor=""), "unknown"),
    "a nonce that was never given out": (attack(nonce="0" * 32), "unknown"),
    "a nonce that is no text": (attack(nonce=["x"]), "unknown"),
    "a nonce of half a character": (attack(nonce="\ud800" * 32), "unknown"),
    "a nonce without an end": (attack(nonce="a" * 10**6), "unknown"),
    "a message with one character altered": (attack(signs=lambda text: ANN.sign(text.replace("Tide", "Ride"))), "not_signed"),
    "a message with a blank at its end": (attack(signs=lambda text: ANN.sign(text + " ")), "not_signed"),
    "a signature of another account": (attack(signs=EVE.sign), "not_signed"),
    "another account than the active one": (attack(account=EVE.account), "another_account"),
    "an account that is none": (attack(account=parse_account_id("eip155:1:0x12")), "another_account"),
    "another chain than the active one": (attack(account=ANN.on("eip155:137").account), "another_account"),
    "a message for another chain": (attack(signs=lambda text: ANN.sign(text.replace("Chain ID: 1", "Chain ID: 137"))), "not_signed"),
    "a message for another domain": (attack(signs=lambda text: ANN.sign(text.replace("app.example:8443 ", "evil.example "))), "not_signed"),
    "a message for another uri": (attack(signs=lambda text: ANN.sign(text.replace("/login", "/other"))), "not_signed"),
    "a message of another version": (attack(signs=lambda text: ANN.sign(text.replace("Version: 1", "Version: 2"))), "not_signed"),
    "a message for another page": (attack(origin="https://evil.example"), "another_page"),
    "a message for the page without its port": (attack(origin="https://app.example"), "another_page"),
    "a message for the page without encryption": (attack(origin="http://app.example:8443"), "another_page"),
    "a message that is expired": (expired, "expired"),
    "a message that is not yet valid": (from_a_clock_ahead, "too_early"),
    "a malleable signature": (attack(signs=lambda text: malleable(ANN.sign(text))), "not_signed"),
    "a signature cut short": (attack(signs=lambda text: ANN.sign(text)[:-2]), "not_signed"),
    "an oversized signature": (attack(signature="0x" + "00" * 100_000), "not_signed"),
    "a signature that is no text": (attack(signature={"r": 1}), "not_signed"),
    "no signature": (attack(signature="0x"), "not_signed"),
    "another text of a wallet on eip155": (attack(text="Hello"), "another_text"),
    "an oversized text of a wallet": (attack(text="x" * 10**6), "another_text"),
    "a text that is no text": (attack(text=5), "another_text"),
    "a wallet's own text without the nonce": (with_text("Nonce: ", "Number: "), "another_text"),
    "a wallet's own text for another domain": (with_text("app.example:8443 wants", "evil.example wants"), "another_text"),
    "a wallet's own text for another network": (with_text("solana:mainnet", "solana:devnet"), "another_text"),
    "a wallet's own text with a line more": (with_text("Version: 1", "Version: 1\nRequest ID: x"), "another_text"),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
async def test_nobody_is_signed_in_by(name: str, proofs: SignInProofs, clock: MovableClock) -> None:
    make, refusal = ATTACKS[name]
    attempt = await make(proofs, clock)
    with pytest.raises(SignInRefusedError) as refused:
        await prove(proofs, attempt.nonce, attempt.signature, **attempt.changes)
    assert refused.value.refusal == refusal
    assert (refused.value.short_message, refused.value.code) == ("The signature is not valid", 4100)
