"""A client that speaks the server's event protocol (Socket.IO over a websocket) and lies: what anyone on the network can do."""

import json
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.patience import PATIENCE
from walletmodal.features.networks.state import NetworksState
from walletmodal.reflex_internals.event_names import HYDRATE

NAMESPACE = "/_event"
OPENING = {"event": {"name": HYDRATE, "payload": {}, "router_data": {"pathname": "/", "query": {}, "asPath": "/"}}}
"""What a page that has loaded opens the namespace with; a socket without it is closed after a minute."""
ECHO = f"{NetworksState.get_full_name()}.set_search"
"""An event of an honest page whose answer has what it brought."""


class Forger:
    """One connection to `/_event` with a session of its own, or with one that it claims.

    Args:
        url: the modal server.
        origin: the Origin header; default: the modal's own, as its frame sends it.
        token: the session to claim.
    """

    def __init__(self, url: str, *, origin: str | None = None, token: str | None = None) -> None:
        self.token = token or str(uuid4())
        self._address = f"{url.replace('http', 'ws', 1)}/_event/?EIO=4&transport=websocket&token={self.token}"
        self._origin = origin or url
        self._socket: ClientConnection | None = None
        self._heard: list[str] = []

    def __enter__(self) -> Self:
        self._socket = connect(
            self._address, additional_headers={"Origin": self._origin}, max_size=None, open_timeout=PATIENCE, proxy=None
        )
        self._await("0{")
        self.send(f"40{NAMESPACE},{json.dumps(OPENING)}")
        self._await(f"40{NAMESPACE},")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._socket:
            self._socket.close()

    def fire(self, name: str, payload: Any) -> None:
        """Send one event, as the front end would."""
        router_data = {"pathname": "/", "query": {}, "asPath": "/"}
        self.emit({"name": name, "payload": payload, "router_data": router_data})

    def emit(self, data: Any) -> None:
        """Send anything at all as an event."""
        self.send(f"42{NAMESPACE},{json.dumps(['event', data])}")

    def send(self, packet: str) -> None:
        """Send a packet as it is.

        Raises:
            ConnectionClosed: the server has ended the connection.
        """
        assert self._socket
        self._socket.send(packet)

    def expect_answer(self) -> None:
        """Returns once everything sent so far has been handled: a session's events are handled in turn, and one more is answered.

        Raises:
            AssertionError: it is not: the connection has ended, or the server is silent.
            ConnectionClosed: as `send`.
        """
        mark = uuid4().hex
        self.fire(ECHO, {"text": mark})
        while mark not in self._heard[-1]:
            assert self._receive(PATIENCE), f"the last event was not answered; the server said {self._heard[-1]!r:.500}"

    def heard(self, *, seconds: float = 1.0) -> str:
        """All that the server has said, once it has been silent for so long."""
        while self._receive(seconds):
            continue
        return "\n".join(self._heard)

    def _await(self, beginning: str) -> None:
        while self._receive(PATIENCE):
            if self._heard[-1].startswith(beginning):
                return
        raise AssertionError(f"the server did not say {beginning!r}; it said {self._heard!r:.500}")

    def _receive(self, seconds: float) -> bool:
        assert self._socket
        try:
            packet = self._socket.recv(timeout=seconds)
            if packet == "2":
                self.send("3")
        except (TimeoutError, ConnectionClosed):
            return False
        self._heard.append(packet if isinstance(packet, str) else packet.decode(errors="replace"))
        return True
