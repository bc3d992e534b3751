"""Hostile answers to a one-click sign-in, each of which signs nobody in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.services.cacao_terms import SENTENCE, cacao, recap, terms
from tests.services.sign_in_terms import ANN, EVE, ORIGIN, VISITOR, clock, proofs
from tests.services.signers import solana
from walletmodal.core.chains.caip import parse_account_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import SignInRefusedError
from walletmodal.core.sign_in.cacao import PairingSignIn
from walletmodal.core.sign_in.message import sign_in_text
from walletmodal.services.sign_in import SignInProofs, SignInTerms

__all__ = ["clock", "proofs"]

Attack = Callable[[SignInProofs, PairingSignIn, MovableClock], Awaitable[object]]


def answer(**changes: Any) -> Attack:
    """One answer with something changed."""

    async def make(_proofs: SignInProofs, asked: PairingSignIn, _clock: MovableClock) -> object:
        return [cacao(asked, changes.get("signer", ANN), **{k: v for k, v in changes.items() if k != "signer"})]

    return make


def said(**fields: Any) -> Attack:
    """The wallet signs, rightly, a text that says something else."""
    return answer(says=fields)


def given(make: Callable[[PairingSignIn], object]) -> Attack:
    """Whatever comes out of a function."""

    async def attack(_proofs: SignInProofs, asked: PairingSignIn, _clock: MovableClock) -> object:
        return make(asked)

    return attack


async def replayed(proofs: SignInProofs, asked: PairingSignIn, _clock: MovableClock) -> object:
    await proofs.prove_pairing(VISITOR, [cacao(asked)], origin=ORIGIN)
    return [cacao(asked)]


async def tried_before(proofs: SignInProofs, asked: PairingSignIn, _clock: MovableClock) -> object:
    with pytest.raises(SignInRefusedError):
        await proofs.prove_pairing(VISITOR, [cacao(asked, EVE, signs=ANN.sign)], origin=ORIGIN)
    return [cacao(asked)]


async def stale(_proofs: SignInProofs, asked: PairingSignIn, clock: MovableClock) -> object:
    clock.advance(3601)
    return [cacao(asked)]


async def of_another_visitor(proofs: SignInProofs, _asked: PairingSignIn, _clock: MovableClock) -> object:
    return [cacao(await proofs.propose_pairing("visitor-2", terms()))]


async def of_another_proposal(proofs: SignInProofs, asked: PairingSignIn, _clock: MovableClock) -> object:
    other = await proofs.propose_pairing(VISITOR, terms(methods=("personal_sign",)))
    return [cacao(asked, signs=lambda text: ANN.sign(text.replace(asked.message.nonce, other.message.nonce)))]


async def meant_for_one_wallet(proofs: SignInProofs, asked: PairingSignIn, _clock: MovableClock) -> object:
    message = await proofs.propose(VISITOR, SignInTerms(ANN.account, ORIGIN))
    return [cacao(asked, says={"nonce": message.nonce})]


def without(field: str) -> Attack:
    """The payload lacks a field that is in the text."""

    def make(asked: PairingSignIn) -> object:
        made = cacao(asked)
        del made["p"][field]
        return [made]

    return given(make)


def altered(field: str, value: object, part: str = "p") -> Attack:
    """A right answer, changed on its way."""

    def make(asked: PairingSignIn) -> object:
        made = cacao(asked)
        made[part][field] = value
        return [made]

    return given(make)


METHODS = ("personal_sign",)
GRANTS = f"Sign in to Tideswap. {SENTENCE}(1) 'request': 'wallet_drain' for 'eip155'."

ATTACKS: dict[str, tuple[Attack, str]] = {
    "an answer that is replayed": (replayed, "unknown"),
    "an answer after a failed attempt": (tried_before, "unknown"),
    "an answer that comes too late": (stale, "unknown"),
    "a nonce of another visitor": (of_another_visitor, "unknown"),
    "a nonce that was never given out": (said(nonce="0" * 32), "unknown"),
    "a nonce of a message for one wallet": (meant_for_one_wallet, "unknown"),
    "a nonce that is no text": (altered("nonce", ["x"]), "unknown"),
    "a nonce without an end": (altered("nonce", "a" * 10**6), "unknown"),
    "a nonce of another proposal in the text": (of_another_proposal, "not_signed"),
    "a text with one character altered": (answer(signs=lambda text: ANN.sign(text.replace("Tide", "Ride"))), "not_signed"),
    "somebody else's address": (answer(signer=EVE, signs=ANN.sign), "not_signed"),
    "an address that is none": (altered("iss", "did:pkh:eip155:1:0x12"), "another_account"),
    "an address whose checksum does not fit": (altered("iss", f"did:pkh:eip155:1:{ANN.account.address.swapcase().replace('X', 'x', 1)}"), "another_account"),
    "an account of another namespace": (altered("iss", f"did:pkh:{solana(7).account}"), "another_account"),
    "an account without its method": (altered("iss", str(ANN.account)), "another_account"),
    "a network that was not proposed": (answer(chain="eip155:10"), "another_account"),
    "a network that is none": (altered("iss", f"did:pkh:eip155:01:{ANN.account.address}"), "another_account"),
    "a network twice": (given(lambda asked: [cacao(asked), cacao(asked)]), "another_account"),
    "two accounts on one network": (given(lambda asked: [cacao(asked), cacao(asked, EVE)]), "another_account"),
    "one good answer and a bad one": (given(lambda asked: [cacao(asked), cacao(asked, chain="eip155:137", signs=EVE.sign)]), "not_signed"),
    "another domain": (said(domain="evil.example"), "another_page"),
    "another page": (said(aud="https://evil.example/"), "another_page"),
    "another page of the same host": (said(aud=f"{ORIGIN}/admin"), "another_page"),
    "another version": (said(version="2"), "another_text"),
    "another time of issue": (said(iat="2026-01-01T00:00:00Z"), "another_text"),
    "another end": (said(exp="2099-01-01T00:00:00.000Z"), "another_text"),
    "no end": (without("exp"), "another_text"),
    "a start of its own": (said(nbf="2026-01-01T00:00:00.000Z"), "another_text"),
    "a request id of its own": (said(requestId="other"), "another_text"),
    "another statement": (said(statement="Sign in to Rideswap."), "another_text"),
    "a statement that grants more": (said(statement=GRANTS), "another_text"),
    "a statement of two lines": (said(statement="Sign in to Tideswap.\nURI: https://evil.example"), "another_text"),
    "a method that was not asked for": (said(statement=GRANTS, resources=[recap("wallet_drain")]), "another_text"),
    "a recap for a network that was not proposed": (said(resources=[recap(*METHODS, chains=["eip155:5"])]), "another_text"),
    "a recap with limits that nobody knows": (said(resources=[recap(*METHODS, amount=5)]), "another_text"),
    "a recap that is none": (said(resources=["urn:recap:###"]), "another_text"),
    "a recap nested a thousand deep": (said(resources=["urn:recap:" + "W1tb" * 1000]), "another_text"),
    "a recap without an end": (said(resources=["urn:recap:" + "A" * 10**6]), "another_text"),
    "no recap": (said(resources=[]), "another_text"),
    "a resource more": (said(resources=["https://evil.example", recap(*METHODS)]), "another_text"),
    "resources that are no list": (altered("resources", {"0": "x"}), "another_text"),
    "a field that nobody knows": (altered("scope", "all"), "another_text"),
    "a header that nobody knows": (altered("t", "none", "h"), "another_text"),
    "a signature that nobody knows": (answer(kind="none"), "not_signed"),
    "a signature that is no text": (altered("s", {"r": 1}, "s"), "not_signed"),
    "an oversized signature": (altered("s", "0x" + "00" * 100_000, "s"), "not_signed"),
    "no signature": (altered("s", "0x", "s"), "not_signed"),
    "no answer": (given(lambda _: []), "unknown"),
    "an answer that is no list": (given(cacao), "unknown"),
    "an answer without parts": (given(lambda asked: [cacao(asked), {"p": 1}]), "another_text"),
    "ten thousand answers": (given(lambda asked: [cacao(asked)] * 10_000), "not_signed"),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
async def test_nobody_is_signed_in_by(name: str, proofs: SignInProofs, clock: MovableClock) -> None:
    make, refusal = ATTACKS[name]
    asked = await proofs.propose_pairing(VISITOR, terms())
    cacaos = await make(proofs, asked, clock)
    with pytest.raises(SignInRefusedError) as refused:
        await proofs.prove_pairing(VISITOR, cacaos, origin=ORIGIN)
    assert refused.value.refusal == refusal


async def test_the_wallet_of_these_attacks_signs_in_where_it_is_honest(proofs: SignInProofs) -> None:
    asked = await proofs.propose_pairing(
        VISITOR, terms(request_id="host-nonce", resources=("https://app.example/terms",))
    )
    cacaos = [cacao(asked), cacao(asked, EVE, "eip155:137")]
    proven = await proofs.prove_pairing(VISITOR, cacaos, origin=ORIGIN)
    assert [str(one.message.account_id) for one in proven] == [
        f"eip155:1:{ANN.account.address}",
        f"eip155:137:{EVE.account.address}",
    ]


@pytest.mark.parametrize("origin", ["https://evil.example", ORIGIN.replace("https:", "http:")])
async def test_another_page_in_the_frame_is_not_signed_in(proofs: SignInProofs, origin: str) -> None:
    asked = await proofs.propose_pairing(VISITOR, terms())
    with pytest.raises(SignInRefusedError) as refused:
        await proofs.prove_pairing(VISITOR, [cacao(asked)], origin=origin)
    assert refused.value.refusal == "another_page"


async def test_what_was_asked_of_a_pairing_answers_no_message_for_one_wallet(proofs: SignInProofs) -> None:
    asked = await proofs.propose_pairing(VISITOR, terms())
    account = replace(ANN.account, chain=parse_account_id(f"eip155:1:{ANN.account.address}").chain)
    text = sign_in_text(asked.message)
    with pytest.raises(SignInRefusedError) as refused:
        await proofs.prove(VISITOR, asked.message.nonce, ANN.sign(text), account=account, origin=ORIGIN)
    assert refused.value.refusal == "unknown"
