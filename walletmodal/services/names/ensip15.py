"""The rules of ENSIP-15. Their tables take long to read, so this module is imported on first use."""

from ens_normalize import DisallowedSequence, ens_normalize


def ensip15(name: str) -> str | None:
    """The normal form of a name, or None where it has none."""
    try:
        return ens_normalize(name) or None
    except DisallowedSequence:
        return None
