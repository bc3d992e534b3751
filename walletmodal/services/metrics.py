"""Counters of the process; `/metrics` shows them."""

from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import Counter

from walletmodal.core.errors.sign_in import SignInRefusedError, SignInUnavailableError, SignInUncheckedError
from walletmodal.core.requests.audit import Outcome

_IGNORED = Counter("walletmodal_ignored", "Messages and events that were ignored, by reason", ["reason"])
_SIGN_INS = Counter("walletmodal_sign_ins", "What became of the signatures that wallets gave to sign in.", ["outcome"])
_DECISIONS = Counter(
    "walletmodal_request_decisions", "Requests of host pages to the wallet, by what became of them", ["outcome"]
)

_CACHE_FAILURES = Counter("walletmodal_cache_failures", "What Redis has not done for the cache.")


def count_cache_failure() -> None:
    """Counts what Redis has not done for the cache."""
    _CACHE_FAILURES.inc()


def count_decision(outcome: Outcome) -> None:
    """Counts a request of a host page that signs, sends or grants, or whose method is in no list."""
    _DECISIONS.labels(outcome).inc()


def count_ignored(reason: str) -> None:
    """Counts something that came from a browser and was not believed. `reason`: one of the server's own words, never the sender's."""
    _IGNORED.labels(reason).inc()


def count_sign_in(outcome: str) -> None:
    """Counts an answer to a sign-in. `outcome`: `signed_in`, a refusal, `unchecked` or `unavailable`."""
    _SIGN_INS.labels(outcome).inc()


@contextmanager
def counted_failure() -> Iterator[None]:
    """Within it a sign-in is verified and put on record; that it is not is counted by why. That it is, the record counts (`db.sign_ins`)."""
    try:
        yield
    except SignInRefusedError as error:
        count_sign_in(error.refusal)
        raise
    except SignInUncheckedError:
        count_sign_in("unchecked")
        raise
    except SignInUnavailableError:
        count_sign_in("unavailable")
        raise
