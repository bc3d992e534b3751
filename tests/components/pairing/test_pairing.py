"""A session with a phone: made, used, changed, ended, and found again."""

import asyncio
from typing import Any

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct

from tests.components.pairing.phone import Phone
from tests.components.pairing.stage import HOST, Frame

pytestmark = pytest.mark.asyncio(loop_scope="session")

BEYOND_A_SESSION = 8 * 24 * 3600 * 1000
"""Sessions last seven days; in ms."""
SDK_LOOKS = 6_000
"""The SDK looks at what has run out every five seconds, in ms."""
SECOND = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"


async def paired(frame: Frame, phone: Phone) -> dict[str, Any]:
    """A visitor whose phone has approved; gives back the sessions."""
    await frame.show("qr")
    question = await frame.connect()
    proposal = await phone.scan(await frame.code())
    await phone.do("approve", id=proposal["id"])
    answer = await frame.answer(question)
    assert answer["ok"], answer
    sessions: dict[str, Any] = answer["value"]["sessions"]
    return sessions


async def signed(frame: Frame, phone: Phone, **params: Any) -> dict[str, Any]:
    """A message that the phone was asked to sign and signs."""
    request = {"namespace": "eip155", "chain": "", "method": "personal_sign", "params": ["0x68656c6c6f", phone.address]}
    question = await frame.begin("request", **{**request, **params})
    asked = await phone.sees("request")
    await phone.do("sign", id=asked["id"], topic=asked["topic"], message="0x68656c6c6f")
    return {"asked": asked, **await frame.answer(question)}


async def test_an_approval_tells_accounts_chain_networks_and_who_the_wallet_is(frame: Frame, phone: Phone) -> None:
    assert await paired(frame, phone) == {
        "eip155": {
            "connector": "walletConnect",
            "accounts": [phone.address, SECOND],
            "chain": "1",
            "approved": ["eip155:1", "eip155:137"],
            "peer": {"name": "Test Phone", "icon": "https://phone.example/icon.png"},
            "said": 0,
        }
    }


async def test_the_phone_sees_the_host_page_as_the_one_that_asks(frame: Frame, phone: Phone) -> None:
    await frame.show("qr")
    await frame.connect()
    proposal = await phone.scan(await frame.code())
    assert (proposal["proposer"]["name"], proposal["proposer"]["url"]) == ("Shop", HOST)


