"""What the relay keeps, for how long, and for whom."""

import pytest

from walletmodal.core.clock import MovableClock
from walletmodal.sandbox.relay import mail
from walletmodal.sandbox.relay.mail import MAX_HOLDERS, MAX_MAIL_PER_TOPIC, MAX_TTL, MIN_TTL, Mail, MailStore

TOPIC, OTHER = "aa" * 32, "bb" * 32


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def store(clock: MovableClock) -> MailStore:
    return MailStore(clock)


def _keep(store: MailStore, message: str, topic: str = TOPIC, ttl: int = MIN_TTL) -> Mail | None:
    return store.keep(topic=topic, message=message, tag=1, ttl=ttl, attestation=None, sender="app")


def _waiting(store: MailStore, client: str = "wallet", topic: str = TOPIC) -> list[str]:
    return [one.message for one in store.waiting(topic, client)]


def test_mail_waits_in_its_order_for_everybody_but_its_sender(store: MailStore) -> None:
    _keep(store, "first")
    _keep(store, "second")
    _keep(store, "elsewhere", OTHER)
    assert _waiting(store) == ["first", "second"]
    assert _waiting(store, "app") == []


def test_who_has_it_does_not_get_it_again(store: MailStore) -> None:
    kept = _keep(store, "once")
    assert kept is not None
    kept.held_by("wallet")
    assert (_waiting(store), _waiting(store, "another")) == ([], ["once"])


def test_a_senders_second_try_is_no_second_message(store: MailStore) -> None:
    assert _keep(store, "same") is not None
    assert _keep(store, "same") is None
    assert _keep(store, "same", OTHER) is not None
    assert _waiting(store) == ["same"]


@pytest.mark.parametrize(("asked", "given"), [(1, MIN_TTL), (3600, 3600), (10**9, MAX_TTL)])
def test_mail_expires_within_the_relays_limits(store: MailStore, clock: MovableClock, asked: int, given: int) -> None:
    _keep(store, "short", ttl=asked)
    clock.advance(given - 1)
    assert _waiting(store) == ["short"]
    clock.advance(1)
    assert _waiting(store) == []
    assert _keep(store, "short") is not None


def test_of_a_full_topic_the_oldest_goes(store: MailStore) -> None:
    for number in range(MAX_MAIL_PER_TOPIC + 2):
        _keep(store, str(number))
    kept = _waiting(store)
    assert (len(kept), kept[0], kept[-1]) == (MAX_MAIL_PER_TOPIC, "2", str(MAX_MAIL_PER_TOPIC + 1))


def test_of_a_full_store_the_oldest_goes_wherever_it_waits(store: MailStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "MAX_MAIL_CHARACTERS", 10)
    _keep(store, "12345")
    _keep(store, "67890", OTHER)
    _keep(store, "x", OTHER)
    assert (_waiting(store), _waiting(store, topic=OTHER)) == ([], ["67890", "x"])


def test_only_so_many_holders_are_remembered(store: MailStore) -> None:
    kept = _keep(store, "popular")
    assert kept is not None
    for number in range(MAX_HOLDERS * 2):
        kept.held_by(f"client {number}")
    assert len(kept.holders) == MAX_HOLDERS


def test_a_cleared_store_is_as_new(store: MailStore) -> None:
    _keep(store, "gone")
    store.clear()
    assert _waiting(store) == []
    assert _keep(store, "gone") is not None
