"""Requests that are rarer than transactions: the visitor sees what they do, and the wallet gets exactly what the page has sent."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.approving import HELLO, approve, asked, refusal, shown
from tests.features.approving import all_confirmed as all_confirmed
from tests.features.namespaces import BITCOIN, BTC, WALLETS, told
from walletmodal.core.requests.methods import WALLET_METHODS

pytestmark = [
    pytest.mark.usefixtures("every_chain", "all_confirmed"),
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
]

# Two coins of another address than the one that is connected, and two payments.
PSBT = (
    "cHNidP8BAJoCAAAAAh8eHRwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEAAAAAAAD/////Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQABAAAAAP//"
    "//8CwOHkAAAAAAAWABQNIxopTMoLwlwmjBnSsAOaRbWrSoCNHQIAAAAAFgAUqB1VQW0UgQoUzPj+YZ6K1mM+Td4AAAAAAAEBH4DegAIAAAAAFgAUqB1VQW0UgQoU"
    "zPj+YZ6K1mM+Td4AAQEfILOBAAAAAAAWABSoHVVBbRSBChTM+P5hnorWYz5N3gAAAA=="
)
SIGN = {"psbt": PSBT, "signInputs": [{"address": BTC, "index": 1}], "broadcast": False}
GRANT = [
    {
        "chainId": "0x1",
        "expiry": 1_798_761_600,
        "signer": {"type": "account", "data": {"address": OTHER}},
        "permission": {"type": "native-token-transfer", "data": {"allowance": "0x1DCD6500"}},
    }
]
OPERATION = [
    {"sender": ADDRESS, "nonce": "0x1", "callData": "0x01020304"},
    "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
]
ASKED: list[tuple[str, str, Any, str]] = [
    ("bip122", "signPsbt", SIGN, "Sign a Bitcoin transaction"),
    ("eip155", "wallet_grantPermissions", GRANT, "Grant permissions"),
    ("eip155", "eth_sendUserOperation", OPERATION, "Send a user operation"),
]


async def ask(driver: Driver, namespace: str, method: str, params: Any) -> None:
    if namespace == "bip122":
        await driver.load(wallets=WALLETS, sessions={"bip122": told(BITCOIN, BTC)})
    else:
        await driver.connect()
    await driver.request(method, params, namespace=namespace)
    if WALLET_METHODS[method].optional:
        (command,) = await driver.commands("wallet.request")
        await driver.reply(command, value={})


@pytest.mark.parametrize(("namespace", "method", "params", "title"), ASKED)
async def test_it_is_shown_before_the_wallet_is_asked(
    driver: Driver, namespace: str, method: str, params: Any, title: str
) -> None:
    await ask(driver, namespace, method, params)
    assert ((await shown(driver))["title"], await asked(driver)) == (title, [])


async def test_what_names_no_account_is_not_carried_out_by_another_than_the_one_that_was_shown(driver: Driver) -> None:
    await ask(driver, "eip155", "eth_sendUserOperation", OPERATION)
    await driver.tell(sessions={"eip155": {**session(), "accounts": [OTHER, ADDRESS]}})
    await approve(driver)
    assert (await asked(driver), (await refusal(driver))[0]) == ([], 4100)


async def test_what_names_its_account_waits_whichever_account_the_wallet_turns_to(driver: Driver) -> None:
    await ask(driver, "eip155", "personal_sign", HELLO)
    await driver.tell(sessions={"eip155": {**session(), "accounts": [OTHER, ADDRESS]}})
    await approve(driver)
    assert await asked(driver) == ["request"]


@pytest.mark.parametrize(("namespace", "method", "params", "title"), ASKED)
async def test_the_wallet_gets_what_the_page_has_sent(
    driver: Driver, namespace: str, method: str, params: Any, title: str
) -> None:
    await ask(driver, namespace, method, params)
    await approve(driver)
    (command,) = await driver.commands("wallet.request")
    assert (command["params"]["method"], command["params"]["params"]) == (method, params)


@pytest.mark.parametrize(
    ("namespace", "method", "params"),
    [
        ("bip122", "signPsbt", {"psbt": "cHNidP8B"}),
        ("bip122", "signPsbt", {"psbt": PSBT, "signInputs": [{"address": BTC, "index": 2}]}),
        ("eip155", "eth_sendUserOperation", [{"callData": "0x01020304"}, OPERATION[1]]),
    ],
)
async def test_what_cannot_be_read_is_refused_and_not_shown(
    driver: Driver, namespace: str, method: str, params: Any
) -> None:
    await ask(driver, namespace, method, params)
    assert ((await refusal(driver))[0], await shown(driver)) == (-32602, {})
