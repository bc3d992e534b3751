"""A sign-in from its message to its proof, with keys of every namespace."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import replace
from typing import Any

import base58
import pytest

from tests.services.sign_in_terms import ANN, EVE, ORIGIN, VISITOR, clock, proofs, prove, terms
from tests.services.signers import MAKERS, bitcoin, solana
from walletmodal.core.chains.caip import parse_account_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import AddressError, ShapeError
from walletmodal.core.errors.sign_in import SignInRefusedError, SignInUncheckedError
from walletmodal.core.sign_in.message import sign_in_text
from walletmodal.core.sign_in.reading import read_sign_in_text
from walletmodal.core.sign_in.solana import solana_sign_in_text
from walletmodal.services.chains.registry import Chains
from walletmodal.services.sign_in import MemoryNonces, SignInProofs

__all__ = ["clock", "proofs"]


@pytest.mark.parametrize("kind", MAKERS)
async def test_a_key_of_every_kind_signs_in(proofs: SignInProofs, clock: MovableClock, kind: str) -> None:
    signer = MAKERS[kind](7)
    message = await proofs.propose(VISITOR, terms(signer))
    text = sign_in_text(message)
    proven = await prove(proofs, message.nonce, signer.sign(text), account=signer.account)
    assert (proven.message, proven.text, proven.origin, proven.proven_at) == (message, text, ORIGIN, clock.now())
    assert proven.message.account_id == signer.account


@pytest.mark.parametrize("kind", MAKERS)
async def test_another_key_of_every_kind_does_not(proofs: SignInProofs, kind: str) -> None:
    signer, other = MAKERS[kind](7), MAKERS[kind](8)
    message = await proofs.propose(VISITOR, terms(signer))
    with pytest.raises(SignInRefusedError):
        await prove(proofs, message.nonce, other.sign(sign_in_text(message)), account=signer.account)


async def test_a_message_says_who_signs_what_where_and_until_when(proofs: SignInProofs, clock: MovableClock) -> None:
    message = await proofs.propose(
        VISITOR, terms(ANN, request_id="host-nonce", resources=("https://app.example/terms",))
    )
    assert (message.domain, message.uri, message.version) == ("app.example:8443", f"{ORIGIN}/login", "1")
    assert (message.account_id, message.statement) == (ANN.account, "Sign in to Tideswap.")
    assert (message.issued_at, message.not_before) == (clock.now(), None)
    assert (message.request_id, message.resources) == ("host-nonce", ("https://app.example/terms",))
    assert read_sign_in_text(sign_in_text(message)) == message


async def test_no_two_messages_have_the_same_nonce(proofs: SignInProofs) -> None:
    nonces = {(await proofs.propose(VISITOR, terms(ANN))).nonce for _ in range(50)}
    assert len(nonces) == 50
    assert {len(nonce) for nonce in nonces} == {32}


async def test_the_address_may_come_in_any_valid_spelling(proofs: SignInProofs) -> None:
    lower = replace(ANN.account, address=ANN.account.address.lower())
    message = await proofs.propose(VISITOR, replace(terms(ANN), account=lower))
    assert message.account_address == ANN.account.address
    proven = await prove(proofs, message.nonce, ANN.sign(sign_in_text(message)), account=lower)
    assert proven.message.account_id == ANN.account


async def test_a_solana_wallet_that_writes_the_text_itself_signs_in(proofs: SignInProofs) -> None:
    signer = solana(7)
    message = await proofs.propose(VISITOR, terms(signer, statement=None))
    text = solana_sign_in_text(message)
    assert text != sign_in_text(message)
    proven = await prove(proofs, message.nonce, signer.sign(text), account=signer.account, text=text)
    assert proven.text == text


@pytest.mark.parametrize(
    "change",
    [
        {"origin": "null"},
        {"origin": "app.example"},
        {"origin": "https://App.Example"},
        {"page": "https://evil.example/login"},
        {"page": "https://app.example:8443.evil.example/"},
        {"page": "https://user@app.example:8443/"},
        {"page": "javascript:alert(1)"},
        {"page": "https://[::1/"},
        {"statement": "two\nlines"},
        {"statement": "x" * 501},
        {"request_id": "with blank"},
        {"request_id": "x" * 257},
        {"resources": ("no uri",)},
        {"resources": ("https://a.example/" + "x" * 2000,) * 8},
        {"resources": ("a:b",) * 33},
    ],
)
async def test_terms_that_make_no_message_are_refused(proofs: SignInProofs, change: dict[str, Any]) -> None:
    with pytest.raises(ShapeError):
        await proofs.propose(VISITOR, terms(ANN, **change))


async def test_an_account_that_is_none_gets_no_message(proofs: SignInProofs) -> None:
    with pytest.raises(AddressError):
        await proofs.propose(VISITOR, terms(ANN.on("eip155:1"), account=parse_account_id("eip155:1:0x1234")))


async def test_a_page_with_an_endless_path_is_its_origin(proofs: SignInProofs) -> None:
    assert (await proofs.propose(VISITOR, terms(ANN, page=f"{ORIGIN}/{'x' * 600}"))).uri == ORIGIN


async def test_what_a_visitor_was_given_before_an_attack_on_another_is_still_good(proofs: SignInProofs) -> None:
    message = await proofs.propose(VISITOR, terms(ANN))
    with pytest.raises(SignInRefusedError):
        await prove(proofs, message.nonce, ANN.sign(sign_in_text(message)), visitor="visitor-2")
    assert await prove(proofs, message.nonce, ANN.sign(sign_in_text(message)))


async def test_a_bitcoin_address_of_another_network_signs_nothing(proofs: SignInProofs) -> None:
    signer = bitcoin(7, "p2wpkh").on("bip122:000000000933ea01ad0ee984209779ba")
    message = await proofs.propose(VISITOR, terms(signer))
    with pytest.raises(SignInRefusedError):
        await prove(proofs, message.nonce, signer.sign(sign_in_text(message)), account=signer.account)


class Hanging:
    """A node that never answers."""

    async def request(self, _method: str, _params: object = ()) -> object:
        await asyncio.Event().wait()
        return None


async def test_where_only_a_contract_could_tell_and_no_node_answers_nothing_is_known(clock: MovableClock) -> None:
    proofs = SignInProofs(Chains(lambda _chain: Hanging()), MemoryNonces(clock), clock=clock, check_seconds=0.01)
    message = await proofs.propose(VISITOR, terms(ANN))
    with pytest.raises(SignInUncheckedError):
        await prove(proofs, message.nonce, EVE.sign(sign_in_text(message)))
    with pytest.raises(SignInRefusedError):
        await prove(proofs, message.nonce, ANN.sign(sign_in_text(message)))


async def test_a_key_signs_in_while_no_node_answers(clock: MovableClock) -> None:
    proofs = SignInProofs(Chains(lambda _chain: Hanging()), MemoryNonces(clock), clock=clock, check_seconds=30)
    message = await proofs.propose(VISITOR, terms(ANN))
    assert await prove(proofs, message.nonce, ANN.sign(sign_in_text(message)))


async def test_base64_of_a_solana_wallet_is_as_good_as_base58(proofs: SignInProofs) -> None:
    signer = solana(7)
    message = await proofs.propose(VISITOR, terms(signer))
    raw = base58.b58decode(signer.sign(sign_in_text(message)))
    assert await prove(proofs, message.nonce, base64.b64encode(raw).decode(), account=signer.account)
