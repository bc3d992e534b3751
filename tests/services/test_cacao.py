"""One-click sign-in: what wallets sign while they pair, made by the SDK's own functions."""

from __future__ import annotations

import asyncio
import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from scripts.project import ROOT, VENV_BIN
from tests.components.pairing.phone import OLDER
from tests.patience import PATIENCE
from tests.services.cacao_terms import CHAINS, SENTENCE, cacao, recap, request, terms
from tests.services.sign_in_terms import ANN, ORIGIN, VISITOR, clock, proofs
from tests.services.signers import silent
from walletmodal.commands.project import tool_environment
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import ShapeError
from walletmodal.core.requests.methods import PAIRED_METHODS
from walletmodal.core.sign_in.cacao import PairingSignIn, read_cacao
from walletmodal.services.chains.registry import Chains
from walletmodal.services.sign_in import MemoryNonces, SignInProofs

__all__ = ["clock", "proofs"]

_PROGRAM: Final = Path(__file__).parent / "cacao_sdk.mjs"
_FEW = ["personal_sign", "eth_sendTransaction", "eth_signTypedData_v4"]
_CASES: Final[dict[str, tuple[dict[str, Any], dict[str, Any]]]] = {
    "one network": ({}, {"chains": ["eip155:137"], "methods": _FEW}),
    "every network": ({}, {"chains": list(CHAINS), "methods": _FEW}),
    "every method": ({}, {"chains": ["eip155:1"], "methods": list(PAIRED_METHODS["eip155"])}),
    "as it was asked": ({}, {"chains": ["eip155:1"], "methods": [], "narrowed": False}),
    "no statement": ({"statement": None}, {"chains": ["eip155:1"], "methods": _FEW}),
    "no statement, as it was asked": ({"statement": None}, {"chains": ["eip155:1"], "methods": [], "narrowed": False}),
    "letters of the world": (
        {"statement": "Anmelden bei Tideswap – 登录 ✓"},
        {"chains": ["eip155:1"], "methods": _FEW},
    ),
    "the host's nonce and resources": (
        {"request_id": "host-nonce", "resources": ("https://app.example/terms",)},
        {"chains": ["eip155:1"], "methods": _FEW},
    ),
}


@pytest.fixture(scope="module", params=["today's", "older"])
def made(request: pytest.FixtureRequest) -> dict[str, tuple[SignInProofs, PairingSignIn, list[dict[str, Any]]]]:
    """For each case what was asked, and what the SDK answers."""
    packages = OLDER if request.param == "older" else ROOT / "sandbox" / "package.json"
    asked = asyncio.run(_asked())
    program = [str(part) for part in (VENV_BIN / "node", _PROGRAM, packages)]
    lines = "\n".join(_line(name, one) for name, (_, one) in asked.items())
    ran = subprocess.run(
        program,
        input=lines,
        cwd=ROOT,
        env=tool_environment(),
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    answers = map(json.loads, ran.stdout.splitlines())
    return {name: (*asked[name], answer) for name, answer in zip(asked, answers, strict=True)}


async def _asked() -> dict[str, tuple[SignInProofs, PairingSignIn]]:
    clock = MovableClock()
    asked = {}
    for name, (changes, _) in _CASES.items():
        proofs = SignInProofs(Chains(silent), MemoryNonces(clock), clock=clock)
        asked[name] = proofs, await proofs.propose_pairing(VISITOR, terms(**changes))
    return asked


def _line(name: str, asked: PairingSignIn) -> str:
    return json.dumps({"narrowed": True, **_CASES[name][1], "request": request(asked)})


@pytest.mark.parametrize("name", _CASES)
async def test_what_the_sdk_signs_is_a_sign_in(made: dict[str, Any], name: str) -> None:
    proofs, asked, answers = made[name]
    for answer in answers:
        assert read_cacao(answer["cacao"], asked).text == answer["message"]
    proven = await proofs.prove_pairing(VISITOR, [answer["cacao"] for answer in answers], origin=ORIGIN)
    assert [one.text for one in proven] == [answer["message"] for answer in answers]
    assert [str(one.message.account_id) for one in proven] == [
        f"{chain}:{ANN.account.address}" for chain in _CASES[name][1]["chains"]
    ]
    for one in proven:
        assert (one.message.statement, one.message.resources) == (asked.message.statement, asked.message.resources)
        assert (one.message.nonce, one.message.request_id) == (asked.message.nonce, asked.message.request_id)
        assert (one.message.issued_at, one.message.expiration_time) == (
            asked.message.issued_at,
            asked.message.expiration_time,
        )
        assert one.signature.startswith("0x")


async def test_an_address_may_be_spelled_without_its_checksum(proofs: SignInProofs) -> None:
    asked = await proofs.propose_pairing(VISITOR, terms())
    lower = replace(ANN, account=replace(ANN.account, address=ANN.account.address.lower()))
    (proven,) = await proofs.prove_pairing(VISITOR, [cacao(asked, lower)], origin=ORIGIN)
    assert proven.message.account_address == ANN.account.address
    assert lower.account.address in proven.text


async def test_methods_may_stand_in_the_order_of_their_codes(proofs: SignInProofs) -> None:
    asked = await proofs.propose_pairing(VISITOR, terms(methods=("eth_signA", "eth_signb", "eth_signC")))
    names = "'eth_signA', 'eth_signC', 'eth_signb'"
    said = {
        "statement": f"Sign in to Tideswap. {SENTENCE}(1) 'request': {names} for 'eip155'.",
        "resources": [recap("eth_signA", "eth_signC", "eth_signb")],
    }
    assert await proofs.prove_pairing(VISITOR, [cacao(asked, says=said)], origin=ORIGIN)


@pytest.mark.parametrize(
    "change",
    [
        {"chains": ()},
        {"chains": ("eip155:1", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")},
        {"chains": tuple(f"eip155:{number}" for number in range(1, 34))},
        {"methods": ()},
        {"origin": "null"},
        {"page": "https://evil.example/"},
        {"statement": "two\nlines"},
        {"statement": f"{SENTENCE}everything."},
        {"resources": (recap("eth_sign"),)},
    ],
)
async def test_terms_that_make_no_message_are_refused(proofs: SignInProofs, change: dict[str, Any]) -> None:
    with pytest.raises(ShapeError):
        await proofs.propose_pairing(VISITOR, terms(**change))
