"""What a page has said is not kept once it is handled.

Why: Engine.IO's loop holds a socket's last packet until the next one comes, and after the socket has closed until Python's garbage collector runs: up
to a megabyte for each socket.
Test: `test_a_socket_keeps_nothing_of_a_packet_that_is_handled`.
Dropped when: its loop holds no packet while it waits.
"""

from typing import Any, Final

from engineio.async_socket import AsyncSocket
from engineio.packet import Packet

_receive: Final[Any] = AsyncSocket.receive


def forget_handled_packets() -> None:
    """Has the framework empty each packet that it has handled."""
    AsyncSocket.receive = _receive_and_forget


async def _receive_and_forget(socket: AsyncSocket, packet: Packet) -> None:
    """In the place of `AsyncSocket.receive`."""
    try:
        await _receive(socket, packet)
    finally:
        packet.data = None
