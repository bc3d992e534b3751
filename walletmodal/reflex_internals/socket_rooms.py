"""Rooms of sockets: one that ends leaves its own, without a look at those of all others.

Why: Socket.IO looks for each socket that ends in the room of every other one. With 2,500 at a worker that takes milliseconds of its processor,
and of all that are lost at once each.
Test: `test_the_framework_looks_for_a_socket_that_ends_in_the_room_of_every_other_one`.
Dropped when: Socket.IO knows which rooms a socket is in.
"""

from typing import Any

from socketio import AsyncManager


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

    def basic_disconnect(self, sid: str, namespace: str, **_options: Any) -> None:
        """As Socket.IO does it."""
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
    """
    server.manager = OwnRooms()
    server.manager.set_server(server)
