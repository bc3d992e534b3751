"""Batches reads that are asked in one tick into one request; where the server does not take that, into smaller ones."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakValueDictionary

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.constants import BATCH_SIZE, HTTP_TIMEOUT
from walletmodal.core.errors import HttpRequestError, RequestTimeoutError, ResponseTooLargeError, TransportError
from walletmodal.services.rpc.envelope import EncodedCall, encode_call
from walletmodal.services.rpc.reads import READ_METHODS
from walletmodal.services.rpc.transport import BatchRpcTransport, JsonParams
from walletmodal.services.rpc.verdicts import refuses_batches

BATCH_CHARACTERS: Final = 1_000_000
"""Of one batch: about what servers accept as a body."""
SIZE_REMEMBERED_SECONDS: Final = 60.0
"""For how long a server that refused large batches is only sent small ones."""

AT_ONCE: Final = 16
"""Requests to one server."""
AT_ONCE_OF_ONE: Final = 8
"""Of these for one caller: whoever asks what takes long must not have all others wait for it."""

_SHRINK: Final = 10
_MAX_REFUSED_SINGLES: Final = 3
_MAX_TICKS: Final = 8


@dataclass(slots=True)
class _Asked:
    call: EncodedCall
    answer: asyncio.Future[object]


@dataclass(slots=True)
class _Batch:
    caller: str
    asked: list[_Asked] = field(default_factory=list)
    waiting: int = 0
    task: asyncio.Task[None] | None = None


class _Slots:
    """The requests that are made at once, of which one caller has a share."""

    def __init__(self) -> None:
        self._all = asyncio.Semaphore(AT_ONCE)
        # Each is kept for as long as its caller has a request or waits for one.
        self._shares = WeakValueDictionary[str, asyncio.Semaphore]()

    @asynccontextmanager
    async def taken(self, caller: str) -> AsyncIterator[None]:
        share = self._shares.setdefault(caller, asyncio.Semaphore(AT_ONCE_OF_ONE if caller else AT_ONCE))
        async with share, self._all:
            yield


class BatchingTransport:
    """A transport that collects what one caller reads in one tick. Everything else goes at once and alone.

    Args:
        inner: takes the batches.
        batch_size: how many calls make a batch at most.
        timeout: seconds for a batch with all that becomes of it, should the server take only smaller ones.
        clock: what the memory of refused sizes is measured with.
        caller: for whom the current task asks; "" for the deployment itself.
    """

    def __init__(
        self,
        inner: BatchRpcTransport,
        *,
        batch_size: int = BATCH_SIZE,
        timeout: float = HTTP_TIMEOUT,
        clock: Clock | None = None,
        caller: Callable[[], str] = str,
    ) -> None:
        self._caller, self._slots = caller, _Slots()
        self._inner, self._batch_size, self._timeout = inner, batch_size, timeout
        self._clock = clock or SystemClock()
        self._collecting: dict[str, _Batch] = {}
        self._sent: set[asyncio.Task[None]] = set()
        self._small_size, self._small_until = batch_size, 0.0
        self._small_because: TransportError | None = None

    async def request(self, method: str, params: JsonParams = ()) -> object:
        """As `RpcTransport.request`. A batch that failed as a whole is the failure of each of its callers."""
        if method not in READ_METHODS:
            return await self._inner.request(method, params)
        asked = _Asked(encode_call(method, params), asyncio.get_running_loop().create_future())
        batch = self._collect(asked)
        try:
            return await asked.answer
        except asyncio.CancelledError:
            batch.waiting -= 1
            if not batch.waiting and batch.task is not None:
                batch.task.cancel()
            raise

    async def close(self) -> None:
        """Give up what is being asked."""
        for batch in list(self._collecting.values()):
            self._send(batch)
        tasks = list(self._sent)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _collect(self, asked: _Asked) -> _Batch:
        caller = self._caller()
        batch = self._collecting.get(caller)
        if batch is None:
            batch = self._collecting[caller] = _Batch(caller)
            asyncio.get_running_loop().call_soon(self._after_tick, batch, 1, _MAX_TICKS)
        batch.asked.append(asked)
        batch.waiting += 1
        if len(batch.asked) >= self._batch_size:
            self._send(batch)
        return batch

    def _after_tick(self, batch: _Batch, seen: int, ticks_left: int) -> None:
        if batch.task is not None:
            return
        # Callers of one moment arrive through differently many tasks: a tick that brings nobody is the end of it.
        if ticks_left and len(batch.asked) > seen:
            loop = asyncio.get_running_loop()
            loop.call_soon(self._after_tick, batch, len(batch.asked), ticks_left - 1)
        else:
            self._send(batch)

    def _send(self, batch: _Batch) -> None:
        del self._collecting[batch.caller]
        batch.task = asyncio.create_task(self._answer(batch), name="batch")
        self._sent.add(batch.task)
        batch.task.add_done_callback(lambda task: self._sent_off(batch, task))

    def _sent_off(self, batch: _Batch, task: asyncio.Task[None]) -> None:
        self._sent.discard(task)
        failure = None if task.cancelled() else task.exception()
        for one in batch.asked:
            if failure is not None and not one.answer.done():
                one.answer.set_exception(failure)
            else:
                # Whoever still waits is not left waiting.
                one.answer.cancel()

    async def _answer(self, batch: _Batch) -> None:
        asked = [one for one in batch.asked if not one.answer.done()]
        try:
            async with asyncio.timeout(self._timeout):
                await self._deliver(asked, batch.caller)
        except TimeoutError as error:
            late = RequestTimeoutError(url=self._inner.shown_url)
            late.__cause__ = error
            _fail(asked, late)

    async def _deliver(self, asked: Sequence[_Asked], caller: str, *, is_part: bool = False) -> None:
        """Send part by part until the server takes one, then the rest at once in parts of that size.

        Args:
            asked: who waits for an answer.
            caller: for whom.
            is_part: of a batch whose size the server takes in general.
        """
        whole = size = min(len(asked), self._known_size())
        why: TransportError | None = None
        refused, guilty = 0, False
        while asked:
            part, asked = _cut(asked, size)
            refusal = await self._refusal(part, caller)
            if refusal is None:
                break
            if len(part) > 1:
                why, size = refusal, max(1, len(part) // _SHRINK)
                asked = (*part, *asked)
                continue
            if isinstance(refusal, HttpRequestError):
                refused += 1
            if refused == _MAX_REFUSED_SINGLES:
                # A server that refuses whatever it is sent is not sent a thousand more.
                _fail(asked, refusal)
                return
            if not guilty and _alike(refusal, why or self._small_because):
                # For this one it refused them all: the others are a batch again.
                guilty, size = True, whole
            elif not refused:
                break
        if guilty or (is_part and why is not None):
            self._small_until = 0.0
        elif why is not None and not isinstance(why, ResponseTooLargeError):
            # Of too large answers it is their content, and the next ones are others.
            self._small_size, self._small_because = size, why
            self._small_until = self._clock.monotonic() + SIZE_REMEMBERED_SECONDS
        await self._deliver_parts(asked, caller, size)

    async def _deliver_parts(self, asked: Sequence[_Asked], caller: str, size: int) -> None:
        async with asyncio.TaskGroup() as group:
            while asked:
                part, asked = _cut(asked, size)
                group.create_task(self._deliver(part, caller, is_part=True))

    async def _refusal(self, part: Sequence[_Asked], caller: str) -> TransportError | None:
        """Send them in one request; None: all have got what there is for them. The refusal of a single call is its answer, too."""
        async with self._slots.taken(caller):
            try:
                outcomes = await self._inner.request_many([one.call for one in part])
            except TransportError as error:
                refused = refuses_batches(error)
                if len(part) == 1 or not refused:
                    _fail(part, error)
                return error if refused else None
        for one, outcome in zip(part, outcomes, strict=True):
            _settle(one, outcome)
        only = outcomes[0]
        return only if len(part) == 1 and isinstance(only, TransportError) else None

    def _known_size(self) -> int:
        return self._small_size if self._clock.monotonic() < self._small_until else self._batch_size


def _cut(asked: Sequence[_Asked], size: int) -> tuple[Sequence[_Asked], Sequence[_Asked]]:
    """The next part, and what is left."""
    end = characters = 0
    for one in asked[:size]:
        characters += len(one.call.text)
        if end and characters > BATCH_CHARACTERS:
            break
        end += 1
    return asked[:end], asked[end:]


def _alike(one: TransportError, other: TransportError | None) -> bool:
    if isinstance(one, HttpRequestError) and isinstance(other, HttpRequestError):
        return one.status == other.status
    return type(one) is type(other) and other is not None and one.code == other.code


def _fail(asked: Sequence[_Asked], error: TransportError) -> None:
    for one in asked:
        _settle(one, error)


def _settle(one: _Asked, outcome: object) -> None:
    if one.answer.done():
        return
    if isinstance(outcome, TransportError):
        one.answer.set_exception(outcome)
    else:
        one.answer.set_result(outcome)
