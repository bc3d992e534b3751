"""How fast one page may speak on the event socket."""

from walletmodal.core.clock import MovableClock
from walletmodal.services.rate_limit import Rate
from walletmodal.web.socket_throttle import PACE, Bucket, cost

SLOW = Rate(per_second=2, burst=4)


def test_what_fits_into_the_bucket_is_heard_at_once() -> None:
    bucket = Bucket(SLOW, MovableClock())
    bucket.take(4)
    assert bucket.wait() == 0


def test_what_was_said_beyond_it_is_waited_for() -> None:
    bucket = Bucket(SLOW, MovableClock())
    bucket.take(8)
    assert bucket.wait() == 2


def test_nobody_waits_longer_than_a_full_bucket_takes_to_fill() -> None:
    bucket = Bucket(SLOW, MovableClock())
    bucket.take(1_000)
    assert bucket.wait() == 2


def test_waiting_pays_what_was_said() -> None:
    clock = MovableClock()
    bucket = Bucket(SLOW, clock)
    bucket.take(8)
    clock.advance(2)
    assert bucket.wait() == 0


def test_silence_saves_no_more_than_the_bucket_holds() -> None:
    clock = MovableClock()
    bucket = Bucket(SLOW, clock)
    clock.advance(1_000)
    bucket.take(6)
    assert bucket.wait() == 1


def test_bytes_and_values_count_as_messages() -> None:
    assert (cost(10, 10), cost(40_000, 10), cost(40_000, 1_000)) == (1, 3, 23)


def test_what_a_page_says_when_it_loads_is_heard_at_once() -> None:
    bucket = Bucket(PACE, MovableClock())
    bucket.take(cost(250_000, 5_000))
    for _ in range(60):
        bucket.take(cost(500, 20))
    assert bucket.wait() == 0
