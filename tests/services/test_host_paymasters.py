"""Paymasters that host pages name: asked at public addresses alone, and never believed more than any other."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.services import node as nodes
from tests.services.outside import Outside, gives
from tests.services.pictures import HOST, PUBLIC, Names, Rerouted, served_tls, trusting_tls
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import HttpRequestError, PrivateAddressError, ResponseTooLargeError
from walletmodal.core.errors.operations import PaymasterRefusedError
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.services.http.pinned_network import PinnedNetwork
from walletmodal.services.smart_accounts.host_paymasters import MAX_ANSWER, HostPaymasters
from walletmodal.services.smart_accounts.paymaster import Paymaster

CHAIN = parse_chain_id("eip155:1")
PAYMASTER = "0x777777777777AeC03fd955926DbF81597e66834C"
OPERATION = UserOperation(sender=PAYMASTER, nonce=0, call_data=b"", signature=b"secret")
STUB = {"paymaster": PAYMASTER, "paymasterData": "0x12", "paymasterPostOpGasLimit": "0x0"}


def answered(result: object) -> nodes.Behaviour:
    """The answer to the first question of a transport."""
    return gives({"jsonrpc": "2.0", "id": 1, "result": result})


class Stage:
    """A paymaster that stands for the whole internet, the resolver, and the client."""

    def __init__(self, outside: Outside) -> None:
        self.outside = outside
        self.names = Names(**{HOST: [PUBLIC], "inside.test": ["10.0.0.5"], "both.test": [PUBLIC, "169.254.169.254"]})
        self.network = Rerouted(outside.port)
        pinned = PinnedNetwork(self.names, sockets=self.network)
        self.paymasters = HostPaymasters(pinned, tls=trusting_tls())

    async def ask(self, url: str) -> Any:
        return await Paymaster(self.paymasters.transport(url), CHAIN).stub(OPERATION, ENTRY_POINT_0_7, {"policy": "p1"})


@pytest_asyncio.fixture
async def stage() -> AsyncIterator[Stage]:
    async with Outside({"/pay": answered(STUB)}).running(served_tls([])) as outside:
        stage = Stage(outside)
        yield stage
        await stage.paymasters.close()


async def test_a_public_paymaster_is_asked_without_the_signature(stage: Stage) -> None:
    found = await stage.ask(f"https://{HOST}/pay")
    assert (found.paymaster, stage.network.asked) == (PAYMASTER, [(PUBLIC, 443)])
    operation, entry_point, chain, context = stage.outside.last.body["params"]
    assert ("signature" not in operation, entry_point, chain, context) == (
        True,
        ENTRY_POINT_0_7,
        "0x1",
        {"policy": "p1"},
    )


async def test_nothing_of_the_visitor_goes_out(stage: Stage) -> None:
    await stage.ask(f"https://{HOST}/pay")
    assert "cookie" not in stage.outside.last.headers


@pytest.mark.parametrize("host", ["inside.test", "both.test"])
async def test_a_name_that_leads_inside_is_not_asked(stage: Stage, host: str) -> None:
    with pytest.raises(PrivateAddressError):
        await stage.ask(f"https://{host}/pay")
    assert stage.network.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "http://pictures.test/pay",
        "https://localhost/pay",
        "https://127.0.0.1/pay",
        "https://[::1]/pay",
        "https://pictures.test:22/pay",
        "https://user:password@pictures.test/pay",
        "ftp://pictures.test/pay",
        "file:///etc/passwd",
        "https://pictures.test\\@inside.test/pay",
        "",
        "pay",
    ],
)
def test_a_url_of_another_form_is_refused(url: str) -> None:
    with pytest.raises(PaymasterRefusedError):
        HostPaymasters().transport(url)


@pytest.mark.parametrize("url", ["https://10.0.0.5/pay", "https://169.254.169.254/latest", "https://[fd00::1]/pay"])
async def test_an_inner_address_is_not_asked(url: str) -> None:
    paymasters = HostPaymasters()
    with pytest.raises(PrivateAddressError):
        await Paymaster(paymasters.transport(url), CHAIN).stub(OPERATION, ENTRY_POINT_0_7, {})
    await paymasters.close()


async def test_a_redirect_is_not_followed(stage: Stage) -> None:
    moved = nodes.http(b"", status="307 Moved", headers="Location: https://inside.test/pay\r\n")
    stage.outside.answers["/pay"] = nodes.send(moved)
    with pytest.raises(HttpRequestError):
        await stage.ask(f"https://{HOST}/pay")
    assert stage.names.asked == [HOST]


async def test_an_answer_without_end_is_given_up(stage: Stage) -> None:
    stage.outside.answers["/pay"] = answered("x" * (MAX_ANSWER + 1))
    with pytest.raises(ResponseTooLargeError):
        await stage.ask(f"https://{HOST}/pay")


async def test_on_this_machine_one_is_asked_where_that_is_allowed() -> None:
    async with Outside({"/pay": answered(STUB)}).running() as outside:
        paymasters = HostPaymasters(allow_loopback=True)
        found = await Paymaster(paymasters.transport(f"{outside.url}/pay"), CHAIN).stub(OPERATION, ENTRY_POINT_0_7, {})
        assert found.paymaster == PAYMASTER
        await paymasters.close()
