"""Signing in with wallets of every namespace: what each is asked, and what its answer proves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import base58
import pytest

from tests.driver import METAMASK, Driver
from tests.features.test_sign_in import REQUIRED, held, identify, question, view
from tests.services.signers import MAKERS, Signer
from walletmodal.core.sign_in.message import parse_sign_in_message
from walletmodal.core.sign_in.solana import solana_sign_in_text
from walletmodal.deployment import Deployment
from walletmodal.features.signin.state import SignInState
from walletmodal.features.toasts.state import ToastState

pytestmark = [
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
    pytest.mark.usefixtures("every_chain"),
]


async def arrives(driver: Driver, signer: Signer, connector: str = "wallet") -> None:
    """A page whose wallet has granted the signer's account."""
    chain = signer.account.chain
    sessions = {
        chain.namespace: {"connector": connector, "accounts": [signer.account.address], "chain": chain.reference}
    }
    wallet = {**METAMASK, "id": "wallet", "namespaces": [chain.namespace], "name": "Wallet", "rdns": ""}
    await driver.load(options=REQUIRED, wallets=[wallet], sessions=sessions)
    await identify(driver)
    assert await view(driver) == "SIWXSignMessage"
    await driver.fire(SignInState.sign)


def text_of(params: Any) -> str:
    """What the wallet is to sign."""
    if isinstance(params, list):
        return bytes.fromhex(params[0][2:]).decode()
    message = params["message"]
    return base58.b58decode(message).decode() if "pubkey" in params else str(message)


def written(asked: dict[str, Any], signer: Signer) -> str:
    """The text that a wallet of its own makes of Solana's sign-in input."""
    given = {**asked["input"], "accountAddress": asked["input"]["address"], "chainId": str(signer.account.chain)}
    return solana_sign_in_text(parse_sign_in_message({k: v for k, v in given.items() if k != "address"}))


METHODS = {
    "eip155": "personal_sign",
    "p2wpkh": "signMessage",
    "p2wpkh 1.0.0": "signMessage",
    "multisig": "signMessage",
    "p2tr": "signMessage",
    "p2wpkh legacy": "signMessage",
    "sr25519": "polkadot_signMessage",
    "polkadot ed25519": "polkadot_signMessage",
}


@pytest.mark.parametrize("kind", METHODS)
async def test_the_wallets_signature_signs_in(driver: Driver, deployed: Deployment, kind: str) -> None:
    signer = MAKERS[kind](7)
    await arrives(driver, signer)
    asked = await question(driver)
    assert asked["params"]["method"] == METHODS[kind]
    made = signer.sign(text_of(asked["params"]["params"]))
    value: Any = made if kind == "eip155" else {"address": signer.account.address, "signature": made}
    await driver.reply(asked, value=value)
    assert [str(one.account) for one in await held(deployed)] == [str(signer.account)]


async def test_taproot_is_asked_for_the_only_form_that_covers_it(driver: Driver) -> None:
    await arrives(driver, MAKERS["p2tr"](7))
    assert (await question(driver))["params"]["params"]["protocol"] == "bip322"


async def test_a_proof_of_funds_signs_nobody_in_and_the_visitor_reads_why(driver: Driver, deployed: Deployment) -> None:
    await arrives(driver, MAKERS["p2wpkh"](7))
    await driver.reply(await question(driver), value={"signature": "pofcHNidP8BAI8CAAAA"})
    assert await held(deployed) == []
    assert (await driver.state(ToastState)).message == "Your wallet signed a proof of funds. Sign the message alone."


async def test_solana_signs_by_the_wallets_own_sign_in(driver: Driver, deployed: Deployment) -> None:
    signer = MAKERS["solana"](7)
    await arrives(driver, signer)
    asked = await question(driver)
    assert (asked["params"]["method"], asked["params"]["params"]["input"]["domain"]) == (
        "solana_signIn",
        "localhost:8700",
    )
    text = written(asked["params"]["params"], signer)
    answer = {"signature": signer.sign(text), "message": base58.b58encode(text.encode()).decode()}
    await driver.reply(asked, value=answer)
    assert [one.text for one in await held(deployed)] == [text]


async def test_a_solana_wallet_without_one_signs_our_text(driver: Driver, deployed: Deployment) -> None:
    signer = MAKERS["solana"](7)
    await arrives(driver, signer)
    await driver.reply(await question(driver), code=4200, message="The wallet does not support this method")
    asked = await question(driver)
    assert asked["params"]["method"] == "solana_signMessage"
    await driver.reply(asked, value={"signature": signer.sign(text_of(asked["params"]["params"]))})
    assert len(await held(deployed)) == 1


ALTERED: dict[str, Callable[[str], str]] = {
    "another domain": lambda text: text.replace("localhost:8700", "evil.example"),
    "another letter": lambda text: text[:-1] + ("0" if text[-1] != "0" else "1"),
    "more behind it": lambda text: text + "\nResources:\n- https://evil.example",
    "nothing": lambda _text: "",
}


@pytest.mark.parametrize("how", ALTERED)
async def test_a_text_that_the_wallet_altered_signs_nobody_in(driver: Driver, deployed: Deployment, how: str) -> None:
    signer = MAKERS["solana"](7)
    await arrives(driver, signer)
    asked = await question(driver)
    text = ALTERED[how](written(asked["params"]["params"], signer))
    answer = {"signature": signer.sign(text), "message": base58.b58encode(text.encode()).decode()}
    await driver.reply(asked, value=answer)
    assert await held(deployed) == []


@pytest.mark.parametrize("message", [None, 7, "0OIl", "2" * 20_000, base58.b58encode(b"\xff\xfe").decode()])
async def test_a_text_that_is_none_signs_nobody_in(driver: Driver, deployed: Deployment, message: object) -> None:
    await arrives(driver, MAKERS["solana"](7))
    await driver.reply(await question(driver), value={"signature": "2" * 88, "message": message})
    assert await held(deployed) == []


async def test_a_pairing_has_no_sign_in_of_its_own_on_solana(driver: Driver) -> None:
    await arrives(driver, MAKERS["solana"](7), connector="walletConnect")
    assert (await question(driver))["params"]["method"] == "solana_signMessage"
