"""The loop of a socket: its packets are handled one after the other, and one task writes what its page is told.

Why: Engine.IO begins a task and a timer for each packet that it waits for, in both directions, though `walletmodal.web.event_socket` limits how long
a page may be silent, how much it may say, and how long it may leave unread what it is told. With Engine.IO's loop, what an event has brought about,
which takes the processor for milliseconds, begins before what the event has changed is written. It holds the last packet of either direction until
the next one: a megabyte for each socket. And it never forgets the socket of a page that has gone before it was accepted, nor that of a websocket
whose `Connection` header it does not understand: what is a websocket the server has decided before.
Test: `test_a_socket_keeps_nothing_of_a_packet`, `test_what_a_page_is_told_is_written_before_its_handler_goes_on`, `test_a_page_that_goes_before_it_is_accepted_leaves_nothing`,
`test_a_websocket_is_one_whatever_its_headers_are`.
Dropped when: its loop waits without a task for each packet, holds no packet meanwhile, and ends such sockets.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Any, Final

from engineio.async_socket import AsyncSocket
from engineio.packet import Packet

_upgrade: Final[Any] = AsyncSocket._upgrade_websocket
_log: Final = logging.getLogger(__name__)
_ENDED: Final = (OSError, RuntimeError)
"""What a server, or Engine.IO for it, raises where the connection has ended."""


def use_our_loop() -> None:
    """Has the framework's sockets, none of which begins with another transport, go by this loop."""
    AsyncSocket.handle_get_request, AsyncSocket._websocket_handler = _serve, _converse


async def _serve(socket: AsyncSocket, environ: Any) -> str:
    """In the place of `AsyncSocket.handle_get_request`, with what that returns after a websocket."""
    try:
        with suppress(*_ENDED):
            await _upgrade(socket, environ)
        return ""
    finally:
        await socket.close(wait=False, abort=True, reason=socket.server.reason.TRANSPORT_CLOSE)


async def _converse(socket: AsyncSocket, transport: Any) -> None:
    """In the place of `AsyncSocket._websocket_handler`."""
    socket.connected = socket.upgraded = True
    writing = asyncio.create_task(_write_all(socket, transport), name="socket-writer")
    try:
        while True:
            await _handle(socket, await transport.wait())
    finally:
        await socket.queue.put(None)
        await writing


async def _handle(socket: AsyncSocket, said: str | bytes) -> None:
    try:
        await socket.receive(Packet(encoded_packet=said))
    except Exception:  # noqa: BLE001 - whatever it is, what the page says next has nothing to do with it
        _log.exception("a packet could not be handled")


async def _write_all(socket: AsyncSocket, transport: Any) -> None:
    """Writes what the page is told, until that is over or nobody reads it."""
    try:
        with suppress(*_ENDED):
            while await _write_next(socket, transport):
                pass
    finally:
        await transport.close()


async def _write_next(socket: AsyncSocket, transport: Any) -> bool:
    """Writes the next packet; False where none will come."""
    packet = await socket.queue.get()
    socket.queue.task_done()
    if packet is not None:
        await transport.send(packet.encode())
    return packet is not None
