"""What the other tests of this folder rely on: visitors get to the end of every flow while nothing fails."""

import asyncio
import contextlib

from tests.cluster.cluster import Cluster
from tests.cluster.network import Line, network
from tests.patience import PATIENCE, eventually
from tests.ports import free_ports


async def test_a_connection_that_has_said_nothing_yet_breaks_with_the_others() -> None:
    with network() as lines:
        line = Line(lines, free_ports(), free_ports())
        line.open()
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", line.port)
            with contextlib.closing(writer):
                await eventually(lambda: line.count == 1, "the connection")
                line.break_all()
                with contextlib.suppress(ConnectionResetError):
                    assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
        finally:
            line.close()


async def test_visitors_connect_sign_in_approve_and_send_over_two_servers(servers: Cluster) -> None:
    async with servers.visitors(2) as visitors:
        for visitor in visitors:
            await visitor.connect()
            told = await visitor.sign_in()
            assert servers.host.verify(told["token"], online=True).address == visitor.wallet.address
            signature = await visitor.approve("hello")
            assert [one.value for one in visitor.loader.signed if one.request][-1] == signature
            assert await visitor.send() in [one.value for one in visitor.loader.signed]


async def test_a_visitor_approves_requests_that_wait_in_a_row(servers: Cluster) -> None:
    async with servers.visitors(1) as (visitor,):
        await visitor.connect()
        await visitor.sign_in()
        ask, address = visitor.loader.request, visitor.wallet.address
        asking = [asyncio.create_task(ask("personal_sign", [text, address])) for text in ("0xaa", "0xbb")]
        await visitor._reach(lambda: all(one.done() for one in asking), visitor._approve)
        signed = [one.value for one in visitor.loader.signed if one.request]
        assert [one.result()["value"] for one in asking] == signed
