"""Permissions that a wallet has granted for a while."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.core.json_values import replaced
from tests.core.samples import SAMPLES
from walletmodal.core.accounts.smart_sessions import Revocation, parse_smart_session, parse_smart_sessions
from walletmodal.core.errors import ShapeError
from walletmodal.core.parsing.shapes import read_shape

SESSION = SAMPLES["smart_session"]
EXPIRY = datetime(2026, 1, 1, tzinfo=UTC)


def test_times_are_seconds_on_the_wire() -> None:
    session = parse_smart_session(SESSION)
    assert (session.pci, session.expiry, session.created_at) == ("6f0c-11", EXPIRY, datetime(2025, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("revoked_at", "now", "status"),
    [
        (None, EXPIRY - timedelta(seconds=1), "active"),
        (None, EXPIRY, "expired"),
        (1735690000, EXPIRY - timedelta(seconds=1), "revoked"),
        (1735690000, EXPIRY, "revoked"),
    ],
)
def test_a_session_is_active_until_it_expires_or_is_revoked(revoked_at: int | None, now: datetime, status: str) -> None:
    assert parse_smart_session(replaced(SESSION, revoked_at, "revokedAt")).status(now) == status


@pytest.mark.parametrize("expiry", [None, "1767225600", -1, 10**12, 1.5, True])
def test_a_time_that_is_no_seconds_is_refused(expiry: object) -> None:
    with pytest.raises(ShapeError):
        parse_smart_session(replaced(SESSION, expiry, "expiry"))


def test_no_sessions_are_right() -> None:
    assert parse_smart_sessions({"pcis": []}) == ()


def test_a_revocation_has_an_id_and_a_signature() -> None:
    assert read_shape(Revocation, {"pci": "6f0c-11", "signature": "0xab12"}).signature == "0xab12"


@pytest.mark.parametrize("signature", ["", "ab12", "0x", None])
def test_a_revocation_without_a_signature_is_refused(signature: object) -> None:
    with pytest.raises(ShapeError):
        read_shape(Revocation, {"pci": "6f0c-11", "signature": signature})
