"""Asks the policy: in time, beside the event loop, and with no as the answer to everything that goes wrong."""

import asyncio
import inspect
import logging
import threading
from collections.abc import Awaitable
from contextlib import suppress
from contextvars import copy_context
from typing import Final

from walletmodal.core.requests.policy import Allow, Confirm, Decision, Deny
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.services.policy.policy_file import PolicyFile

DECIDE_SECONDS: Final = 3.0
"""For how long a decision may take. The visitor's state is held meanwhile, and Redis takes such a lock away after ten seconds."""
THREADS: Final = 8
FAILED: Final = Deny("")
"""The policy raised an error, took too long, or answered with something else than a decision: the log says which."""

logger = logging.getLogger(__name__)


class Policy:
    """What the deployment allows.

    Args:
        file: the operator's; None: whatever the method lists allow.
        seconds: for how long a decision may take.
    """

    def __init__(self, file: PolicyFile | None = None, *, seconds: float = DECIDE_SECONDS) -> None:
        self._file, self._seconds = file, seconds
        self._free = asyncio.Semaphore(THREADS)

    @property
    def is_set(self) -> bool:
        """Whether there is a file."""
        return self._file is not None

    async def decide(self, request: HostedRequest) -> Decision:
        """What becomes of a request. Never raises: what cannot be decided is denied, and logged.

        A function runs in a thread; a coroutine function on the event loop, which it must leave free.
        """
        if self._file is None:
            return Allow()
        try:
            async with asyncio.timeout(self._seconds):
                decision = await self._in_a_thread(self._file, request)
                if inspect.isawaitable(decision):
                    decision = await _finished(decision)
        except TimeoutError:
            logger.warning("the policy took more than %s s for %s, which is denied", self._seconds, request.method)
            return FAILED
        except Exception:
            logger.exception("the policy failed on %s, which is denied", request.method)
            return FAILED
        if not isinstance(decision, Allow | Deny | Confirm):
            logger.error("the policy answered %s with %s; it is denied", request.method, type(decision).__name__)
            return FAILED
        return decision

    async def _in_a_thread(self, file: PolicyFile, request: HostedRequest) -> object:
        """A daemon thread: one that hangs holds up neither the threads of others nor the end of the process. It keeps its place, though."""
        await self._free.acquire()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[object] = loop.create_future()

        def tell(value: object, failure: Exception | None) -> None:
            self._free.release()
            if answer.done():
                _close(value)
                return
            if failure is None:
                answer.set_result(value)
            else:
                answer.set_exception(failure)

        def work() -> None:
            value: object = None
            failure: Exception | None = None
            try:
                value = file.decide()(request)
            except BaseException as error:  # noqa: BLE001 # told in the event loop; a policy that calls `sys.exit` ends nothing
                failure = _failure(error)
            with suppress(RuntimeError):
                # The loop may have ended meanwhile.
                loop.call_soon_threadsafe(tell, value, failure)

        threading.Thread(target=copy_context().run, args=(work,), name="policy", daemon=True).start()
        try:
            return await answer
        except asyncio.CancelledError:
            if not answer.cancelled() and answer.exception() is None:
                _close(answer.result())
            raise


def _close(value: object) -> None:
    """Ends a coroutine that nobody waits for any more; left as it is, Python would complain of it."""
    if inspect.iscoroutine(value):
        value.close()


async def _finished(decision: Awaitable[object]) -> object:
    try:
        return await decision
    except SystemExit as error:
        raise _failure(error) from error


def _failure(error: BaseException) -> Exception:
    """An ordinary error instead of one that would end the event loop, or that a future cannot carry."""
    failure = RuntimeError("the policy raised an error")
    failure.__cause__ = error
    return failure
