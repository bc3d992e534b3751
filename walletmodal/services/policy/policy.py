"""Asks the policy: in time, beside the event loop, and with no as the answer to everything that goes wrong."""

import asyncio
import inspect
import logging
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import copy_context
from typing import Final

from walletmodal.core.requests.policy import Allow, Confirm, Decision, Deny
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.smart_accounts.sponsorship import Sponsorship
from walletmodal.services.policy.policy_file import PolicyFile

DECIDE_SECONDS: Final = 3.0
"""For how long a decision may take. The visitor's state is held meanwhile, and Redis takes such a lock away after ten seconds."""
THREADS: Final = 8
FOREIGN_CODE: Final = Deny("it has an account run foreign code as its own (delegatecall)")
"""With ALLOW_DELEGATE_CALLS the operator allows it."""
FAILED: Final = Deny("")
"""The policy raised an error, took too long, or answered with something else than a decision: the log says which."""

logger = logging.getLogger(__name__)


class Policy:
    """What the deployment allows.

    Args:
        file: the operator's; None: whatever the method lists allow.
        seconds: for how long a decision may take.
        allow_delegate_calls: accounts may run code as their own that is not read here.
    """

    def __init__(
        self,
        file: PolicyFile | None = None,
        *,
        seconds: float = DECIDE_SECONDS,
        allow_delegate_calls: bool = False,
    ) -> None:
        self._file, self._seconds, self._allow_delegate_calls = file, seconds, allow_delegate_calls
        self._free = asyncio.Semaphore(THREADS)

    @property
    def is_set(self) -> bool:
        """Whether there is a file."""
        return self._file is not None

    async def decide(self, request: HostedRequest) -> Decision:
        """What becomes of a request. Never raises: what cannot be decided is denied, and logged.

        A function runs in a thread; a coroutine function on the event loop, which it must leave free.
        """
        if request.runs_foreign_code and not self._allow_delegate_calls:
            return FOREIGN_CODE
        if self._file is None:
            return Allow()
        file = self._file
        decision = await self._answer(lambda: file.decide()(request), request.method)
        return decision if isinstance(decision, Allow | Deny | Confirm) else _no_decision(decision, request.method)

    async def sponsor(self, sponsorship: Sponsorship) -> Allow | Deny:
        """Whether the operator pays for a request; yes, within the limits, where the file has no function for it. Never raises."""
        file, what = self._file, f"the sponsorship of {sponsorship.request.method}"
        if file is None:
            return Allow()
        decision = await self._answer(lambda: file.sponsor()(sponsorship), what)
        return decision if isinstance(decision, Allow | Deny) else _no_decision(decision, what)

    async def _answer(self, ask: Callable[[], object], what: str) -> object:
        """What the operator's function answers; a denial where it fails or takes too long."""
        try:
            async with asyncio.timeout(self._seconds):
                decision = await self._in_a_thread(ask)
                if inspect.isawaitable(decision):
                    decision = await _finished(decision)
        except TimeoutError:
            logger.warning("the policy took more than %s s for %s, which is denied", self._seconds, what)
            return FAILED
        except Exception:
            logger.exception("the policy failed on %s, which is denied", what)
            return FAILED
        return decision

    async def _in_a_thread(self, ask: Callable[[], object]) -> object:
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
                value = ask()
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


def _no_decision(answer: object, what: str) -> Deny:
    logger.error("the policy answered %s with %s; it is denied", what, type(answer).__name__)
    return FAILED


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
