"""Pages that are to open another socket are reached by way of the framework's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio
from engineio.async_socket import AsyncSocket
from redis.exceptions import ConnectionError as RedisConnectionError
from reflex.utils.token_manager import SocketRecord

from walletmodal.deployment import Deployment
from walletmodal.reflex_internals.event_names import HYDRATE
from walletmodal.reflex_internals.unread import LISTENER
from walletmodal.walletmodal import app, release_session


class Moved:
    """A socket's listener."""

    def __init__(self) -> None:
        self.moved = 0
        self.has_left = False

    def told(self, _size: int) -> bool:
        return True

    def read(self, _size: int) -> None:
        pass

    async def move(self) -> None:
        self.moved += 1


@pytest.fixture
def listener() -> Iterator[Moved]:
    """Of the socket `low`."""
    found, eio = Moved(), _sio().eio
    before = LISTENER.set(found)
    eio.sockets["low"] = AsyncSocket(eio, "low")
    LISTENER.reset(before)
    yield found
    del eio.sockets["low"]


@pytest_asyncio.fixture
async def sid(listener: Moved) -> AsyncIterator[str]:
    """Of that socket in the namespace."""
    manager, namespace = _sio().manager, _namespace().namespace
    found = await manager.pre_connect("low", namespace)
    yield found
    await manager.disconnect(found, namespace)


def _sio() -> Any:
    return app.sio


def _namespace() -> Any:
    return app.event_namespace


async def test_the_page_of_a_token_is_moved(listener: Moved, sid: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = _namespace()._token_manager
    monkeypatch.setitem(tokens.token_to_socket, "here", SocketRecord(instance_id=tokens.instance_id, sid=sid))
    monkeypatch.setitem(tokens.token_to_socket, "elsewhere", SocketRecord(instance_id="another", sid=sid))
    for token in ("here", "elsewhere", "nowhere"):
        await app.renew_socket(token)
    assert listener.moved == 1


async def test_a_page_whose_socket_redis_does_not_let_begin_is_moved(
    listener: Moved, sid: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_args: Any, **_options: Any) -> None:
        raise RedisConnectionError

    monkeypatch.setattr(_namespace(), "link_token_to_sid", fail)
    with pytest.raises(RedisConnectionError):
        await _namespace().on_connect(sid, {"QUERY_STRING": "token=here"}, None)
    assert listener.moved == 1


async def test_a_socket_that_cannot_begin_leaves_nothing(sid: str) -> None:
    """Such as one whose first event is none, which anybody may say as often as they open sockets."""
    namespace, manager = _namespace(), _sio().manager
    with pytest.raises(AttributeError):
        await namespace.on_connect(sid, {"QUERY_STRING": "token=here"}, {"event": {"name": HYDRATE, "router_data": []}})
    assert not manager.is_pre_connected(sid, namespace.namespace)
    assert manager.eio_sid_from_sid(sid, namespace.namespace) is None


@pytest.mark.parametrize("leaving", ["closes its socket", "is told to open another"])
async def test_a_page_that_leaves_before_its_socket_has_begun_is_no_first_tab(
    listener: Moved, sid: str, leaving: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its next socket it would be taken for a second one, and begin anew."""
    namespace, link = _namespace(), _namespace().link_token_to_sid

    async def leave(*args: Any, **options: Any) -> None:
        await link(*args, **{**options, "update_state": False})
        if leaving == "closes its socket":
            _sio().eio.sockets["low"].closed = True
        else:
            await app.release_session("here")
            listener.has_left = True

    monkeypatch.setattr(namespace, "link_token_to_sid", leave)
    with pytest.raises(ConnectionRefusedError):
        await namespace.on_connect(sid, {"QUERY_STRING": "token=here"}, None)
    assert (sid in namespace.sid_to_token, "here" in namespace.token_to_sid) == (False, False)
    assert sid not in namespace._static_router_data


async def test_a_socket_whose_session_cannot_be_written_is_nobodys(sid: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any, **_options: Any) -> None:
        raise RedisConnectionError

    monkeypatch.setattr(app.state_manager, "modify_state", fail)
    with pytest.raises(RedisConnectionError):
        await _namespace().on_connect(sid, {"QUERY_STRING": "token=here"}, None)
    assert (sid in _namespace().sid_to_token, "here" in _namespace().token_to_sid) == (False, False)


async def test_what_another_server_goes_on_from_is_written_before_the_page_moves(deployed: Deployment) -> None:
    deployed.resume.put("of-the-visitors-tab", {"a": 1})
    await release_session("here")
    assert deployed.resume.pending == 0
