"""The phone when an app asks it to sign while it connects."""

from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe
from eth_account import Account
from eth_account.messages import encode_defunct
from playwright.async_api import expect

from tests.sandbox.test_phone import FIRST, SECOND, Stage, sdks, stage

__all__ = ["sdks", "stage"]

pytestmark = pytest.mark.asyncio(loop_scope="session")

WANTED = {
    "domain": "localhost:3000",
    "uri": "http://localhost:3000/login",
    "nonce": "abc12345",
    "statement": "Sign in to the shop.",
    "chains": ["eip155:1", "eip155:137", "eip155:424242"],
    "methods": ["personal_sign", "eth_sendTransaction", "wallet_unheardOf"],
}


async def scan(stage: Stage, **changes: Any) -> None:
    """The phone follows the app's link."""
    link = await stage.app.ask("authenticate", params={**WANTED, **changes})
    await stage.page.get_by_test_id("phone-uri").fill(link)
    await stage.page.get_by_test_id("phone-pair").click()


async def test_it_shows_the_text_that_it_signs_and_for_whom(stage: Stage) -> None:
    await scan(stage)
    question = stage.page.get_by_test_id("phone-sign-in")
    await expect(question).to_contain_text("localhost:3000")
    await expect(stage.page.get_by_test_id("phone-title")).to_have_text("Connect and sign in?")
    text = stage.page.get_by_test_id("phone-detail")
    await expect(text).to_contain_text(f"account:\n{FIRST}")
    await expect(text).to_contain_text("Chain ID: 1\n")
    await expect(stage.page.get_by_test_id("phone-sign-in-network-2")).to_have_count(0)
    await stage.page.get_by_test_id("phone-sign-in-account-1").check()
    await expect(text).to_contain_text(f"account:\n{SECOND}")
    await stage.page.get_by_test_id("phone-sign-in-network-1").check()
    await expect(stage.page.get_by_test_id("phone-sign-in-count")).to_have_text("And the same for 1 more network.")
    found = await Axe().run(stage.page, options={"runOnly": ["wcag2a", "wcag2aa"]})
    assert found.violations_count == 0, found.generate_report()
    for network in ("0", "1"):
        await stage.page.get_by_test_id(f"phone-sign-in-network-{network}").uncheck()
    await expect(stage.page.get_by_test_id("phone-approve")).to_be_disabled()


async def test_it_signs_for_each_chosen_network_and_is_connected(stage: Stage) -> None:
    await scan(stage)
    await stage.page.get_by_test_id("phone-sign-in-network-1").check()
    shown = await stage.page.get_by_test_id("phone-detail").inner_text()
    await stage.page.get_by_test_id("phone-approve").click()
    outcome = await stage.app.ask("connected")
    assert [auth["p"]["iss"] for auth in outcome["auths"]] == [
        f"did:pkh:eip155:1:{FIRST}",
        f"did:pkh:eip155:137:{FIRST}",
    ]
    signature = outcome["auths"][0]["s"]["s"]
    assert Account.recover_message(encode_defunct(text=shown), signature=signature) == FIRST
    assert set(outcome["session"]["namespaces"]["eip155"]["methods"]) == {"personal_sign", "eth_sendTransaction"}
    await expect(stage.page.get_by_test_id("phone-session")).to_have_count(1)


async def test_the_app_hears_of_a_rejection(stage: Stage) -> None:
    await scan(stage)
    await stage.page.get_by_test_id("phone-reject").click()
    assert await stage.app.ask("connected") == {"error": "User rejected."}
    await expect(stage.page.get_by_test_id("phone-session")).to_have_count(0)


async def test_with_the_switch_off_it_connects_by_the_plain_proposal_of_the_same_code(stage: Stage) -> None:
    await stage.page.get_by_test_id("phone-signs-in").uncheck()
    await scan(stage)
    await expect(stage.page.get_by_test_id("phone-proposal")).to_be_visible()
    await stage.page.get_by_test_id("phone-approve").click()
    outcome = await stage.app.ask("connected")
    assert "auths" not in outcome
    assert outcome["session"]["namespaces"]["eip155"]["accounts"][0] == f"eip155:1:{FIRST}"
    await stage.page.reload()
    await expect(stage.page.get_by_test_id("phone-signs-in")).not_to_be_checked()


async def test_an_app_that_asks_for_none_of_its_networks_cannot_be_signed_in_to(stage: Stage) -> None:
    await scan(stage, chains=["eip155:424242"])
    await expect(stage.page.get_by_test_id("phone-sign-in")).to_contain_text("no network that this phone has")
    await expect(stage.page.get_by_test_id("phone-approve")).to_have_count(0)
