"""Moments in tables: milliseconds since 1970."""

from datetime import UTC, datetime


def to_ms(moment: datetime) -> int:
    """Converts a moment for a column."""
    return round(moment.timestamp() * 1000)


def from_ms(ms: int) -> datetime:
    """Converts a column's value."""
    return datetime.fromtimestamp(ms / 1000, UTC)
