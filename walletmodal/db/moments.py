"""How the tables keep a moment: as milliseconds since 1970."""

from datetime import UTC, datetime


def to_ms(moment: datetime) -> int:
    """What a column has of it."""
    return round(moment.timestamp() * 1000)


def from_ms(ms: int) -> datetime:
    """What a column says."""
    return datetime.fromtimestamp(ms / 1000, UTC)
