"""Wallets that are not today's SDK: the WalletKit that older phones run, and a wallet that is none of theirs."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from eth_account import Account
from eth_account.messages import encode_defunct

from tests.components.pairing.phone import OLDER, Phone
from tests.components.pairing.phone.python_wallet import PythonWallet
from tests.components.pairing.stage import HOST, Frame, Theatre

pytestmark = pytest.mark.asyncio(loop_scope="session")

MESSAGE = "0x68656c6c6f"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def older(served: Theatre) -> AsyncIterator[Phone]:
    running = Phone(served.relay_url, OLDER)
    await running.start()
    yield running
    await running.stop()


async def pair_older(frame: Frame, phone: Phone) -> None:
    await frame.show("qr")
    question = await frame.connect()
    proposal = await phone.scan(await frame.code())
    await phone.do("approve", id=proposal["id"])
    session = (await frame.answer(question))["value"]["sessions"]["eip155"]
    assert (session["accounts"][0], session["approved"]) == (phone.address, ["eip155:1", "eip155:137"])


async def pair_python(frame: Frame, wallet: PythonWallet) -> None:
    await frame.show("qr")
    question = await frame.connect()
    await wallet.scan(await frame.code())
    await wallet.approve("137")
    session = (await frame.answer(question))["value"]["sessions"]["eip155"]
    assert (session["accounts"], session["chain"], session["peer"]["name"]) == (
        [wallet.address],
        "137",
        "Python Wallet",
    )


async def ask_to_sign(frame: Frame, address: str) -> str:
    params = [MESSAGE, address]
    return await frame.begin("request", namespace="eip155", chain="", method="personal_sign", params=params)


async def test_an_older_wallet_connects_and_signs_also_after_a_reload(frame: Frame, older: Phone) -> None:
    await pair_older(frame, older)
    await frame.load()
    question = await ask_to_sign(frame, older.address)
    asked = await older.sees("request")
    await older.do("sign", id=asked["id"], topic=asked["topic"], message=MESSAGE)
    signature = (await frame.answer(question))["value"]
    assert Account.recover_message(encode_defunct(hexstr=MESSAGE), signature=signature) == older.address


async def test_an_older_wallet_refuses_a_request(frame: Frame, older: Phone) -> None:
    await pair_older(frame, older)
    question = await ask_to_sign(frame, older.address)
    asked = await older.sees("request")
    await older.do("refuse", id=asked["id"], topic=asked["topic"])
    assert (await frame.answer(question))["error"]["code"] == 4001


async def test_an_older_wallet_rejects_a_proposal(frame: Frame, older: Phone) -> None:
    await frame.show("qr")
    question = await frame.connect()
    proposal = await older.scan(await frame.code())
    await older.do("reject", id=proposal["id"])
    assert (await frame.answer(question))["error"]["code"] == 4001


async def test_an_older_wallet_changes_its_network(frame: Frame, older: Phone) -> None:
    await pair_older(frame, older)
    await older.do("emit", event="chainChanged", data=137, chain="eip155:137")
    await frame.said("sessions", lambda said: said["sessions"]["eip155"]["chain"] == "137")


async def test_an_older_wallet_ends_a_session(frame: Frame, older: Phone) -> None:
    await pair_older(frame, older)
    await older.do("end")
    assert await frame.said("sessions") == {"sessions": {}}


async def test_an_older_wallet_is_told_the_end_of_a_session(frame: Frame, older: Phone) -> None:
    await older.do("end")
    await pair_older(frame, older)
    assert (await frame.ask("disconnect"))["ok"]
    await older.sees("delete")


async def test_a_python_wallet_sees_the_host_page_as_the_one_that_asks(
    frame: Frame, python_wallet: PythonWallet
) -> None:
    await frame.show("qr")
    await frame.connect()
    seen = await python_wallet.scan(await frame.code())
    assert (seen["chains"], seen["proposer"]["url"]) == (["1", "137"], HOST)


async def test_a_python_wallet_connects_and_signs_also_after_a_reload(
    frame: Frame, python_wallet: PythonWallet
) -> None:
    await pair_python(frame, python_wallet)
    await frame.load()
    question = await ask_to_sign(frame, python_wallet.address)
    number, params = await python_wallet.sees("wc_sessionRequest")
    assert (params["chainId"], params["request"]["params"][0]) == ("eip155:137", MESSAGE)
    await python_wallet.sign(number, MESSAGE)
    signature = (await frame.answer(question))["value"]
    assert Account.recover_message(encode_defunct(hexstr=MESSAGE), signature=signature) == python_wallet.address


async def test_a_python_wallet_refuses_a_request(frame: Frame, python_wallet: PythonWallet) -> None:
    await pair_python(frame, python_wallet)
    question = await ask_to_sign(frame, python_wallet.address)
    number, _ = await python_wallet.sees("wc_sessionRequest")
    await python_wallet.refuse(number)
    assert (await frame.answer(question))["error"]["code"] == 4001


async def test_a_python_wallet_rejects_a_proposal(frame: Frame, python_wallet: PythonWallet) -> None:
    await frame.show("qr")
    question = await frame.connect()
    await python_wallet.scan(await frame.code())
    await python_wallet.reject()
    assert (await frame.answer(question))["error"]["code"] == 4001


async def test_a_python_wallet_ends_a_session(frame: Frame, python_wallet: PythonWallet) -> None:
    await pair_python(frame, python_wallet)
    await python_wallet.end()
    assert await frame.said("sessions") == {"sessions": {}}


async def test_a_python_wallet_is_told_the_end_of_a_session(frame: Frame, python_wallet: PythonWallet) -> None:
    await pair_python(frame, python_wallet)
    assert (await frame.ask("disconnect"))["ok"]
    assert await python_wallet.sees("wc_sessionDelete")
