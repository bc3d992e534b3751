"""Refusals of the secure site, which come as English and can be said in any language."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from walletmodal.core.language import Text
from walletmodal.core.language.text import with_values
from walletmodal.core.wallets.refusals import (
    HELD,
    NOT_ALLOWED,
    SMALL_SUMS_ONLY,
    cooldown,
    moment_text,
    recalled_refusal,
    too_many_passkeys,
    wrong_password,
)

MOMENT = moment_text(datetime(2026, 3, 5, 14, 30, tzinfo=UTC))


@pytest.mark.parametrize(
    "made",
    [
        with_values(HELD, until=MOMENT),
        with_values(SMALL_SUMS_ONLY, until=MOMENT),
        with_values(NOT_ALLOWED, provider="Google"),
        wrong_password(3),
        cooldown(12),
        too_many_passkeys(20),
        Text("Invalid code", {}),
    ],
)
def test_a_refusal_is_known_again_with_its_values(made: Text) -> None:
    found = recalled_refusal(str(made))
    assert isinstance(found, Text)
    assert (found.key, found.plural, found.number, found.values) == (made.key, made.plural, made.number, made.values)


@pytest.mark.parametrize("said", ["", "Anything else, {at} all", "You did not allow " + "x" * 65 + " to log you in."])
def test_what_is_not_known_stays_as_it_is(said: str) -> None:
    assert recalled_refusal(said) == said
