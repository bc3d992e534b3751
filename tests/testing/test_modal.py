"""The fake modal: what it says is what the real one says, and `walletmodal.host` cannot tell them apart."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import httpx
import pytest

from walletmodal.core.chains.caip import NAMESPACES, Namespace
from walletmodal.core.errors import ShapeError
from walletmodal.host import ModalUnreachableError, TokenError, verify
from walletmodal.testing import FakeModal, FakeWallet, SignInRefusedError, UserRejectedRequestError
from walletmodal.testing.modal import AUDIENCE


class LyingWallet(FakeWallet):
    """Signs something else than it was asked to."""

    def sign_message(self, text: str) -> str:
        return super().sign_message(f"{text} ")


def fault(modal: FakeModal, token: str, *, online: bool = False, nonce: str | None = None) -> str:
    with pytest.raises(TokenError) as refused:
        modal.verifier().verify(token, online=online, nonce=nonce)
    return refused.value.fault


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_a_host_learns_who_has_signed_in(walletmodal_modal: FakeModal, namespace: Namespace) -> None:
    wallet = FakeWallet(namespace)
    token = walletmodal_modal.token(walletmodal_modal.sign_in(wallet))
    assert verify(token, online=True).account == str(wallet.account)


def test_the_wallet_signs_the_message_of_the_hosts_page(
    walletmodal_modal: FakeModal, walletmodal_wallet: FakeWallet
) -> None:
    walletmodal_modal.sign_in(walletmodal_wallet, statement="Join the club.", page=f"{AUDIENCE}/login?secret")
    (text,) = walletmodal_wallet.signed
    assert text.startswith(
        f"app.example.com wants you to sign in with your Ethereum account:\n{walletmodal_wallet.address}\n"
    )
    assert "\nJoin the club.\n" in text
    assert f"\nURI: {AUDIENCE}/login\n" in text


def test_a_nonce_of_the_host_comes_back(walletmodal_modal: FakeModal, walletmodal_wallet: FakeWallet) -> None:
    token = walletmodal_modal.token(walletmodal_modal.sign_in(walletmodal_wallet, nonce="cart-17"))
    assert verify(token, nonce="cart-17").nonce == "cart-17"
    assert fault(walletmodal_modal, token, nonce="cart-18") == "nonce"


def test_who_declines_is_not_signed_in(walletmodal_modal: FakeModal, walletmodal_wallet: FakeWallet) -> None:
    walletmodal_wallet.declines = True
    with pytest.raises(UserRejectedRequestError):
        walletmodal_modal.sign_in(walletmodal_wallet)


def test_who_signs_another_text_is_not_signed_in(walletmodal_modal: FakeModal) -> None:
    with pytest.raises(SignInRefusedError) as refused:
        walletmodal_modal.sign_in(LyingWallet())
    assert refused.value.refusal == "not_signed"


def test_terms_that_make_no_message_are_refused(walletmodal_modal: FakeModal, walletmodal_wallet: FakeWallet) -> None:
    with pytest.raises(ShapeError):
        walletmodal_modal.sign_in(walletmodal_wallet, statement="two\nlines")
    with pytest.raises(ShapeError):
        walletmodal_modal.sign_in(walletmodal_wallet, page="https://elsewhere.example/")


def test_a_revoked_session_has_no_more_tokens_and_is_refused_online(
    walletmodal_modal: FakeModal, walletmodal_wallet: FakeWallet
) -> None:
    session = walletmodal_modal.sign_in(walletmodal_wallet)
    token = walletmodal_modal.token(session)
    walletmodal_modal.revoke(session)
    assert verify(token).address == walletmodal_wallet.address
    assert fault(walletmodal_modal, token, online=True) == "revoked"
    with pytest.raises(TokenError):
        walletmodal_modal.token(session)


def test_one_session_ends_without_the_others(walletmodal_modal: FakeModal) -> None:
    first, second = (walletmodal_modal.sign_in(FakeWallet()) for _ in range(2))
    walletmodal_modal.revoke(first)
    assert verify(walletmodal_modal.token(second), online=True).session_id == second.id


def test_a_session_of_another_modal_has_no_token(walletmodal_modal: FakeModal, walletmodal_wallet: FakeWallet) -> None:
    with FakeModal() as another, pytest.raises(ValueError, match="another one"):
        walletmodal_modal.token(another.sign_in(walletmodal_wallet))


def test_a_token_ends_by_the_modals_clock(walletmodal_modal: FakeModal, walletmodal_wallet: FakeWallet) -> None:
    token = walletmodal_modal.token(walletmodal_modal.sign_in(walletmodal_wallet))
    walletmodal_modal.clock.advance(timedelta(minutes=6).total_seconds())
    with pytest.raises(TokenError) as refused:
        verify(token)
    assert refused.value.fault == "time"


def test_a_session_ends_after_its_days(walletmodal_modal: FakeModal, walletmodal_wallet: FakeWallet) -> None:
    session = walletmodal_modal.sign_in(walletmodal_wallet)
    walletmodal_modal.clock.advance(timedelta(days=7, seconds=1).total_seconds())
    with pytest.raises(TokenError):
        walletmodal_modal.token(session)


def test_every_forged_token_is_refused(walletmodal_modal: FakeModal, walletmodal_wallet: FakeWallet) -> None:
    forged = walletmodal_modal.forged_tokens(walletmodal_modal.sign_in(walletmodal_wallet))
    faults = {why: fault(walletmodal_modal, token) for why, token in forged.items()}
    assert set(faults.values()) == {"form", "key", "signature", "issuer", "audience", "time"}


def test_a_token_of_before_the_keys_changed_is_still_believed(
    walletmodal_modal: FakeModal, walletmodal_wallet: FakeWallet
) -> None:
    session = walletmodal_modal.sign_in(walletmodal_wallet)
    before = walletmodal_modal.token(session)
    walletmodal_modal.rotate_keys()
    host = walletmodal_modal.verifier()
    assert host.verify(before).account == host.verify(walletmodal_modal.token(session)).account


def test_a_modal_that_is_away_says_nothing(walletmodal_modal: FakeModal, walletmodal_wallet: FakeWallet) -> None:
    token = walletmodal_modal.token(walletmodal_modal.sign_in(walletmodal_wallet))
    walletmodal_modal.away = True
    with pytest.raises(ModalUnreachableError):
        walletmodal_modal.verifier().verify(token)
    walletmodal_modal.away = False
    assert walletmodal_modal.verifier().verify(token).address == walletmodal_wallet.address


def test_it_tells_what_it_was_asked(walletmodal_modal: FakeModal, walletmodal_wallet: FakeWallet) -> None:
    session = walletmodal_modal.sign_in(walletmodal_wallet)
    walletmodal_modal.verifier().verify(walletmodal_modal.token(session), online=True)
    assert walletmodal_modal.asked == ("GET /.well-known/jwks.json", f"GET /v1/sessions/{session.id}")


def test_its_host_api_is_the_one_of_the_real_modal(
    walletmodal_modal: FakeModal, walletmodal_wallet: FakeWallet
) -> None:
    session = walletmodal_modal.sign_in(walletmodal_wallet, statement="Join.")
    with httpx.Client(base_url=walletmodal_modal.url, trust_env=False) as client:
        path, key = f"/v1/sessions/{session.id}", {"Authorization": f"Bearer {walletmodal_modal.api_key}"}
        assert client.get(path).status_code == 401
        found = client.get(path, headers=key).json()
        assert (found["address"], found["statement"]) == (str(walletmodal_wallet.account), "Join.")
        assert client.get("/v1/sessions/another", headers=key).status_code == 404
        assert client.get("/elsewhere", headers=key).status_code == 404
        assert [client.delete(path, headers=key).status_code for _ in range(2)] == [204, 404]
        assert client.get(path, headers=key).status_code == 404


def test_it_can_be_used_in_an_event_loop(walletmodal_modal: FakeModal, walletmodal_wallet: FakeWallet) -> None:
    async def signed_in() -> str:
        return walletmodal_modal.token(walletmodal_modal.sign_in(walletmodal_wallet))

    assert verify(asyncio.run(signed_in())).address == walletmodal_wallet.address
