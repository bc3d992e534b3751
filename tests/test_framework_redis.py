"""What Reflex does that our states in Redis rely on, or take the place of."""

from __future__ import annotations

import asyncio
from pickle import UnpicklingError
from typing import Any, cast

import pytest
from redis.asyncio import Redis
from redis.crc import key_slot
from redis.exceptions import ConnectionError as RedisConnectionError
from reflex.istate.manager import StateManager
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State, StateUpdate
from reflex.utils import prerequisites
from reflex.utils.token_manager import RedisTokenManager, SocketRecord, TokenManager
from reflex_base.config import get_config
from reflex_base.constants import StateManagerMode
from reflex_base.event import Event
from reflex_base.event.context import EventContext
from reflex_base.event.processor import BaseStateEventProcessor

from tests.patience import patience
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.reflex_internals.session_moves import (
    _MOVING,
    ARRIVE_SECONDS,
    note_arrival,
    release_token,
    still_moving,
)
from walletmodal.reflex_internals.slot_tokens import SlotToken
from walletmodal.reflex_internals.worker_messages import WorkerSockets

# What is abstract in its base class looks abstract to mypy.
_REDIS: Any = StateManagerRedis


def test_states_and_sockets_ask_one_function_for_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = [cast("Redis", object()), cast("Redis", object())]
    asked = iter(opened)
    monkeypatch.setattr(get_config(), "redis_url", "redis+sentinel://localhost/main")
    monkeypatch.setattr(get_config(), "state_manager_mode", StateManagerMode.REDIS)
    monkeypatch.setattr(prerequisites, "get_redis", lambda: next(asked))
    monkeypatch.setattr(prerequisites, "parse_redis_url", lambda: get_config().redis_url)
    create: Any = StateManager.create
    manager = create()
    sockets: Any = TokenManager.create()
    assert [manager.redis, sockets.redis] == opened


def test_the_frameworks_keys_of_a_session_lie_anywhere() -> None:
    def slots(token: BaseStateToken) -> set[int]:
        states = [key_slot(token._state_key(one).encode()) for one in (State, ShellState, BridgeState)]
        return {key_slot(StateManagerRedis._lock_key(token)), *states}

    assert len(slots(BaseStateToken(ident="visitor", cls=State))) > 1
    assert len(slots(SlotToken(ident="visitor", cls=State))) == 1


async def test_each_state_that_a_handler_asks_for_is_read_by_itself(redis_url: str) -> None:
    client = Redis.from_url(redis_url)
    manager = _REDIS(redis=client)
    token = BaseStateToken(ident="visitor", cls=ShellState)
    async with manager.modify_state(token) as root:
        await client.config_resetstat()
        for state in (BridgeState, ToastState):
            await manager.get_state(token.with_cls(state), for_state_instance=root)
        told: Any = await client.info("commandstats")
    await manager.close()
    assert told["cmdstat_mget"]["calls"] == 2


async def test_a_page_is_told_before_it_is_written(redis_url: str) -> None:
    client = Redis.from_url(redis_url)
    manager = _REDIS(redis=client)
    written, processor = list[int](), BaseStateEventProcessor(graceful_shutdown_timeout=2)

    async def emit_delta(token: str, delta: Any) -> None:
        assert delta
        written.append(await client.exists(BaseStateToken(ident=token, cls=State)._state_key(State)))

    processor._root_context = EventContext(
        token="", txid="", state_manager=manager, enqueue_impl=processor.enqueue_many, emit_delta_impl=emit_delta
    )
    async with processor:
        await (await processor.enqueue("visitor", Event.from_event_type(State.hydrate)[0])).wait_all()
    await manager.close()
    assert written == [0]


async def test_a_session_that_was_released_is_taken_over_by_another_worker(redis_url: str) -> None:
    """And the first worker still knows whose the socket is."""
    here, there = (WorkerSockets(Redis.from_url(redis_url)) for _ in range(2))
    try:
        assert await here.link_token_to_sid("visitor", "first") is None
        await release_token(here, "visitor")
        assert await there.link_token_to_sid("visitor", "second") is None
        assert here.sid_to_token["first"] == "visitor"
        assert await here._get_token_owner("visitor") == there.instance_id
        await here.disconnect_token("visitor", "first")
        assert await there.is_token_connected("visitor")
    finally:
        await here.close()
        await there.close()