async def test_the_phone_signs(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    answer = await signed(frame, phone)
    assert Account.recover_message(encode_defunct(text="hello"), signature=answer["value"]) == phone.address


async def test_a_request_is_made_on_the_chain_that_it_names(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    assert (await signed(frame, phone, chain="eip155:137"))["asked"]["chain"] == "eip155:137"


async def test_a_refused_request_has_the_code_of_a_refusal(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    request = {"namespace": "eip155", "chain": "", "method": "personal_sign", "params": ["0x00", phone.address]}
    question = await frame.begin("request", **request)
    asked = await phone.sees("request")
    await phone.do("refuse", id=asked["id"], topic=asked["topic"])
    assert await frame.answer(question) == {
        "ok": False,
        "value": None,
        "error": {"code": 4001, "message": "User rejected."},
    }


async def test_a_method_that_the_phone_has_not_approved_is_not_sent_anywhere(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    answer = await frame.ask("request", namespace="eip155", chain="", method="eth_blockNumber", params=[])
    assert answer["error"]["code"] == 4200


async def test_which_methods_were_approved_is_known_without_the_phone(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    answers = []
    for named in (["personal_sign"], ["eth_blockNumber"], ["personal_sign", "eth_blockNumber"], "personal_sign"):
        question = {"namespace": "eip155", "chain": "", "method": "walletmodal_hasMethod", "params": named}
        answers.append((await frame.ask("request", **question))["value"])
    assert answers == [True, False, False, False]


async def test_a_refused_proposal_says_so_and_the_next_try_gets_a_fresh_code(frame: Frame, phone: Phone) -> None:
    await frame.show("qr")
    question = await frame.connect()
    code = await frame.code()
    proposal = await phone.scan(code)
    await phone.do("reject", id=proposal["id"])
    assert (await frame.answer(question))["error"]["code"] == 4001
    await frame.page.get_by_test_id("pairing-failed").wait_for()
    await frame.connect()
    assert await frame.code(other_than=code)


async def test_the_same_wish_again_shows_the_same_code_and_both_are_answered(frame: Frame, phone: Phone) -> None:
    await frame.show("qr")
    first = await frame.connect()
    code = await frame.code()
    second = await frame.connect()
    assert await frame.code() == code
    proposal = await phone.scan(code)
    await phone.do("approve", id=proposal["id"])
    assert (await frame.answer(first))["value"] == (await frame.answer(second))["value"]


async def test_asked_again_expressly_there_is_a_fresh_code_and_the_old_one_still_counts(
    frame: Frame, phone: Phone
) -> None:
    await frame.show("qr")
    question = await frame.connect()
    code = await frame.code()
    await frame.connect(again=True)
    await frame.code(other_than=code)
    proposal = await phone.scan(code)
    await phone.do("approve", id=proposal["id"])
    assert (await frame.answer(question))["ok"]


async def test_a_session_that_one_tab_ends_ends_in_the_others(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    other = Frame(frame.theatre, frame.page.context, await frame.page.context.new_page())
    await other.load()
    restored = await other.ask("sessions")
    assert restored["value"]["sessions"]["eip155"]["accounts"][0] == phone.address
    await frame.ask("disconnect")
    await other.said("sessions", lambda said: said["sessions"] == {})
    assert (await other.ask("sessions"))["value"]["sessions"] == {}


async def test_another_chain_on_the_phone_is_reported(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    await phone.do("emit", event="chainChanged", data=137, chain="eip155:137")
    await frame.said("sessions", lambda said: said["sessions"]["eip155"]["chain"] == "137")


async def test_a_chain_that_the_phone_names_again_is_reported_again(frame: Frame, phone: Phone) -> None:
    """The host may have chosen another one meanwhile, of which the phone's session tells nothing."""
    await paired(frame, phone)
    for _ in range(2):
        await phone.do("emit", event="chainChanged", data=1, chain="eip155:1")
    await frame.said("sessions", lambda said: said["sessions"]["eip155"]["said"] == 2)


async def test_another_account_on_the_phone_comes_first(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    await phone.do("emit", event="accountsChanged", data=[f"eip155:1:{SECOND}"], chain="eip155:1")
    await frame.said("sessions", lambda said: said["sessions"]["eip155"]["accounts"] == [SECOND, phone.address])


async def test_an_account_that_was_not_approved_is_not_believed(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    await phone.do("emit", event="accountsChanged", data=["eip155:1:0x" + "11" * 20], chain="eip155:1")
    said = await frame.said("sessions")
    assert said["sessions"]["eip155"]["accounts"] == [phone.address, SECOND]


async def test_fewer_networks_and_accounts_are_reported(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    await phone.do("update", chains=["eip155:137"])
    session = (await frame.said("sessions"))["sessions"]["eip155"]
    assert (session["accounts"], session["chain"], session["approved"]) == ([phone.address], "137", ["eip155:137"])


async def test_an_approved_network_is_switched_to_without_asking(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    switch = {"namespace": "eip155", "chain": "", "method": "wallet_switchEthereumChain"}
    assert (await frame.ask("request", params=[{"chainId": "0x89"}], **switch))["ok"]
    assert (await frame.said("sessions"))["sessions"]["eip155"]["chain"] == "137"


async def test_a_session_that_the_phone_ends_is_over(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    await phone.do("end")
    assert await frame.said("sessions") == {"sessions": {}}
    answer = await frame.ask("request", namespace="eip155", chain="", method="personal_sign", params=[])
    assert answer["error"]["code"] == 4900


async def test_a_session_that_runs_out_is_over(frame: Frame, phone: Phone) -> None:
    await frame.page.clock.install()
    await frame.load()
    await paired(frame, phone)
    await frame.page.clock.fast_forward(BEYOND_A_SESSION)
    await frame.page.clock.run_for(SDK_LOOKS)
    await frame.said("sessions", lambda said: said["sessions"] == {})


async def test_a_session_that_ran_out_while_the_page_was_closed_is_not_restored(frame: Frame, phone: Phone) -> None:
    await frame.page.clock.install()
    await frame.load()
    await paired(frame, phone)
    await frame.page.clock.fast_forward(BEYOND_A_SESSION)
    await frame.load()
    question = await frame.begin("sessions")
    await frame.page.clock.run_for(SDK_LOOKS)
    assert (await frame.answer(question))["value"] == {"sessions": {}}


async def test_a_session_that_is_ended_here_is_over_on_the_phone(frame: Frame, phone: Phone) -> None:
    await phone.do("end")
    await paired(frame, phone)
    assert await frame.ask("disconnect") == {"ok": True, "value": None, "error": None}
    await phone.sees("delete")
    assert (await frame.ask("sessions"))["value"] == {"sessions": {}}


async def test_a_new_phone_takes_the_place_of_the_one_before(frame: Frame, phone: Phone) -> None:
    await phone.do("end")
    await paired(frame, phone)
    await paired(frame, phone)
    await phone.sees("delete")
    assert len(await phone.do("sessions")) == 1


async def test_after_a_reload_the_session_is_there_and_works(frame: Frame, phone: Phone) -> None:
    sessions = await paired(frame, phone)
    await frame.load()
    assert (await frame.ask("sessions"))["value"] == {"sessions": sessions}
    assert (await signed(frame, phone))["ok"]


async def test_what_was_chosen_on_the_phone_survives_a_reload(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    await phone.do("emit", event="chainChanged", data="0x89", chain="eip155:137")
    await frame.said("sessions")
    await frame.load()
    assert (await frame.ask("sessions"))["value"]["sessions"]["eip155"]["chain"] == "137"


async def test_a_session_that_was_ended_while_the_page_was_closed_is_not_restored(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    await frame.page.goto("about:blank")
    await phone.do("end")
    await frame.load()
    if (await frame.ask("sessions"))["value"]["sessions"]:
        # A relay that is slow to answer is not waited for: what it has to say corrects what was told.
        await frame.said("sessions", lambda told: told["sessions"] == {})


async def test_a_late_approval_counts(frame: Frame, phone: Phone) -> None:
    await frame.show("qr")
    await frame.connect()
    proposal = await phone.scan(await frame.code())
    await frame.ask("disconnect")
    await phone.do("approve", id=proposal["id"])
    said = await frame.said("sessions")
    assert said["sessions"]["eip155"]["accounts"][0] == phone.address


async def test_an_approval_while_the_page_was_closed_is_found(frame: Frame, phone: Phone) -> None:
    await frame.show("qr")
    await frame.connect()
    proposal = await phone.scan(await frame.code())
    await frame.page.goto("about:blank")
    await phone.do("approve", id=proposal["id"])
    await frame.load()
    found = (await frame.ask("sessions"))["value"]
    if not found["sessions"]:
        # As above.
        found = await frame.said("sessions", lambda told: bool(told["sessions"]))
    assert found["sessions"]["eip155"]["accounts"][0] == phone.address


async def test_an_approval_after_a_reload_is_told(frame: Frame, phone: Phone) -> None:
    await frame.show("qr")
    await frame.connect()
    proposal = await phone.scan(await frame.code())
    await frame.load()
    assert (await frame.ask("sessions"))["value"] == {"sessions": {}}
    await phone.do("approve", id=proposal["id"])
    said = await frame.said("sessions")
    assert said["sessions"]["eip155"]["accounts"][0] == phone.address


async def test_an_approval_after_a_reload_answers_who_asks_again(frame: Frame, phone: Phone) -> None:
    await frame.show("qr")
    await frame.connect()
    proposal = await phone.scan(await frame.code())
    await frame.load()
    await frame.show("qr")
    question = await frame.connect(again=True)
    await frame.code()
    await phone.do("approve", id=proposal["id"])
    assert (await frame.answer(question))["value"]["sessions"]["eip155"]["accounts"][0] == phone.address


async def test_nothing_is_loaded_before_there_is_a_need(frame: Frame) -> None:
    loaded = await frame.page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert not [name for name in loaded if "client-" in name]
    await asyncio.sleep(0)


async def test_without_a_relay_nothing_is_restored_and_connecting_says_why(frame: Frame) -> None:
    await frame.load(relayUrl="")
    assert (await frame.ask("sessions"))["value"] == {"sessions": {}}
    assert (await frame.answer(await frame.connect()))["error"]["message"] == "Pairing is not configured"
