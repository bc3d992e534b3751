"""One-click sign-in by the states alone: a wallet that signs while it pairs, honest ones and others."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ORIGIN, Driver
from tests.features.conftest import Configure
from tests.features.namespaces import SOLANA
from tests.features.pairing_stage import ACCOUNT, Row, asked, paired
from tests.services.cacao_terms import cacao, recap
from tests.services.sign_in_terms import ANN, EVE
from walletmodal.core.sign_in.cacao import parse_pairing_sign_in
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.db.sign_ins import holder_key
from walletmodal.deployment import Deployment, deployment
from walletmodal.features.pairing.proving import PairedProofState
from walletmodal.features.pairing.signing import PairedSignInState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.state import SignInState
from walletmodal.features.toasts.state import ToastState
from walletmodal.services.sign_in.nonces import MAX_PER_VISITOR, MemoryNonces

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture(autouse=True)
def relay(configure: Configure) -> None:
    """A deployment with a relay."""
    configure(RELAY_URL="ws://localhost:8700/relay", NETWORKS=f"eip155:1,eip155:137,{SOLANA}")


REQUIRED: dict[str, Any] = {"siwx": {"required": True, "statement": "Welcome."}}
HOLDER = holder_key("browser")
EVM = ["eip155:1", "eip155:137"]


async def identify(driver: Driver) -> None:
    """The page answers which browser it is in."""
    question = (await driver.state(SignInState)).identify
    assert question
    ticket = await deployment().tickets.issue(HOLDER)
    await driver.fire(SignInState.redeem({"asked": question, "ticket": ticket}))


async def wanted(driver: Driver, options: dict[str, Any] = REQUIRED) -> dict[str, Any]:
    """A visitor looks at a code; the command that asks for it."""
    await driver.load(options={"networks": EVM, **options})
    await driver.call("open")
    await driver.fire(Row.choose(""))
    (command,) = await asked(driver)
    return command


def signed(command: dict[str, Any], signer: Any = ANN, chain: str = "eip155:1", **changes: Any) -> dict[str, Any]:
    """What a wallet signs of what it was asked."""
    wish = command["params"]["proposal"]["signIn"]
    message = {
        "domain": wish["domain"],
        "uri": wish["uri"],
        "nonce": wish["nonce"],
        "issuedAt": wish["iat"],
        "expirationTime": wish["exp"],
        "statement": wish["statement"] or None,
        "requestId": wish["requestId"] or None,
        "accountAddress": ACCOUNT,
        "chainId": "eip155:1",
    }
    model = parse_pairing_sign_in({"message": message, "chains": tuple(wish["chains"]), "methods": ("personal_sign",)})
    resources = [recap("personal_sign", chains=["eip155:1"])]
    return cacao(model, signer, chain, says={"resources": resources}, **changes)


async def approve(
    driver: Driver, command: dict[str, Any], cacaos: object, *, address: str = ANN.account.address
) -> None:
    """The phone approves: the snapshot comes first, then the reply."""
    sessions = {"eip155": {**paired(), "accounts": [address], "approved": EVM}}
    await driver.tell(sessions=sessions)
    await driver.reply(command, value={"sessions": sessions, "cacaos": cacaos})


async def view(driver: Driver) -> str:
    """What the visitor sees; "" for nothing."""
    shell = await driver.state(ShellState)
    return shell.view if shell.open else ""


async def held(deployed: Deployment) -> list[SignInSession]:
    """Who is signed in."""
    return await deployed.sign_ins.held(HOLDER, ORIGIN)


async def test_a_pairing_asks_the_wallet_to_sign_what_the_host_wants(driver: Driver) -> None:
    wish = (await wanted(driver))["params"]["proposal"]["signIn"]
    assert (wish["domain"], wish["uri"].startswith(ORIGIN), wish["statement"]) == ("localhost:8700", True, "Welcome.")
    assert wish["chains"] == EVM


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"siwx": {"required": True}, "networks": ["eip155:1", SOLANA]},
        {"siwx": {"required": True}, "universalProviderConfigOverride": {"methods": {"eip155": []}}},
    ],
    ids=["no sign-ins", "another namespace is offered", "no methods"],
)
async def test_where_it_cannot_sign_a_wallet_is_asked_to_connect_alone(driver: Driver, options: dict[str, Any]) -> None:
    assert "signIn" not in (await wanted(driver, options))["params"]["proposal"]


async def test_a_wallet_that_signs_is_connected_and_signed_in_at_once(driver: Driver, deployed: Deployment) -> None:
    command = await wanted(driver)
    await identify(driver)
    await approve(driver, command, [signed(command)])
    assert [str(one.account) for one in await held(deployed)] == [str(ANN.account)]
    assert await view(driver) == ""
    assert (await driver.state(ToastState)).message == ""
    assert "SIWX_AUTH_SUCCESS" in [item["event"] for item in driver.told()]
    await driver.call("getSession")
    assert (await driver.answer("call-getSession"))["value"]["address"] == str(ANN.account)


async def test_nobody_is_asked_to_sign_besides_while_the_wallet_may_still_sign(driver: Driver) -> None:
    await wanted(driver)
    await identify(driver)
    await driver.tell(sessions={"eip155": {**paired(), "accounts": [ANN.account.address]}})
    assert await view(driver) == "ConnectingWalletConnect"


async def test_a_wallet_that_signs_for_several_networks_is_signed_in_on_each(
    driver: Driver, deployed: Deployment
) -> None:
    command = await wanted(driver)
    await identify(driver)
    await approve(driver, command, [signed(command), signed(command, chain="eip155:137")])
    assert {one.chain for one in await held(deployed)} == set(EVM)


async def test_a_wallet_that_only_connects_is_asked_to_sign_like_others(driver: Driver, deployed: Deployment) -> None:
    command = await wanted(driver)
    await identify(driver)
    await approve(driver, command, [])
    assert await view(driver) == "SIWXSignMessage"
    assert await held(deployed) == []


async def test_an_account_that_did_not_sign_is_asked_though_another_of_the_wallet_did(
    driver: Driver, deployed: Deployment
) -> None:
    command = await wanted(driver)
    await identify(driver)
    await approve(driver, command, [signed(command, EVE)])
    assert [one.address for one in await held(deployed)] == [EVE.account.address]
    assert await view(driver) == "SIWXSignMessage"


@pytest.mark.parametrize(
    "make",
    [
        lambda command: [signed(command, signs=EVE.sign)],
        lambda command: [signed(command), signed(command, chain="eip155:137", signs=EVE.sign)],
        lambda command: [signed(command), {"p": "x"}],
        lambda _: [{}],
        lambda _: [None] * 100,
    ],
    ids=["somebody else", "one of two", "one that is none", "nothing", "a hundred"],
)
async def test_who_signs_anything_else_is_neither_signed_in_nor_connected(
    driver: Driver, deployed: Deployment, make: Any
) -> None:
    command = await wanted(driver)
    await identify(driver)
    await approve(driver, command, make(command))
    assert await held(deployed) == []
    (ending,) = await driver.commands("wallet.disconnect")
    await driver.tell(sessions={})
    await driver.reply(ending)
    assert await view(driver) == "Connect"
    assert (await driver.state(ToastState)).message == "A problem occurred while trying initialize authentication"
    assert (await driver.state(PairedSignInState)).get_value("_cacaos") is None


async def test_what_was_signed_counts_once(driver: Driver, deployed: Deployment) -> None:
    command = await wanted(driver)
    await identify(driver)
    cacaos = [signed(command)]
    await approve(driver, command, cacaos)
    await driver.call("signOut")
    await driver.tell(sessions={})
    await driver.call("open", call_id="again")
    await driver.fire(Row.choose(""))
    (again,) = await asked(driver)
    assert again["params"]["proposal"]["signIn"]["nonce"] != command["params"]["proposal"]["signIn"]["nonce"]
    await approve(driver, again, cacaos)
    assert await held(deployed) == []


async def test_a_page_that_loads_again_and_again_pushes_out_its_own_questions_alone(
    driver: Driver, deployed: Deployment
) -> None:
    kept = deployed.nonces
    assert isinstance(kept, MemoryNonces)
    for _ in range(MAX_PER_VISITOR + 2):
        await wanted(driver)
        await driver.reload()
    assert len(kept._kept) == 1


async def test_a_signature_that_nobody_asked_for_signs_nobody_in(driver: Driver, deployed: Deployment) -> None:
    command = await wanted(driver)
    await identify(driver)
    foreign = [signed(command)]
    await driver.reload(options={"networks": EVM})
    await driver.call("open")
    await driver.fire(Row.choose(""))
    (plain,) = await asked(driver)
    await approve(driver, plain, foreign)
    assert await held(deployed) == []


async def test_the_proof_called_by_anybody_proves_nothing(driver: Driver, deployed: Deployment) -> None:
    await wanted(driver)
    await identify(driver)
    await driver.fire(PairedProofState.prove)
    assert await held(deployed) == []


async def test_who_looks_away_and_back_finds_the_same_question(driver: Driver) -> None:
    first = await wanted(driver)
    await driver.fire(ShellState.back)
    assert await asked(driver) == []
    await driver.fire(Row.choose(""))
    (again,) = await asked(driver)
    assert again["params"]["proposal"] == first["params"]["proposal"]


async def test_an_answer_waits_until_it_is_known_which_browser_it_is_in(driver: Driver, deployed: Deployment) -> None:
    command = await wanted(driver)
    await approve(driver, command, [signed(command)])
    assert await asked(driver) == [command]
    await identify(driver)
    await approve(driver, command, [signed(command)])
    assert len(await held(deployed)) == 1


async def test_no_second_code_is_asked_for_while_a_signature_is_verified(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = await wanted(driver)
    await identify(driver)
    seen: list[list[dict[str, Any]]] = []
    prove = deployment().proofs.prove_pairing

    async def watched(*given: Any, **named: Any) -> Any:
        seen.append(await asked(driver))
        return await prove(*given, **named)

    monkeypatch.setattr(deployment().proofs, "prove_pairing", watched)
    await approve(driver, command, [signed(command)])
    assert seen == [[]]
