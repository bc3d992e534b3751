"""A client that speaks the server's event protocol and lies: what anyone on the network can do."""

from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import socketio


class Forger:
    """One connection to `/_event` with a session of its own."""

    def __init__(self, url: str, *, origin: str | None = None) -> None:
        self.heard: list[Any] = []
        self.token = str(uuid4())
        self._client = socketio.Client(reconnection=False)
        self._client.on("event", self.heard.append, namespace="/_event")
        self._url = f"{url}/?token={self.token}"
        self._headers = {"Origin": origin or url}

    def __enter__(self) -> Self:
        self._client.connect(
            self._url,
            headers=self._headers,
            transports=["websocket"],
            namespaces=["/_event"],
            socketio_path="/_event",
            wait_timeout=10,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.disconnect()

    def fire(self, name: str, payload: Any) -> None:
        """Send one event, as the front end would."""
        router_data = {"pathname": "/", "query": {}, "asPath": "/"}
        self.emit({"name": name, "payload": payload, "router_data": router_data})

    def emit(self, data: Any) -> None:
        """Send anything at all as an event."""
        self._client.emit("event", data, namespace="/_event")

    @property
    def is_connected(self) -> bool:
        """Whether the server still keeps the connection."""
        return bool(self._client.connected)
