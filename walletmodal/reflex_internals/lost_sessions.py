"""Sessions that are gone from Redis, or go on at a server of another release: what is still done for them is given up without a word.

Why: what `redis_states` has given up, Reflex logs as an event that failed.
Test: `test_each_state_that_a_handler_asks_for_is_read_by_itself`, `tests/test_state_shape.py`.
Dropped when: `redis_states` is.
"""

import logging

from reflex_base.utils.exceptions import LockExpiredError


class LostSessionError(LockExpiredError):
    """Redis has lost the session, or it goes on at a server of another release; what was done here is not written."""


class UnreadableStateError(LostSessionError):
    """A state is not as it was written."""


def is_lost(error: BaseException) -> bool:
    """Whether work was given up because its session is gone, and for nothing else."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_lost, error.exceptions))
    return isinstance(error, LostSessionError)


def is_failure(record: logging.LogRecord) -> bool:
    """Whether a line of the framework's log is about anything but such work."""
    return record.exc_info is None or record.exc_info[1] is None or not is_lost(record.exc_info[1])
