"""Terms of a sign-in, and who proves them, for tests. Import the fixtures `clock` and `proofs` by their names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.services.signers import Signer, evm, silent
from walletmodal.core.clock import MovableClock
from walletmodal.services.chains.registry import Chains
from walletmodal.services.sign_in import MemoryNonces, ProvenSignIn, SignInProofs, SignInTerms

ORIGIN = "https://app.example:8443"
PAGE = f"{ORIGIN}/login?invite=secret#top"
VISITOR = "visitor-1"
ANN, EVE = evm(7), evm(8)


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def proofs(clock: MovableClock) -> SignInProofs:
    return SignInProofs(Chains(silent), MemoryNonces(clock), clock=clock)


def terms(signer: Signer, **changes: Any) -> SignInTerms:
    return replace(SignInTerms(signer.account, ORIGIN, PAGE, statement="Sign in to Tideswap."), **changes)


async def prove(proofs: SignInProofs, nonce: object, signature: object, **changes: Any) -> ProvenSignIn:
    given = {"account": ANN.account, "origin": ORIGIN, **changes}
    return await proofs.prove(given.pop("visitor", VISITOR), nonce, signature, **given)