async def test_a_page_is_moving_until_it_has_the_whole_state_at_another_worker(redis_url: str) -> None:
    here, there = (WorkerSockets(Redis.from_url(redis_url)) for _ in range(2))
    try:
        for token in ("first", "second"):
            await here.link_token_to_sid(token, f"socket of {token}")
            await release_token(here, token)
            await there.link_token_to_sid(token, f"next socket of {token}")
        assert await still_moving(here, {"first", "second", "never moved"}) == {"first", "second"}
        await note_arrival(there, "first")
        assert await still_moving(here, {"first", "second"}) == {"second"}
        # A page that is closed on its way arrives nowhere.
        assert 0 < await here.redis.ttl(_MOVING + "second") <= ARRIVE_SECONDS
    finally:
        await here.close()
        await there.close()


async def test_where_redis_does_not_say_who_has_arrived_nobody_has(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = WorkerSockets(Redis.from_url(redis_url))

    async def away(*_: Any) -> None:
        raise RedisConnectionError

    monkeypatch.setattr(here.redis, "exists", away)
    assert await still_moving(here, ["first", "second"]) == {"first", "second"}
    await here.close()


async def test_what_is_told_while_a_session_is_released_does_not_take_it_back(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = WorkerSockets(Redis.from_url(redis_url))
    delete = here.redis.delete

    async def tell_first(key: str) -> None:
        await here.emit_lost_and_found("visitor", StateUpdate())
        await delete(key)

    monkeypatch.setattr(here.redis, "delete", tell_first)
    try:
        await here.link_token_to_sid("visitor", "first")
        await release_token(here, "visitor")
        assert here.token_to_socket == {}
    finally:
        await here.close()


async def test_what_the_framework_cannot_read_ends_what_listens(redis_url: str) -> None:
    async def tell(_update: StateUpdate, _token: str) -> None:
        """Nobody is told."""

    async with Redis.from_url(redis_url) as client, patience():
        here = RedisTokenManager(Redis.from_url(redis_url))
        listening = asyncio.create_task(here._subscribe_lost_and_found_updates(tell))
        while not await client.publish(f"channel:{here._get_lost_and_found_key(here.instance_id)}", b"poisoned"):
            await asyncio.sleep(0.01)
        with pytest.raises(UnpicklingError):
            await listening
        await here.close()


async def test_the_framework_hears_of_every_socket(redis_url: str) -> None:
    here = RedisTokenManager(Redis.from_url(f"{redis_url}?client_name=of_the_framework"))
    async with Redis.from_url(redis_url) as client, patience():
        await here.link_token_to_sid("visitor", "socket")
        while not any(one["psub"] == "1" for one in await client.client_list() if one["name"] == "of_the_framework"):
            await asyncio.sleep(0.01)
        await here.close()


async def test_a_redis_that_does_not_answer_holds_up_no_release(monkeypatch: pytest.MonkeyPatch) -> None:
    class Frozen:
        async def set(self, *_key: Any, **_options: Any) -> None:
            await asyncio.Event().wait()

        async def delete(self, _key: str) -> None:
            await asyncio.Event().wait()

    monkeypatch.setattr("walletmodal.reflex_internals.session_moves.RELEASE_SECONDS", 0.01)
    frozen: Any = Frozen()
    tokens = RedisTokenManager(frozen)
    tokens.token_to_socket["visitor"] = SocketRecord(instance_id=tokens.instance_id, sid="first")
    async with patience():
        await release_token(tokens, "visitor")
    assert tokens.token_to_socket == {}


async def test_a_session_that_was_not_released_is_taken_for_another_tab(redis_url: str) -> None:
    here, there = (RedisTokenManager(Redis.from_url(redis_url)) for _ in range(2))
    try:
        await here.link_token_to_sid("tab", "first")
        assert await there.link_token_to_sid("tab", "second") is not None
    finally:
        await here.close()
        await there.close()


def test_the_frameworks_schema_has_public_variables_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    before = ShellState._to_schema()
    ShellState._to_schema.cache_clear()
    monkeypatch.delitem(ShellState.__fields__, "_stack")
    assert ShellState._to_schema() == before
