"""One-click sign-ins for tests: their terms, the request that a wallet gets, and a wallet written from the standards."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.services.sign_in_terms import ANN, ORIGIN, PAGE
from tests.services.signers import Signer
from walletmodal.core.requests.methods import PAIRED_METHODS
from walletmodal.core.sign_in.cacao import PairingSignIn, proposed_sign_in
from walletmodal.services.sign_in import PairingTerms

CHAINS = ("eip155:1", "eip155:137", "eip155:8453")
SENTENCE = "I further authorize the stated URI to perform the following actions on my behalf: "


def terms(**changes: Any) -> PairingTerms:
    return replace(
        PairingTerms(CHAINS, PAIRED_METHODS["eip155"], ORIGIN, PAGE, statement="Sign in to Tideswap."), **changes
    )


def request(asked: PairingSignIn) -> dict[str, Any]:
    """The request as the wallet gets it."""
    wire = proposed_sign_in(asked)
    named = {name: wire[name] for name in ("domain", "nonce", "iat", "exp", "statement", "resources", "chains")}
    more = {"requestId": wire["requestId"]} if wire["requestId"] else {}
    return {"type": "caip122", "version": "1", "aud": wire["uri"], **named, **more}


def recap(*methods: str, **limits: Any) -> str:
    text = json.dumps({"att": {"eip155": {f"request/{method}": [limits] for method in methods}}})
    return "urn:recap:" + base64.b64encode(text.encode()).decode().rstrip("=")


def cacao(
    asked: PairingSignIn,
    signer: Signer = ANN,
    chain: str = "eip155:1",
    *,
    signs: Callable[[str], str] | None = None,
    says: dict[str, Any] | None = None,
    kind: object = "eip191",
) -> dict[str, Any]:
    """What a wallet answers that grants one method on the first network.

    Args:
        signs: makes the signature of the text.
        says: what stands in the payload instead, also in the text.
    """
    given = request(asked)
    names = ("domain", "aud", "version", "nonce", "iat", "exp", "requestId")
    payload = {
        "iss": f"did:pkh:{chain}:{signer.account.address}",
        **{name: given[name] for name in names if name in given},
        "statement": f"{given['statement']} {SENTENCE}(1) 'request': 'personal_sign' for 'eip155'.",
        "resources": [*given["resources"][:-1], recap("personal_sign", chains=["eip155:1"])],
        **(says or {}),
    }
    sign = signs or signer.sign
    return {"h": {"t": "caip122"}, "p": payload, "s": {"t": kind, "s": sign(text_of(payload))}}


def text_of(payload: dict[str, Any]) -> str:
    """EIP-4361 of a payload, with all that it says."""
    _, _, _, reference, address = str(payload["iss"]).split(":")
    lines = [
        f"{payload['domain']} wants you to sign in with your Ethereum account:",
        address,
        "",
        payload["statement"],
        "",
    ]
    lines += [f"URI: {payload['aud']}", f"Version: {payload['version']}", f"Chain ID: {reference}"]
    lines += [f"Nonce: {payload['nonce']}", f"Issued At: {payload['iat']}", f"Expiration Time: {payload['exp']}"]
    lines += [f"Not Before: {payload['nbf']}"] if "nbf" in payload else []
    lines += [f"Request ID: {payload['requestId']}"] if "requestId" in payload else []
    return "\n".join([*lines, "Resources:", *(f"- {resource}" for resource in payload["resources"])])
