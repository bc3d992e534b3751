"""Rooms of sockets: one that ends leaves its own, without a look at those of all others, and what one is told goes to it without a task.

Why: Socket.IO looks for each socket that ends in the room of every other one. With 2,500 at a worker that takes milliseconds of its processor,
and of all that are lost at once each. And it begins a task for each socket that a packet goes to, even where there is only one; that costs as much as all else there.
Test: `test_the_framework_looks_for_a_socket_that_ends_in_the_room_of_every_other_one`, `test_what_one_page_is_told_is_in_its_queue_at_once`.
Dropped when: Socket.IO knows which rooms a socket is in, and begins no task for a packet to one.
"""

from typing import Any

from socketio import AsyncManager
from socketio.packet import EVENT


class OwnRooms(AsyncManager):  # type: ignore[misc]  # the library is not typed
    """Socket.IO's, which knows the rooms that are neither that of all nor a socket's own: nothing of Reflex or of ours has any."""

    def __init__(self) -> None:
        super().__init__()
        self._others: set[str] = set()

    def basic_enter_room(self, sid: str, namespace: str, room: str | None, eio_sid: str | None = None) -> None:
        """As Socket.IO does it."""
        super().basic_enter_room(sid, namespace, room, eio_sid=eio_sid)
        if room not in (None, sid):
            self._others.add(room)

    async def emit(self, event: str, data: Any, namespace: str, room: Any = None, **options: Any) -> None:
        """Tells those in a room: one page at once, several as Socket.IO does it."""
        own = self.rooms.get(namespace, {}).get(room) if isinstance(room, str) else None
        if own is None or room not in own or any(options.values()) or data is None or isinstance(data, tuple):
            await super().emit(event, data, namespace, room=room, **options)
            return
        packet = self.server.packet_class(EVENT, namespace=namespace, data=[event, data])
        await self.server._send_packet(own[room], packet)

    def basic_disconnect(self, sid: str, namespace: str, **_options: Any) -> None:
        """Forgets a socket, in the rooms that it may be in."""
        for room in (*self._others, sid, None):
            self.basic_leave_room(sid, namespace, room)
        self.callbacks.pop(sid, None)
        for pending in (self.pending_connect, self.pending_disconnect):
            if sid in (waiting := pending.get(namespace, [])):
                waiting.remove(sid)
                if not waiting:
                    del pending[namespace]


def keep_to_own_rooms(server: Any) -> None:
    """Has a server's sockets leave their own rooms alone.

    Args:
        server: `socketio.AsyncServer`, before its first socket.

    Raises:
        TypeError: it has a manager of somebody's own, which may have to tell other servers.
    """
    if type(server.manager) is not AsyncManager:
        raise TypeError(f"the server of sockets has a manager of its own: {type(server.manager).__name__}")
    server.manager = OwnRooms()
    server.manager.set_server(server)
