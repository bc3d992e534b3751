"""What the host's providers of solana, bip122 and polkadot, and of pairings, are asked."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, Driver, session
from tests.features.namespaces import (
    BITCOIN,
    BTC,
    DOT,
    ETHEREUM,
    OTHER_BTC,
    OTHER_SOL,
    POLKADOT,
    SOL,
    SOLANA,
    SOLANA_DEVNET,
    WALLETS,
    paired,
    remembered,
    told,
)
from tests.solana_samples import encoded, payment
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState

pytestmark = [
    pytest.mark.usefixtures("every_chain"),
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
]

SESSIONS = {
    "solana": told(SOLANA, SOL),
    "bip122": told(BITCOIN, BTC),
    "polkadot": told(POLKADOT, DOT, connector="talisman"),
}
ASKED: list[tuple[str, str, dict[str, Any]]] = [
    ("solana", "solana_signMessage", {"message": "37u9", "pubkey": SOL}),
    ("solana", "solana_signTransaction", {"transaction": "AQID"}),
    ("solana", "solana_signAllTransactions", {"transactions": ["AQID"]}),
    ("solana", "solana_signAndSendTransaction", {"transaction": encoded(payment(1)), "sendOptions": {"maxRetries": 3}}),
    ("bip122", "signMessage", {"message": "hello", "address": BTC, "protocol": "bip322"}),
    ("bip122", "getAccountAddresses", {}),
    ("bip122", "sendTransfer", {"recipientAddress": OTHER_BTC, "amount": "1000", "account": BTC}),
    ("bip122", "signPsbt", {"psbt": "cHNidP8B", "broadcast": False}),
    ("polkadot", "polkadot_signMessage", {"address": DOT, "message": "hello"}),
]


async def code(driver: Driver) -> int | None:
    """The error that the request was answered with; None while it waits."""
    answer = await driver.settled("request")
    return None if answer is None else int((answer["error"] or {}).get("code", 0))


@pytest.mark.parametrize(("namespace", "method", "params"), ASKED)
async def test_a_wallet_is_asked_what_its_namespace_knows(
    driver: Driver, namespace: str, method: str, params: dict[str, Any]
) -> None:
    await driver.load(wallets=WALLETS, sessions=SESSIONS)
    await driver.request(method, params, namespace=namespace)
    asked = (await driver.commands("wallet.request"))[0]["params"]
    session_of = SESSIONS[namespace]
    assert (asked["namespace"], asked["connector"], asked["chain"], asked["method"], asked["params"]) == (
        namespace,
        session_of["connector"],
        f"{namespace}:{session_of['chain']}",
        method,
        params,
    )


@pytest.mark.parametrize(("namespace", "method", "params"), ASKED)
async def test_without_a_wallet_nothing_is_signed(
    driver: Driver, namespace: str, method: str, params: dict[str, Any]
) -> None:
    await driver.load(sessions={"eip155": session()})
    await driver.request(method, params, namespace=namespace)
    assert (await code(driver), await driver.commands("wallet.request")) == (4100, [])


@pytest.mark.parametrize(
    ("namespace", "method", "params"),
    [
        ("solana", "solana_signMessage", {"message": "37u9", "pubkey": OTHER_SOL}),
        ("bip122", "signMessage", {"message": "hello", "address": OTHER_BTC}),
        ("bip122", "sendTransfer", {"recipientAddress": OTHER_BTC, "amount": "1000", "account": OTHER_BTC}),
    ],
)
async def test_another_account_signs_nothing(driver: Driver, namespace: str, method: str, params: Any) -> None:
    await driver.load(wallets=WALLETS, sessions=SESSIONS)
    await driver.request(method, params, namespace=namespace)
    assert (await code(driver), await driver.commands("wallet.request")) == (4100, [])


UNFORMED: list[tuple[str, str, list[Any]]] = [
    ("solana", "solana_signMessage", [{"message": "37u9", "pubkey": 5}]),
    ("solana", "solana_signTransaction", [{"transaction": "AQID", "pubkey": {}}, {"transaction": "AQID", "pubkey": 5}]),
    ("solana", "solana_signTransaction", [{"transaction": "AQID", "pubkey": SOL, "account": OTHER_SOL}]),
    ("polkadot", "polkadot_signMessage", [{"address": BTC, "message": "hello"}]),
    *((namespace, method, [None, [], {}, [5]]) for namespace, method, params in ASKED if params),
]


@pytest.mark.parametrize(("namespace", "method", "unformed"), UNFORMED)
async def test_parameters_without_the_form_of_their_method_are_called_so(
    driver: Driver, namespace: str, method: str, unformed: list[Any]
) -> None:
    await driver.load(wallets=WALLETS, sessions=SESSIONS)
    found = []
    for number, params in enumerate(unformed):
        await driver.request(method, params, namespace=namespace, call_id=str(number))
        found.append((params, (await driver.answer(str(number)))["error"]["code"]))
    assert (found, await driver.commands("wallet.request")) == ([(params, -32602) for params in unformed], [])


@pytest.mark.parametrize(
    ("namespace", "method"),
    [
        ("solana", "eth_requestAccounts"),
        ("eip155", "solana_requestAccounts"),
        ("bip122", "solana_requestAccounts"),
        ("solana", "signMessage"),
        ("solana", "getBalance"),
        ("bip122", "solana_signMessage"),
        ("polkadot", "polkadot_signTransaction"),
        ("polkadot", "wallet_switchEthereumChain"),
        ("eip155", "solana_signMessage"),
        ("eip155", "signPsbt"),
    ],
)
async def test_a_method_that_the_namespace_does_not_have_is_refused(
    driver: Driver, namespace: str, method: str
) -> None:
    await driver.load(wallets=WALLETS, sessions={**SESSIONS, "eip155": session()})
    await driver.request(method, {}, namespace=namespace)
    assert (await code(driver), await driver.commands("wallet.request")) == (4200, [])


@pytest.mark.parametrize("amount", ["", "0", "1.5", "-1", "0x10", "1" * 17, 1000])
async def test_an_amount_is_a_number_of_satoshis_as_text(driver: Driver, amount: Any) -> None:
    await driver.load(wallets=WALLETS, sessions=SESSIONS)
    await driver.request(
        "sendTransfer", {"recipientAddress": OTHER_BTC, "amount": amount, "account": BTC}, namespace="bip122"
    )
    assert (await code(driver), await driver.commands("wallet.request")) == (-32602, [])


async def test_a_request_names_the_network_that_the_visitor_chose(driver: Driver) -> None:
    await driver.load(wallets=WALLETS, sessions=SESSIONS, storage=remembered(activeNetworkId=SOLANA))
    await driver.fire(NetworksState.choose(SOLANA_DEVNET))
    await driver.request("solana_signTransaction", {"transaction": "AQID"}, namespace="solana")
    assert (await driver.commands("wallet.request"))[0]["params"]["chain"] == SOLANA_DEVNET


async def test_a_paired_wallet_signs_for_the_page(driver: Driver) -> None:
    await driver.load(sessions={"eip155": paired(ETHEREUM, ADDRESS)})
    await driver.request("personal_sign", ["0x00", ADDRESS])
    asked = (await driver.commands("wallet.request"))[0]["params"]
    assert (asked["connector"], asked["chain"]) == ("walletConnect", ETHEREUM)


async def test_a_page_that_asks_for_evm_accounts_does_not_get_others(driver: Driver) -> None:
    await driver.load(wallets=WALLETS, sessions={"solana": told(SOLANA, SOL)})
    await driver.request("eth_requestAccounts")
    assert await code(driver) is None


async def test_a_page_that_asks_for_solana_accounts_gets_them_once_one_is_connected(driver: Driver) -> None:
    await driver.load(wallets=WALLETS, sessions={"eip155": session()})
    await driver.request("solana_requestAccounts", {}, namespace="solana")
    assert ((await driver.state(ShellState)).view, await code(driver)) == ("Connect", None)
    await driver.tell(sessions={"eip155": session(), "solana": told(SOLANA, SOL)})
    assert (await driver.answer("request"))["value"] == [{"pubkey": SOL}]


async def test_the_network_version_is_that_of_the_evm_account(driver: Driver) -> None:
    storage = remembered(activeNetworkId=SOLANA)
    await driver.load(wallets=WALLETS, sessions={**SESSIONS, "eip155": session(chain="137")}, storage=storage)
    await driver.request("net_version")
    assert (await driver.answer("request"))["value"] == "137"
