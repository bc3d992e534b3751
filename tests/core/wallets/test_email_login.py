"""Login by email and social account."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.constants import FRAME_SOCIAL_PROVIDERS
from walletmodal.core.errors.rules import EmailCooldownError, PayloadError
from walletmodal.core.wallets.email_login import (
    check_email,
    check_email_cooldown,
    check_social_provider,
    seconds_to_next_email,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_an_email_is_taken_without_the_blanks_around_it() -> None:
    assert check_email(" kim@example.org ") == "kim@example.org"


@pytest.mark.parametrize(
    "address", ["", "kim", "kim@", "@example.org", "kim@example", "a b@example.org", "kim@exa_mple.org"]
)
def test_what_is_no_email_is_refused(address: str) -> None:
    with pytest.raises(PayloadError) as caught:
        check_email(address)
    assert caught.value.short_message == "Invalid email"


@pytest.mark.parametrize("provider", FRAME_SOCIAL_PROVIDERS)
def test_the_six_social_logins_are_taken(provider: str) -> None:
    assert check_social_provider(provider) == provider


def test_any_other_social_login_is_refused() -> None:
    with pytest.raises(PayloadError) as caught:
        check_social_provider("farcaster")
    assert caught.value.short_message == (
        "Invalid enum value. Expected 'google' | 'github' | 'apple' | 'facebook' | 'x' | 'discord', received 'farcaster'"
    )


@pytest.mark.parametrize(("after", "text"), [
    (timedelta(0), "Please try again after 30 seconds"),
    (timedelta(seconds=0.1), "Please try again after 30 seconds"),
    (timedelta(seconds=29), "Please try again after 1 seconds"),
    (timedelta(seconds=29.9), "Please try again after 1 seconds"),
    (timedelta(hours=-2), "Please try again after 30 seconds"),
])  # fmt: skip
def test_another_email_within_the_cooldown_is_refused(after: timedelta, text: str) -> None:
    with pytest.raises(EmailCooldownError) as caught:
        check_email_cooldown(NOW, NOW + after)
    assert caught.value.short_message == text


@pytest.mark.parametrize("last", [None, NOW - timedelta(seconds=30), NOW - timedelta(days=1)])
def test_after_the_cooldown_another_email_may_be_asked_for(last: datetime | None) -> None:
    check_email_cooldown(last, NOW)


@given(st.timedeltas(min_value=timedelta(0), max_value=timedelta(minutes=2)))
def test_the_seconds_are_rounded_up(passed: timedelta) -> None:
    seconds = seconds_to_next_email(NOW, NOW + passed)
    left = timedelta(seconds=30) - passed
    assert timedelta(seconds=seconds - 1) < max(left, timedelta(0)) <= timedelta(seconds=seconds)
